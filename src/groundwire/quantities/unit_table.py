"""The units that are known: one line each, with its names in English, Chinese and German.

A line is `symbol; factor; names`. The factor leads to the dimension's base unit and is exact;
bases are chosen so that every factor is a finite decimal (speed in km/h, temperature in degrees
Rankine). Names are singular; regular plurals are understood.
"""

from __future__ import annotations

LINES: dict[str, str] = {
    "length": """
        nm; 0.000000001; nanometre, nanometer, 纳米
        µm; 0.000001; um, μm, micrometre, micrometer, micron, 微米
        mm; 0.001; millimetre, millimeter, 毫米, millimetern
        cm; 0.01; centimetre, centimeter, 厘米, 公分, zentimeter, zentimetern
        m; 1; metre, meter, 米, 公尺, metern
        km; 1000; kilometre, kilometer, 公里, 千米, kilometern
        inch; 0.0254; inches, 英寸
        ft; 0.3048; foot, feet, 英尺
        yd; 0.9144; yard, 码
        mi; 1609.344; mile, 英里
        nmi; 1852; nautical mile, 海里
    """,
    "mass": """
        mg; 0.001; milligram, 毫克
        g; 1; gram, gramme, 克
        kg; 1000; kilogram, kilo, 公斤, 千克
        t; 1000000; tonne, metric ton, 吨
        oz; 28.349523125; ounce, 盎司
        lb; 453.59237; lbs, pound mass, 磅
    """,
    "time": """
        ns; 0.000000001; nanosecond, 纳秒
        µs; 0.000001; μs, microsecond, 微秒
        ms; 0.001; millisecond, 毫秒
        s; 1; sec, secs, second, 秒, 秒钟, sekunde, sekunden
        min; 60; mins, minute, 分钟, minuten
        h; 3600; hr, hrs, hour, 小时, stunde, stunden, std
        d; 86400; day, 天, tage, tagen
        week; 604800; wk, 周, 星期, woche, wochen
    """,
    "calendar": """
        month; 1; months, 个月, monate, monaten
        year; 12; yr, yrs, 年, jahre, jahren
    """,
    "area": """
        cm²; 0.0001; cm2, sq cm, square centimetre, square centimeter, 平方厘米
        m²; 1; m2, m^2, sqm, sq m, square metre, square meter, 平方米
        ha; 10000; hectare, 公顷
        km²; 1000000; km2, km^2, sq km, square kilometre, square kilometer, 平方公里, 平方千米
        ft²; 0.09290304; ft2, sq ft, sqft, square foot, square feet, 平方英尺
        acre; 4046.8564224; 英亩
        mi²; 2589988.110336; mi2, sq mi, square mile, 平方英里
    """,
    "volume": """
        ml; 0.001; mL, millilitre, milliliter, 毫升
        l; 1; L, litre, liter, 升
        m³; 1000; m3, m^3, cubic metre, cubic meter, 立方米
        gal; 3.785411784; gallon, 加仑
    """,
    "speed": """
        km/h; 1; kph, kmh, kilometre per hour, kilometer per hour, 公里/小时, 千米/小时, 公里每小时
        m/s; 3.6; metre per second, meter per second, 米/秒, 米每秒
        mph; 1.609344; mi/h, mile per hour, miles an hour, 英里/小时, 英里每小时
        kn; 1.852; knot, 节
    """,
    "data": """
        bit; 0.125; 比特
        kbit; 125; kilobit
        Mbit; 125000; Mb, megabit
        Gbit; 125000000; Gb, gigabit
        B; 1; byte, 字节
        kB; 1000; KB, kilobyte
        MB; 1000000; megabyte, 兆字节
        GB; 1000000000; gigabyte, 吉字节
        TB; 1000000000000; terabyte, 太字节
        PB; 1000000000000000; petabyte
        KiB; 1024; kibibyte
        MiB; 1048576; mebibyte
        GiB; 1073741824; gibibyte
        TiB; 1099511627776; tebibyte
    """,
    "temperature": """
        °R; 1; degree rankine
        K; 1.8; kelvin, 开尔文
        °C; 1.8; ℃, degC, deg C, degree celsius, degrees celsius, celsius, degree centigrade, 摄氏度
        °F; 1; ℉, degF, deg F, degree fahrenheit, degrees fahrenheit, fahrenheit, 华氏度
    """,
    "angle": """
        °; 1; degree, deg, grad
    """,
    "frequency": """
        Hz; 1; hertz, 赫兹
        kHz; 1000; kilohertz, 千赫
        MHz; 1000000; megahertz, 兆赫
        GHz; 1000000000; gigahertz, 吉赫
    """,
    "power": """
        W; 1; watt, 瓦
        kW; 1000; kilowatt, 千瓦
        MW; 1000000; megawatt, 兆瓦
        GW; 1000000000; gigawatt, 吉瓦
    """,
    "energy": """
        J; 1; joule, 焦耳
        kJ; 1000; kilojoule, 千焦
        kWh; 3600000; kilowatt hour, kilowatt-hour, 千瓦时, 度电
        MWh; 3600000000; megawatt hour, megawatt-hour, 兆瓦时
        GWh; 3600000000000; gigawatt hour, gigawatt-hour, 吉瓦时
    """,
    "pressure": """
        Pa; 1; pascal, 帕
        kPa; 1000; kilopascal, 千帕
        bar; 100000; bars
    """,
    "pixels": """
        px; 1; pixel, 像素
    """,
    "percent": """
        %; 1; percent, per cent, pct, ％, prozent
        ‰; 0.1; permille, per mille
    """,
    "points": """
        pp; 1; percentage point, percent point, ppt, p.p., 百分点, 个百分点, prozentpunkte
        bp; 0.01; bps, basis point, 基点, 个基点
    """,
    "ratio": """
        ×; 1; x, times, fold, -fold, mal, fach, 倍
    """,
}

