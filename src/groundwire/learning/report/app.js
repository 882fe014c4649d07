// What the report of a learner shows in a host.
(function () {
  'use strict';
  var main = document.querySelector('main'), status = document.getElementById('status');
  var foot = document.querySelector('footer');
  function table(columns, rows) {
    var details = gwMake('details'), grid = gwMake('table'), head = gwMake('tr');
    details.appendChild(gwMake('summary', 'The numbers'));
    columns.forEach(function (name) { head.appendChild(gwMake('th', name)); });
    grid.appendChild(head);
    rows.forEach(function (row) {
      var line = gwMake('tr');
      row.forEach(function (cell) { line.appendChild(gwMake('td', cell)); });
      grid.appendChild(line);
    });
    details.appendChild(grid);
    return details;
  }
  function section(one) {
    var part = gwMake('section'), charts = gwMake('div');
    part.id = one.key;
    charts.className = 'charts';
    part.appendChild(gwMake('h2', one.heading));
    one.says.forEach(function (line) { part.appendChild(gwMake('p', line)); });
    one.drawings.forEach(function (text) {
      var svg = gwAdopt(text), chart = gwMake('div');
      if (!svg) return;
      chart.className = 'chart';
      chart.appendChild(svg);
      charts.appendChild(chart);
    });
    part.appendChild(charts);
    if (one.rows.length) part.appendChild(table(one.columns, one.rows));
    return part;
  }
  function show(result) {
    var view = (result._meta || {})['VIEW_KEY'];
    var said = (result.structuredContent || {}).answer || gwWords(result);
    main.replaceChildren();
    foot.replaceChildren();
    status.textContent = view ? view.made + '. ' + view.summary : said || 'There are no figures.';
    if (view) {
      view.sections.forEach(function (one) { main.appendChild(section(one)); });
      foot.appendChild(gwMake('p', view.foot));
    }
  }
  gwApp({
    name: 'groundwire-learning',
    show: show,
    hear: function (context) {
      if (context.theme === 'light' || context.theme === 'dark') {
        document.documentElement.dataset.theme = context.theme;
      }
    },
    cancelled: function () { status.textContent = 'Nothing was drawn.'; }
  });
})();
