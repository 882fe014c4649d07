// The buttons, the keys + - 0 and arrows, dragging, two fingers, and the wheel with Ctrl change
// what part of a drawing is shown.
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
    // One finger scrolls the page until the map is enlarged; two enlarge the map.
    stage.style.touchAction = view.zoom > 1 ? 'none' : 'pan-x pan-y';
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
  var fingers = {}, apart = 0;
  function spread() {
    var ids = Object.keys(fingers);
    if (ids.length !== 2) return 0;
    var one = fingers[ids[0]], other = fingers[ids[1]];
    return Math.hypot(one.x - other.x, one.y - other.y);
  }
  stage.onpointerdown = function (event) {
    if (event.pointerType === 'touch') fingers[event.pointerId] = { x: event.clientX, y: event.clientY };
    apart = spread();
    if (view.zoom > 1 && !apart) held = { x: event.clientX, y: event.clientY };
    if (apart) held = null;
  };
  stage.onpointermove = function (event) {
    if (fingers[event.pointerId]) fingers[event.pointerId] = { x: event.clientX, y: event.clientY };
    var now = spread();
    if (now && apart) {
      var ground = svg.getBoundingClientRect();
      zoom(now / apart, (event.clientX - ground.left) / ground.width,
        (event.clientY - ground.top) / ground.height);
      apart = now;
      event.preventDefault();
      return;
    }
    if (!held) return;
    var scale = width / view.zoom / svg.getBoundingClientRect().width;
    view.x -= (event.clientX - held.x) * scale;
    view.y -= (event.clientY - held.y) * scale;
    held = { x: event.clientX, y: event.clientY };
    show();
  };
  window.onpointerup = window.onpointercancel = function (event) {
    delete fingers[event.pointerId];
    apart = spread();
    held = null;
  };
  document.querySelectorAll('[data-key]').forEach(function (button) {
    button.onclick = function () { press(button.dataset.key); };
  });
  show();
}
