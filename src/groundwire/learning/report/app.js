// JSON-RPC over postMessage as MCP Apps (SEP-1865, 2026-01-26) has it. What arrives is data: text
// becomes text, and drawings are read as SVG and stripped of whatever could act.
(function () {
  'use strict';
  var main = document.querySelector('main'), status = document.getElementById('status');
  var foot = document.querySelector('footer');
  var next = 1, waiting = {}, size = {};
  function send(message) {
    message.jsonrpc = '2.0';
    window.parent.postMessage(message, '*');
  }
  function ask(method, params, then) {
    waiting[next] = then;
    send({ id: next++, method: method, params: params });
  }
  function measure() {
    var box = document.body.getBoundingClientRect();
    var now = { width: Math.ceil(box.width), height: Math.ceil(box.height) };
    if (now.width === size.width && now.height === size.height) return;
    size = now;
    send({ method: 'ui/notifications/size-changed', params: now });
  }
  function hear(context) {
    if (context && (context.theme === 'light' || context.theme === 'dark')) {
      document.documentElement.dataset.theme = context.theme;
    }
  }
  function make(name, text) {
    var one = document.createElement(name);
    if (text !== undefined) one.textContent = String(text);
    return one;
  }
  function adopt(text) {
    var svg = new DOMParser().parseFromString(String(text), 'image/svg+xml').documentElement;
    if (svg.nodeName !== 'svg' || svg.querySelector('parsererror')) return null;
    svg.querySelectorAll('script, style, foreignObject, iframe, image, a, use, animate, set')
      .forEach(function (one) { one.remove(); });
    [svg].concat(Array.from(svg.querySelectorAll('*'))).forEach(function (one) {
      Array.from(one.attributes).forEach(function (attribute) {
        if (/^on|href$|^style$/i.test(attribute.name)) one.removeAttribute(attribute.name);
      });
    });
    return document.importNode(svg, true);
  }
  function table(columns, rows) {
    var details = make('details'), grid = make('table'), head = make('tr');
    details.appendChild(make('summary', 'The numbers'));
    columns.forEach(function (name) { head.appendChild(make('th', name)); });
    grid.appendChild(head);
    rows.forEach(function (row) {
      var line = make('tr');
      row.forEach(function (cell) { line.appendChild(make('td', cell)); });
      grid.appendChild(line);
    });
    details.appendChild(grid);
    return details;
  }
  function section(one) {
    var part = make('section'), charts = make('div');
    part.id = one.key;
    charts.className = 'charts';
    part.appendChild(make('h2', one.heading));
    one.says.forEach(function (line) { part.appendChild(make('p', line)); });
    one.drawings.forEach(function (text) {
      var svg = adopt(text), chart = make('div');
      if (!svg) return;
      chart.className = 'chart';
      chart.appendChild(svg);
      charts.appendChild(chart);
    });
    part.appendChild(charts);
    if (one.rows.length) part.appendChild(table(one.columns, one.rows));
    return part;
  }
  function words(result) {
    return (result.content || []).filter(function (block) {
      return block.type === 'text';
    }).map(function (block) { return block.text; }).join('\n');
  }
  function show(result) {
    var view = (result._meta || {})['VIEW_KEY'];
    var said = (result.structuredContent || {}).answer || words(result);
    main.replaceChildren();
    foot.replaceChildren();
    status.textContent = view ? view.made + '. ' + view.summary : said || 'There are no figures.';
    if (view) {
      view.sections.forEach(function (one) { main.appendChild(section(one)); });
      foot.appendChild(make('p', view.foot));
    }
    measure();
  }
  var handlers = {
    'ui/notifications/tool-result': show,
    'ui/notifications/host-context-changed': hear,
    'ui/notifications/tool-cancelled': function () { status.textContent = 'Nothing was drawn.'; }
  };
  window.addEventListener('message', function (event) {
    var message = event.data;
    if (event.source !== window.parent || !message || message.jsonrpc !== '2.0') return;
    if (!message.method) {
      var then = waiting[message.id];
      delete waiting[message.id];
      if (then) then(message.result || {});
    } else if (message.id !== undefined) {
      var known = message.method === 'ui/resource-teardown' || message.method === 'ping';
      send(known ? { id: message.id, result: {} }
        : { id: message.id, error: { code: -32601, message: 'no such method' } });
    } else if (Object.prototype.hasOwnProperty.call(handlers, message.method)) {
      handlers[message.method](message.params || {});
    }
  });
  new ResizeObserver(measure).observe(document.body);
  ask('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'groundwire-learning', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
  }, function (result) {
    hear(result.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
  });
})();
