// Questions that need an answer before work goes on. Escape answers none of them.

import { h } from "./dom.js";

/** A text in a line of another direction, where there is no element of its own for it: an option of a list. */
export function isolated(text) {
  return `\u2068${text}\u2069`;
}

/** Ask; resolves to the value of the button that was pressed, or null. `choices` are [value, text]. */
export function ask(title, message, choices) {
  return open(title, [h("p", {}, message)], choices, (value) => value);
}

/** Choose one of several [value, text] from a list that can be searched. */
export function pick(title, message, options, button = "Choose") {
  const list = h("select", { size: Math.min(12, Math.max(3, options.length)), "aria-label": title });
  const fill = (searched) => {
    list.replaceChildren(...options.filter(([, text]) => text.toLowerCase().includes(searched.toLowerCase())).map(([value, text]) => h("option", { value }, text)));
    list.selectedIndex = 0;
  };
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search the list", oninput: () => fill(search.value) });
  fill("");
  return open(title, [h("p", {}, message), search, list], [["ok", button]], () => list.value || null);
}

/** Choose any number of [value, text]. No text is typed in a dialog: it would be lost with the page. */
export function choose(title, message, options, button) {
  const boxes = options.map(([key, text]) => [key, h("input", { type: "checkbox" }), text]);
  const rows = boxes.map(([, box, text]) => h("label", { class: "row" }, box, " ", text));
  return open(title, [h("p", {}, message), ...rows], [["ok", button]], () => boxes.filter(([, box]) => box.checked).map(([key]) => key));
}

function open(title, content, choices, answer) {
  const before = document.activeElement;
  return new Promise((resolve) => {
    const buttons = choices.map(([value, text], index) => h("button", { value, class: index ? "" : "main" }, text));
    const form = h("form", { method: "dialog" }, h("h2", {}, title), content, h("p", { class: "buttons" }, buttons, h("button", { value: "", formnovalidate: true }, "Cancel")));
    const dialog = h("dialog", { class: "question", "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.();
      resolve(dialog.returnValue ? answer(dialog.returnValue) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
    (form.querySelector("input, select") ?? buttons[0])?.focus();
  });
}
