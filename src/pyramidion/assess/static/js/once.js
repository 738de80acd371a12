// On every page: a form is sent once. The second press of a double click would take the place of the first one's answer,
// and say that there is nothing left to do.

const DOUBLE_CLICK = 1_000; // milliseconds
const sent = new WeakMap();

document.addEventListener("submit", (event) => {
  const now = performance.now();
  if (now - (sent.get(event.target) ?? -Infinity) < DOUBLE_CLICK) event.preventDefault();
  else sent.set(event.target, now);
});
