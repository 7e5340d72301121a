"use strict";
// A figure whose curve follows two sliders; all curves were computed when the page was written.
const made = (name, attributes, inside = "") => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[inside].flat());
  return node;
};
// 1, 2 and 5 of each power of ten within two ends.
const ticksOf = ([low, high]) => {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    for (const lead of [1, 2, 5]) found.push(Number(`${lead}e${power}`));
  return found.filter((each) => low <= each && each <= high);
};
document.querySelectorAll(".live").forEach((box, number) => {
  const { x, curves, planned, across, ends, colours, ...words } = JSON.parse(box.querySelector("script").textContent);
  const [mtbf, cost] = box.querySelectorAll("input");
  const place = box.querySelector(".drawn");
  const first = curves[mtbf.value][cost.value];
  const scale = (from, to, [low, high]) => (value) =>
    from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
  const show = () => {
    const curve = curves[mtbf.value][cost.value];
    for (const input of [mtbf, cost]) {
      const text = words[input.name][input.value];
      input.parentElement.querySelector("output").textContent = text;
      input.setAttribute("aria-valuetext", text);
    }
    box.querySelector(".said").textContent = curve.said;
    const wide = Math.max(place.clientWidth, 260), high = 340, left = 52, right = wide - 10, top = 30, base = high - 46;
    const toX = scale(left, right, [x[0], x[x.length - 1]]), toY = scale(base, top, ends);
    const text = (words, at, more = {}) => made("text", { "font-size": 13, x: at[0], y: at[1], ...more }, words);
    const line = (from, to, more = {}) =>
      made("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], stroke: "currentColor", ...more });
    const parts = [];
    const grid = { "stroke-opacity": 0.2 };
    let free = -Infinity;
    for (const each of ticksOf([x[0], x[x.length - 1]])) {
      parts.push(line([toX(each), base], [toX(each), top], grid));
      if (toX(each) < free) continue; // no room beside the last one
      parts.push(text(each, [toX(each), base + 17], { "text-anchor": "middle" }));
      free = toX(each) + 9 + 8 * String(each).length;
    }
    for (const each of ticksOf(ends)) {
      parts.push(line([left, toY(each)], [right, toY(each)], grid));
      parts.push(text(each, [left - 6, toY(each) + 4], { "text-anchor": "end" }));
    }
    parts.push(text(across, [(left + right) / 2, high - 8], { "text-anchor": "middle" }));
    const middle = (top + base) / 2;
    parts.push(
      text("time beyond the work [%]", [12, middle], { "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` })
    );
    const inside = [];
    if (curve.near) {
      const [low, up] = curve.near.map((each) => Math.min(Math.max(toX(each), left), right));
      inside.push(made("rect", { x: low, y: top, width: up - low, height: base - top, fill: colours.best, opacity: 0.15 }));
    }
    const drawn = [["as planned", first, colours.before, "6 4"], ["as set", curve, colours.set, "none"]];
    drawn.forEach(([name, { y }, stroke, dashes], at) => {
      const points = x.flatMap((each, i) => (y[i] ? [`${toX(each).toFixed(1)} ${toY(y[i]).toFixed(1)}`] : []));
      const style = { stroke, "stroke-dasharray": dashes, "stroke-width": 2, fill: "none" };
      if (points.length) inside.push(made("path", { d: `M${points.join("L")}`, ...style })); // else it never ends
      const from = left + 130 * at;
      parts.push(line([from, 12], [from + 24, 12], style), text(name, [from + 30, 16]));
    });
    for (const [at, down, name, stroke] of [[planned, 18, "planned", colours.planned], [curve.best, 34, "best", colours.best]]) {
      inside.push(line([toX(at), top], [toX(at), base], { stroke, "stroke-dasharray": "2 3", "stroke-width": 2 }));
      const late = toX(at) > right - 60; // or the word would leave the frame
      inside.push(text(name, [toX(at) + (late ? -4 : 4), top + down - 4], { "text-anchor": late ? "end" : "start" }));
    }
    const frame = { x: left, y: top, width: right - left, height: base - top };
    const clip = made("clipPath", { id: `frame-${number}` }, made("rect", frame));
    parts.push(clip, made("g", { "clip-path": `url(#frame-${number})` }, inside));
    parts.push(made("rect", { ...frame, fill: "none", stroke: "currentColor" }));
    const named = { role: "img", "aria-label": curve.said, width: wide, height: high, viewBox: `0 0 ${wide} ${high}` };
    place.replaceChildren(made("svg", named, parts));
  };
  box.closest("figure").hidden = false;
  for (const input of [mtbf, cost]) input.addEventListener("input", show);
  new ResizeObserver(show).observe(place);
  show();
});