OFFSETS: dict[str, str] = {"°C": "273.15", "°F": "459.67"}
"""What is added to a value before its factor, for scales whose zero is elsewhere."""

CURRENCIES: dict[str, str] = {
    "USD": "us dollar, us-dollar, dollar, 美元, 美金",
    "EUR": "euro, 欧元",
    "GBP": "pound sterling, british pound, pound, sterling, britische pfund, pfund sterling, 英镑",
    "CNY": "RMB, renminbi, yuan, chinese yuan, 元, 人民币, 元人民币, 人民币元, 块钱",
    "JPY": "yen, japanese yen, 日元, 日圆",
    "HKD": "hong kong dollar, hongkong-dollar, hongkong dollar, 港元, 港币",
    "TWD": "new taiwan dollar, taiwan-dollar, 新台币",
    "KRW": "won, korean won, 韩元",
    "INR": "rupee, indian rupee, 卢比",
    "AUD": "australian dollar, australische dollar, 澳元",
    "CAD": "canadian dollar, kanadische dollar, 加元",
    "NZD": "new zealand dollar, neuseeland-dollar, 新西兰元",
    "SGD": "singapore dollar, singapur-dollar, 新加坡元, 新元",
    "CHF": "swiss franc, franc, schweizer franken, franken, 瑞士法郎",
    "SEK": "swedish krona, swedish kronor, schwedische kronen",
    "NOK": "norwegian krone, norwegian kroner, norwegische kronen",
    "DKK": "danish krone, danish kroner, dänische kronen",
    "PLN": "zloty, polish zloty",
    "CZK": "czech koruna",
    "HUF": "forint",
    "RUB": "rouble, ruble, rubel, 卢布",
    "TRY": "turkish lira, lira",
    "BRL": "brazilian real, reais",
    "MXN": "mexican peso",
    "ZAR": "south african rand, rand",
    "THB": "thai baht, baht, 泰铢",
    "IDR": "rupiah",
    "MYR": "ringgit, 林吉特",
    "VND": "vietnamese dong",
    "PHP": "philippine peso",
    "AED": "dirham",
    "SAR": "saudi riyal",
    "ILS": "shekel",
    "NGN": "naira",
    "EGP": "egyptian pound",
}

SIGNS: dict[str, tuple[str, ...]] = {
    "$": ("USD", "CAD", "AUD", "HKD", "SGD", "NZD", "TWD", "MXN"),
    "US$": ("USD",),
    "HK$": ("HKD",),
    "NT$": ("TWD",),
    "A$": ("AUD",),
    "C$": ("CAD",),
    "S$": ("SGD",),
    "NZ$": ("NZD",),
    "R$": ("BRL",),
    "€": ("EUR",),
    "£": ("GBP", "EGP"),
    "¥": ("CNY", "JPY"),
    "₩": ("KRW",),
    "₹": ("INR",),
    "₽": ("RUB",),
    "dollar": ("USD", "CAD", "AUD", "HKD", "SGD", "NZD", "TWD"),
    "pound": ("GBP", "EGP"),
    "元": ("CNY", "TWD", "HKD"),
}
"""The currencies that a sign or short name may stand for, the likeliest first."""

PENCE = "penny, pence, 便士"
