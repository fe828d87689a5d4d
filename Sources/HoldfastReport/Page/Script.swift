/// The only script of a page.
enum Script {
    /// Shows the controls of ``Filter``, and hides rows, and sections without rows, that are not wanted.
    ///
    /// It contains neither of the characters that XML forbids in text.
    static let filter: HTML = """
        (function () {
          var form = document.querySelector("form.filter");
          if (!form) { return; }
          var rows = Array.from(document.querySelectorAll("tr[data-keys]"));
          var groups = Array.from(document.querySelectorAll("[data-group]"));
          function show() {
            var keys = Array.from(form.querySelectorAll("select")).map(function (s) { return s.value; }).filter(Boolean);
            var words = form.querySelector("input").value.toLowerCase();
            var count = 0;
            rows.forEach(function (row) {
              var own = row.dataset.keys.split(" ");
              var wanted = keys.every(function (key) { return own.includes(key); });
              row.hidden = !(wanted ? row.textContent.toLowerCase().includes(words) : false);
              if (!row.hidden) { count += 1; }
            });
            groups.forEach(function (group) { group.hidden = !group.querySelector("tr[data-keys]:not([hidden])"); });
            form.querySelector("output").textContent = count + " of " + rows.length + " rows";
          }
          form.hidden = false;
          form.addEventListener("input", show);
          form.addEventListener("submit", function (event) { event.preventDefault(); });
          show();
        })();
        """
}
