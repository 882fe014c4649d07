"""The functions of PostgreSQL that a query may call: computing on values, and nothing besides.

Of PostgreSQL 13 to 18. Left out is whatever reads files, settings, sequences, the catalogue, other
sessions or large objects, runs a text as SQL (`query_to_xml`), waits, locks, signals or writes.
"""

from __future__ import annotations

from groundwire.tables.bounds import listed

AGGREGATES = listed(
    """
    any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp
    cume_dist dense_rank every first_value json_agg json_object_agg jsonb_agg jsonb_object_agg lag
    last_value lead max min mode nth_value ntile percent_rank percentile_cont percentile_disc
    range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count regr_intercept regr_r2
    regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop stddev_samp string_agg sum
    var_pop var_samp variance
    """
)
"""Functions of many rows and of windows."""

NUMBERS = listed(
    """
    abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd
    cosh cot cotd degrees div erf erfc exp factorial floor gamma gcd greatest lcm least lgamma ln
    log log10 min_scale mod pi pow power radians random random_normal round scale sign sin sind
    sinh sqrt tan tand tanh trim_scale trunc width_bucket
    """
)
"""Mathematics."""

TEXTS = listed(
    """
    ascii bit_count bit_length btrim casefold char_length character_length chr coalesce concat
    concat_ws convert_from convert_to crc32 crc32c decode encode format get_bit get_byte initcap
    left length lower lpad ltrim md5 normalize nullif num_nonnulls num_nulls octet_length overlay
    parse_ident position quote_ident quote_literal quote_nullable regexp_count regexp_instr
    regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim set_bit set_byte
    sha224 sha256 sha384 sha512 similar_escape split_part starts_with string_to_array
    string_to_table strpos substr substring to_ascii to_bin to_hex to_oct translate trim unicode
    unistr upper
    """
)
"""Texts and bytes."""

TIMES = listed(
    """
    age clock_timestamp date date_add date_bin date_part date_subtract date_trunc extract isfinite
    justify_days justify_hours justify_interval make_date make_interval make_time make_timestamp
    make_timestamptz now overlaps statement_timestamp timeofday timezone to_char to_date to_number
    to_timestamp transaction_timestamp uuid_extract_timestamp uuid_extract_version
    """
)
"""Dates and times, and the functions that format and read them."""

STRUCTURES = listed(
    """
    array array_append array_cat array_dims array_fill array_length array_lower array_ndims
    array_position array_positions array_prepend array_remove array_replace array_reverse
    array_sort array_to_json array_to_string array_upper cardinality generate_series
    generate_subscripts gen_random_uuid isempty json_array_elements json_array_elements_text
    json_array_length json_build_array json_build_object json_each json_each_text
    json_extract_path json_extract_path_text json_object json_object_keys json_populate_record
    json_populate_recordset json_strip_nulls json_to_record json_to_recordset json_typeof
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_concat jsonb_delete jsonb_each jsonb_each_text jsonb_extract_path
    jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
    jsonb_path_match jsonb_path_query jsonb_path_query_array jsonb_path_query_first
    jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax
    jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof lower_inc lower_inf
    pg_typeof range_merge row row_to_json to_json to_jsonb trim_array unnest upper_inc upper_inf
    uuidv4 uuidv7
    """
)
"""Arrays, JSON, ranges, rows and sets."""

SEARCH = listed(
    """
    numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery to_tsvector
    ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array
    websearch_to_tsquery
    """
)
"""Full-text search. `ts_stat` runs its text as a query: it is not here."""

SHAPES = listed(
    """
    abbrev area box bound_box broadcast center circle diagonal diameter family height host hostmask
    inet_merge inet_same_family isclosed isopen line lseg masklen netmask network npoints path
    pclose point polygon popen radius set_masklen slope width
    """
)
"""Geometry and network addresses as values."""

TYPES = listed(
    """
    bit bool bpchar bytea char character dec decimal float float4 float8 int2 int4 int8 interval
    nchar numeric text time timestamp timestamptz timetz uuid varbit varchar varying
    """
)
"""Types that take a modifier in parentheses, or whose names are casts."""

FUNCTIONS = AGGREGATES | NUMBERS | TEXTS | TIMES | STRUCTURES | SEARCH | SHAPES | TYPES
"""What may be called."""
