"""The scripts of the map's pages: moving about on the map, and the talk of an app with its host.

Both are inline and allowed by their hash alone; neither fetches anything.
"""

from __future__ import annotations

from groundwire.apps import bridge

# Where the result of a tool carries the SVG for the app: beside what the model reads.
SVG_META_KEY = "groundwire/map_svg"

# The buttons, the keys + - 0 and arrows, dragging, and the wheel with Ctrl change what part of the
# drawing is shown.
MOVING = """
function gwMove(stage, svg) {
  'use strict';
  var base = svg.viewBox.baseVal, width = base.width, height = base.height;
  var view = { x: 0, y: 0, zoom: 1 }, held = null;
  svg.setAttribute('width', '100%');
  svg.removeAttribute('height');
  function show() {
    var w = width / view.zoom, h = height / view.zoom;
    view.x = Math.max(0, Math.min(width - w, view.x));
    view.y = Math.max(0, Math.min(height - h, view.y));
    svg.setAttribute('viewBox', [view.x, view.y, w, h].join(' '));
    stage.dataset.zoom = view.zoom.toFixed(2);
    stage.style.touchAction = view.zoom > 1 ? 'none' : 'auto';
    stage.style.cursor = view.zoom > 1 ? 'grab' : 'auto';
  }
  function zoom(factor, x, y) {
    var next = Math.max(1, Math.min(8, view.zoom * factor));
    view.x += (width / view.zoom - width / next) * x;
    view.y += (height / view.zoom - height / next) * y;
    view.zoom = next;
    show();
  }
  function step(across, down) {
    view.x += across * width / view.zoom / 8;
    view.y += down * height / view.zoom / 8;
    show();
  }
  var keys = {
    '+': function () { zoom(1.4, 0.5, 0.5); }, '=': function () { zoom(1.4, 0.5, 0.5); },
    '-': function () { zoom(1 / 1.4, 0.5, 0.5); }, '0': function () { zoom(0.01, 0, 0); },
    ArrowLeft: function () { step(-1, 0); }, ArrowRight: function () { step(1, 0); },
    ArrowUp: function () { step(0, -1); }, ArrowDown: function () { step(0, 1); }
  };
  function press(key, event) {
    if (!Object.prototype.hasOwnProperty.call(keys, key)) return;
    if (key.length > 1 && view.zoom === 1) return;
    keys[key]();
    if (event) event.preventDefault();
  }
  stage.onkeydown = function (event) {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) press(event.key, event);
  };
  stage.onwheel = function (event) {
    if (!event.ctrlKey) return;
    var box = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), (event.clientX - box.left) / box.width,
      (event.clientY - box.top) / box.height);
    event.preventDefault();
  };
  stage.onpointerdown = function (event) {
    if (view.zoom > 1) held = { x: event.clientX, y: event.clientY };
  };
  stage.onpointermove = function (event) {
    if (!held) return;
    var scale = width / view.zoom / svg.getBoundingClientRect().width;
    view.x -= (event.clientX - held.x) * scale;
    view.y -= (event.clientY - held.y) * scale;
    held = { x: event.clientX, y: event.clientY };
    show();
  };
  window.onpointerup = window.onpointercancel = function () { held = null; };
  document.querySelectorAll('[data-key]').forEach(function (button) {
    button.onclick = function () { press(button.dataset.key); };
  });
  show();
}
"""

PAGE = (
    MOVING + "gwMove(document.getElementById('stage'), document.querySelector('#stage > svg'));\n"
)

APP = (
    bridge()
    + MOVING
    + """
(function () {
  'use strict';
  var stage = document.getElementById('stage'), status = document.getElementById('status');
  var theme = '';
  function dress() {
    if (theme !== 'light' && theme !== 'dark') return;
    var media = theme === 'dark' ? 'all' : 'not all';
    document.documentElement.dataset.theme = theme;
    document.documentElement.style.colorScheme = theme;
    Array.prototype.forEach.call(document.styleSheets, function (sheet) {
      Array.prototype.forEach.call(sheet.cssRules, function (rule) {
        if (rule instanceof CSSMediaRule) rule.media.mediaText = media;
      });
    });
  }
  function bytes(text) {
    return Uint8Array.from(atob(text), function (one) { return one.charCodeAt(0); });
  }
  function drawing(result) {
    var meta = result._meta || {}, structured = result.structuredContent || {};
    var found = [meta['SVG_META_KEY'], structured.svg];
    (result.content || []).forEach(function (block) {
      var inner = block.resource || {};
      if (inner.mimeType === 'image/svg+xml') found.push(inner.text);
      if (block.type === 'text') found.push(block.text);
      if (block.type === 'image' && block.mimeType === 'image/svg+xml') {
        found.push(new TextDecoder().decode(bytes(block.data)));
      }
    });
    return found.filter(function (text) { return /^\\s*<svg[\\s>]/.test(text || ''); })[0];
  }
  function say(text) {
    status.textContent = text;
    status.hidden = !text;
  }
  function picture(result) {
    var block = (result.content || []).filter(function (one) {
      return one.type === 'image' && one.mimeType === 'image/png';
    })[0];
    if (!block) return null;
    var image = new Image();
    image.src = 'data:image/png;base64,' + block.data;
    image.alt = gwWords(result) || 'Map of a journey';
    return image;
  }
  function show(result) {
    var text = drawing(result), svg = text ? gwAdopt(text, true) : null;
    var shown = svg || picture(result);
    stage.replaceChildren();
    document.getElementById('tools').hidden = !svg;
    if (shown) stage.appendChild(shown);
    if (svg) gwMove(stage, svg);
    say(shown ? '' : gwWords(result) || 'This result has no map.');
    dress();
  }
  gwApp({
    name: 'groundwire-journey-map',
    show: show,
    hear: function (context) { theme = context.theme; dress(); },
    cancelled: function () { say('The map was not drawn.'); }
  });
})();
""".replace("SVG_META_KEY", SVG_META_KEY)
)
