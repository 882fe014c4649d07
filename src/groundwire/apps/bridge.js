// The talk of an MCP App with its host: JSON-RPC over postMessage (SEP-1865, 2026-01-26). What
// arrives is data: text becomes text, and drawings are read as SVG and stripped of what could act.
function gwWords(result) {
  'use strict';
  return (result.content || []).filter(function (block) {
    return block.type === 'text';
  }).map(function (block) { return block.text; }).join('\n');
}
function gwMake(name, text) {
  'use strict';
  var one = document.createElement(name);
  if (text !== undefined && text !== null) one.textContent = String(text);
  return one;
}
// A drawing that styles itself, as a map does, keeps its styles.
function gwAdopt(text, styled) {
  'use strict';
  var svg = new DOMParser().parseFromString(String(text), 'image/svg+xml').documentElement;
  if (svg.nodeName !== 'svg' || svg.querySelector('parsererror')) return null;
  var acting = 'script, foreignObject, iframe, image, a, use, animate, set';
  svg.querySelectorAll(styled ? acting : acting + ', style').forEach(function (one) {
    one.remove();
  });
  var bad = styled ? /^on|href$/i : /^on|href$|^style$/i;
  [svg].concat(Array.from(svg.querySelectorAll('*'))).forEach(function (one) {
    Array.from(one.attributes).forEach(function (attribute) {
      if (bad.test(attribute.name)) one.removeAttribute(attribute.name);
    });
  });
  return document.importNode(svg, true);
}
// app has a name, show(result), hear(context) and cancelled().
function gwApp(app) {
  'use strict';
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
    if (context && context.theme) app.hear(context);
  }
  var handlers = {
    'ui/notifications/tool-result': function (result) { app.show(result); measure(); },
    'ui/notifications/host-context-changed': hear,
    'ui/notifications/tool-cancelled': app.cancelled
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
    appInfo: { name: app.name, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
  }, function (result) {
    hear(result.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
  });
}
