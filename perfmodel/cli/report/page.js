"use strict";
// Buttons below each table: its cells as text for a spreadsheet, and as a CSV file.
// A text that a spreadsheet would compute, as =HYPERLINK(...), is made one that it shows.
const shown = (text) => (/^[=+@\t]|^-/.test(text) && !/^[+-][0-9.,]+(e[+-]?[0-9]+)?$/.test(text) && text !== "-" ? "'" + text : text);
const quoted = (text) => (/[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
const rowsOf = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => shown(cell.innerText.replaceAll("\n", " ").trim())));
document.querySelectorAll(".t").forEach((box, at) => {
  const table = box.querySelector("table");
  const button = (words, action) => {
    const made = document.createElement("button");
    made.className = "b";
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", () => action(made));
    return made;
  };
  const copy = button("Copy", async (made) => {
    const text = rowsOf(table).map((row) => row.join("\t")).join("\n");
    try {
      await navigator.clipboard.writeText(text);
      made.textContent = "Copied";
    } catch {
      const range = document.createRange();
      range.selectNode(table);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      made.textContent = document.execCommand("copy") ? "Copied" : "Selected";
    }
  });
  const save = button("CSV", () => {
    const text = rowsOf(table).map((row) => row.map(quoted).join(",")).join("\r\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "table-" + (at + 1) + ".csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  box.after(copy, save);
});
