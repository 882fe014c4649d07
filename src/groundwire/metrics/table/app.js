// A table of metrics in a host: its picture, and its rows below.
(function () {
  'use strict';
  var main = document.querySelector('main'), status = document.getElementById('status');
  // The digits before the point in threes; what is no number stays as it is.
  function grouped(text) {
    var parts = /^(-?)(\d+)(\.\d+)?$/.exec(text);
    return parts ? parts[1] + parts[2].replace(/\B(?=(?:\d{3})+$)/g, ',') + (parts[3] || '') : text;
  }
  function grid(columns, rows) {
    var table = gwMake('table'), head = gwMake('tr');
    columns.forEach(function (one) {
      head.appendChild(gwMake('th', one.unit ? one.label + ' (' + one.unit + ')' : one.label));
    });
    table.appendChild(head);
    rows.forEach(function (row) {
      var line = gwMake('tr');
      row.forEach(function (cell, place) {
        var isValue = columns[place] && columns[place].role !== 'key';
        var one = gwMake('td', cell === null ? '–' : isValue ? grouped(cell) : cell);
        if (isValue) one.className = 'number';
        line.appendChild(one);
      });
      table.appendChild(line);
    });
    return table;
  }
  function show(result) {
    var found = result.structuredContent || {}, view = (result._meta || {})['VIEW_KEY'];
    var svg = view && view.svg ? gwAdopt(view.svg, false) : null;
    main.replaceChildren();
    status.textContent = found.answer || gwWords(result) || 'There is no table.';
    if (svg) {
      var chart = gwMake('div');
      chart.className = 'chart';
      chart.appendChild(svg);
      main.appendChild(chart);
    }
    if (found.columns && found.rows) {
      var rows = gwMake('div');
      rows.className = 'rows';
      rows.tabIndex = 0;
      rows.appendChild(grid(found.columns, found.rows));
      main.appendChild(rows);
    }
    (found.notes || []).forEach(function (note) { main.appendChild(gwMake('p', note)); });
    var told = (found.sources || []).join('; ');
    if (told) main.appendChild(gwMake('p', 'Source: ' + told));
    if (found.evidence_id) main.appendChild(gwMake('p', 'Evidence: ' + found.evidence_id));
  }
  gwApp({
    name: 'groundwire-table',
    show: show,
    hear: function (context) {
      if (context.theme === 'light' || context.theme === 'dark') {
        document.documentElement.dataset.theme = context.theme;
      }
    },
    cancelled: function () { status.textContent = 'Nothing was shown.'; }
  });
})();
