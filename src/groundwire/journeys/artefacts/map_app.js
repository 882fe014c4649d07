// Shows the map that the result of a tool carries; SVG_META_KEY and SVG_NARROW_META_KEY are filled in.
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
    var narrow = window.innerWidth < 620 ? meta['SVG_NARROW_META_KEY'] : '';
    var found = [narrow, meta['SVG_META_KEY'], structured.svg];
    (result.content || []).forEach(function (block) {
      var inner = block.resource || {};
      if (inner.mimeType === 'image/svg+xml') found.push(inner.text);
      if (block.type === 'text') found.push(block.text);
      if (block.type === 'image' && block.mimeType === 'image/svg+xml') {
        found.push(new TextDecoder().decode(bytes(block.data)));
      }
    });
    return found.filter(function (text) { return /^\s*<svg[\s>]/.test(text || ''); })[0];
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
