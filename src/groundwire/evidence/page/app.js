// What the evidence of a check or of a record shows in a host.
(function () {
  'use strict';
  var main = document.querySelector('main'), status = document.getElementById('status');
  var kept = ['HEADER', 'SECTION', 'H1', 'H2', 'H3', 'P', 'SPAN', 'B', 'BLOCKQUOTE', 'TABLE', 'THEAD',
    'TBODY', 'TR', 'TH', 'TD', 'DETAILS', 'SUMMARY', 'UL', 'LI', 'PRE', 'CODE', 'DL', 'DT', 'DD'];
  // Only elements and attributes that show something are taken over.
  function adopt(from, to) {
    Array.from(from.childNodes).forEach(function (node) {
      if (node.nodeType === Node.TEXT_NODE) {
        to.appendChild(document.createTextNode(node.nodeValue));
      } else if (kept.indexOf(node.nodeName) >= 0) {
        var made = document.createElement(node.nodeName);
        ['class', 'scope', 'data-of'].forEach(function (name) {
          if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
        });
        adopt(node, made);
        to.appendChild(made);
      }
    });
  }
  function show(result) {
    var html = (result._meta || {})['VIEW_KEY'];
    var said = (result.structuredContent || {}).answer || gwWords(result);
    main.replaceChildren();
    status.hidden = Boolean(html);
    status.textContent = html ? '' : said || 'There is no evidence.';
    if (html) adopt(new DOMParser().parseFromString(String(html), 'text/html').body, main);
  }
  gwApp({
    name: 'groundwire-evidence',
    show: show,
    hear: function (context) {
      if (context.theme === 'light' || context.theme === 'dark') {
        document.documentElement.dataset.theme = context.theme;
      }
    },
    cancelled: function () { status.textContent = 'Nothing was checked.'; }
  });
})();
