"use strict";
const slides = [...document.querySelectorAll(".slide")];
let at = Math.min(Math.max(parseInt(location.hash.slice(1), 10) || 1, 1), slides.length) - 1;
function show(index) {
  at = Math.min(Math.max(index, 0), slides.length - 1);
  slides.forEach((slide, other) => { slide.hidden = other !== at; });
  document.getElementById("count").textContent = `${at + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${at + 1}`);
}
const keys = {
  ArrowRight: () => show(at + 1), PageDown: () => show(at + 1), ArrowLeft: () => show(at - 1),
  PageUp: () => show(at - 1), Home: () => show(0), End: () => show(slides.length - 1),
  n: () => document.body.classList.toggle("with-notes"),
  a: () => slides[at].querySelectorAll("details").forEach((one) => { one.open = !one.open; }),
};
document.addEventListener("keydown", (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (keys[key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    keys[key]();
  }
});
document.getElementById("back").addEventListener("click", () => show(at - 1));
document.getElementById("next").addEventListener("click", () => show(at + 1));
show(at);
