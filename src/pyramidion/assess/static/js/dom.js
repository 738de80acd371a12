// Making elements. Texts become text nodes, never markup, so that a hostile summary stays a text.

const SVG = "http://www.w3.org/2000/svg";

/** An element: h("button", {class: "key", onclick: run}, "New SCU"). Null, false and undefined attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Replace what an element holds. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let spoken = null;
let last = 0;

/** Tell screen readers what happened. */
export function say(text) {
  if (!spoken) {
    spoken = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    document.body.append(spoken);
  }
  window.clearTimeout(last);
  last = window.setTimeout(() => (spoken.textContent = text), 150);
}

/** A text as a field shows it: with one sort of line break, or with none in a field of one line. */
export function textInField(field, text) {
  const lines = text.replaceAll(/\r\n?/g, "\n");
  return field.tagName === "INPUT" ? lines.replaceAll("\n", "") : lines;
}

/** Let a field show a text; nothing happens, not even to the caret, if it does. */
export function fillField(field, text) {
  const shown = textInField(field, text);
  if (field.value !== shown) field.value = shown;
}

/** "1 word", "2 words". */
export function counted(number, singular, plural = `${singular}s`) {
  return `${number} ${number === 1 ? singular : plural}`;
}
