// Of the drawings of a page the one is moved that its width shows; another width shows another.
(function () {
  'use strict';
  var stage = document.getElementById('stage');
  function choose() {
    var shown = Array.prototype.filter.call(stage.children, function (one) {
      return getComputedStyle(one).display !== 'none';
    })[0];
    if (shown && stage.moved !== shown) {
      stage.moved = shown;
      gwMove(stage, shown);
    }
  }
  window.addEventListener('resize', choose);
  choose();
})();
