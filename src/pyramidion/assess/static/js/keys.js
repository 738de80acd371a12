// Keys of a page, and the dialog that lists them.

import { h } from "./dom.js";

const OFF = "pyramidion-no-single-keys";
const MODIFIERS = { ctrl: "Ctrl", alt: "Alt", shift: "Shift" };
const NAMES = { delete: "Del", escape: "Esc", arrowleft: "←", arrowright: "→", arrowup: "↑", arrowdown: "↓", " ": "Space", enter: "Enter" };

/**
 * Listen to keys. Each is {key: "n", what: "New SCU", run}: `key` as "n", "ctrl+z", "shift+arrowleft"; `run` may be left out
 * for keys that are handled elsewhere and only listed. Returns `help`, which opens the list.
 * Typing in a field is never taken for a key, except Ctrl-Enter.
 */
export function useKeys(keys, { title = "Keys" } = {}) {
  const dialog = helpDialog(keys, title);
  const help = () => {
    dialog.showModal();
    // Else the first field has the focus, which is at the end of the list.
    dialog.querySelector("h2").focus();
    dialog.scrollTop = 0;
  };
  const all = [...keys, { key: "?", run: help }];
  document.addEventListener("keydown", (event) => {
    const pressed = named(event);
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (inField(event.target) && pressed !== "ctrl+enter") return;
    const shortcut = all.find((candidate) => candidate.run && [candidate.key, ...(candidate.also ?? [])].includes(pressed));
    if (!shortcut || (shortcut.key.length === 1 && keysAreOff() && shortcut.key !== "?")) return;
    event.preventDefault();
    shortcut.run(event);
  });
  return help;
}

function keysAreOff() {
  try {
    return Boolean(localStorage.getItem(OFF));
  } catch {
    return false;
  }
}

function named(event) {
  const key = event.key.toLowerCase();
  const typed = event.getModifierState?.("AltGraph"); // "[" on many keyboards: no shortcut with Ctrl and Alt
  const modifiers = [(event.ctrlKey || event.metaKey) && !typed ? "ctrl" : "", event.altKey && !typed ? "alt" : "", event.shiftKey && key.length > 1 ? "shift" : ""];
  return [...modifiers.filter(Boolean), event.ctrlKey && event.shiftKey && key === "z" ? "shift+z" : key].join("+");
}

function inField(target) {
  if (target.closest?.("textarea, select, [contenteditable]")) return true;
  const input = target.closest?.("input");
  return Boolean(input) && !["checkbox", "radio", "button"].includes(input.type);
}

/** A key as people read it: "ctrl+z" is Ctrl-Z. */
export function keyName(key) {
  return key.split(/\+(?=.)/).map((part) => MODIFIERS[part] ?? NAMES[part] ?? part.toUpperCase()).join("-");
}

function helpDialog(keys, title) {
  const off = h("input", { type: "checkbox", checked: !keysAreOff() });
  off.addEventListener("change", () => {
    try {
      if (off.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "1");
    } catch {
      off.checked = true; // this browser remembers nothing
    }
  });
  const rows = [...keys, { key: "?", what: "This list" }].filter((shortcut) => shortcut.what);
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": title },
    h("h2", { tabindex: "-1" }, title),
    h(
      "dl",
      {},
      rows.map((shortcut) => [
        h("dt", {}, [shortcut.key, ...(shortcut.shown ? [] : (shortcut.also ?? []))].map((key, index) => [index ? " or " : "", h("kbd", {}, shortcut.shown ?? keyName(key))])),
        h("dd", {}, shortcut.what),
      ]),
    ),
    h("label", {}, off, " Use single letters as keys"),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  document.body.append(dialog);
  return dialog;
}
