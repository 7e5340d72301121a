"use strict";
// A figure whose curve follows two sliders; all curves were computed when the page was written.
for (const box of document.querySelectorAll(".live")) {
  const { spec, x, curves, planned, ...words } = JSON.parse(box.querySelector("script").textContent);
  const [mtbf, cost] = box.querySelectorAll("input");
  const first = curves[mtbf.value][cost.value];
  const rows = (line, curve) => x.map((each, at) => ({ line, x: each, y: curve.y[at] }));
  const show = async (view) => {
    const curve = curves[mtbf.value][cost.value];
    for (const input of [mtbf, cost]) {
      const text = words[input.name][input.value];
      input.parentElement.querySelector("output").textContent = text;
      input.setAttribute("aria-valuetext", text);
    }
    box.querySelector(".said").textContent = curve.said;
    view.data("now", [...rows("as planned", first), ...rows("as set", curve)]);
    view.data("near", curve.near ? [{ low: curve.near[0], high: curve.near[1] }] : []);
    view.data("at", [
      { x: planned, y: 30, words: "planned", colour: spec.usermeta.planned },
      { x: curve.best, y: 12, words: "best", colour: spec.usermeta.best },
    ]);
    await view.runAsync();
  };
  box.closest("figure").hidden = false;
  vegaEmbed(box.querySelector(".drawn"), spec, { ast: true, actions: false, renderer: "svg", tooltip: false })
    .then(({ view }) => {
      for (const input of [mtbf, cost]) input.addEventListener("input", () => show(view));
      return show(view);
    });
}
