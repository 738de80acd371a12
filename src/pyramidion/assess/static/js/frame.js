// What all pages of annotation have around the work itself: the request, tools with their keys, messages, handing in.

import { h, show } from "./dom.js";
import { guide } from "./guide.js";
import { keyName, useKeys } from "./keys.js";
import { statusBar } from "./status.js";

/**
 * The frame of a page. `tools` are keys (see keys.js) with a `text` if they are buttons, too; `lacking()` says why the
 * work can't be handed in yet, or nothing; `title` is the name of the work, which the server tells; `steps` are those of
 * the guide (see guide.js). Returns {body, tell}.
 */
export function frame(root, task, { title = task.title, tools, names = {}, lacking = () => "", intro = "", steps = null }) {
  const { request = {} } = task.material;
  const message = h("p", { class: "message", role: "status", "aria-live": "polite" });
  const body = h("div", { class: "workspace" });
  let timer = 0;
  const tell = (text, { warn = false } = {}) => {
    window.clearTimeout(timer);
    message.className = warn ? "message warn" : "message";
    message.textContent = text;
    timer = window.setTimeout(() => (message.textContent = ""), 20_000);
  };
  const handed = h("p", { class: "handed" });
  const handInOrReopen = () => handIn(task, lacking, tell) && task.done && handed.querySelector("a")?.focus();
  const keys = [
    ...tools,
    ...(task.readonly ? [] : [{ key: "ctrl+enter", what: "Hand in, or open again what was handed in", run: handInOrReopen }]),
    { key: "ctrl+z", what: "Undo", run: () => !task.done && task.undo() },
    { key: "ctrl+y", also: ["ctrl+shift+z"], shown: "Ctrl-Y", what: "Redo", run: () => !task.done && task.redo() },
  ];
  const help = useKeys(keys, { title: `Keys: ${title}` });
  const buttons = tools
    .filter((tool) => tool.text)
    .map((tool) => {
      const button = h("button", { type: "button", class: "tool", title: tool.what, onclick: tool.run, "aria-keyshortcuts": tool.key }, tool.text, " ", h("kbd", {}, keyName(tool.key)));
      button.addEventListener("pointerdown", (event) => event.preventDefault()); // the text keeps the focus
      return button;
    });
  const hand = h("button", { type: "button", class: "main", "aria-keyshortcuts": "Control+Enter", onclick: handInOrReopen });
  task.subscribe((_, why) => {
    const isOld = message.classList.contains("warn") || task.handedIn;
    if (why === "change" && isOld) tell("");
    hand.textContent = task.done ? "Open again" : "Hand in";
    hand.title = `${hand.textContent} (Ctrl-Enter)`;
    // Only when it changes: the link has the focus, which a new one would not have.
    if (task.handedIn !== handed.hasChildNodes()) show(handed, task.handedIn ? ["Handed in. ", task.readonly ? null : h("a", { href: "/" }, "Go to your work")] : null);
    root.classList.toggle("done", task.done);
    for (const button of buttons) button.disabled = task.done;
  });
  show(
    root,
    h(
      "div",
      { class: "heading" },
      h("h1", {}, title, h("span", { class: "soft" }, ` Topic ${request.topic ?? task.topic}`, request.title ? [": ", h("span", { dir: "auto" }, request.title)] : null)),
      task.practice ? h("p", { class: "mark" }, "Practice") : null,
      request.narrative ? h("details", {}, h("summary", {}, "What the summaries were asked for"), h("p", { dir: "auto" }, request.narrative)) : null,
      intro ? h("p", { class: "lead" }, intro) : null,
    ),
    h(
      "div",
      { class: "tools-bar", role: "toolbar", "aria-label": "Tools" },
      buttons,
      h("button", { type: "button", class: "tool", onclick: help, "aria-keyshortcuts": "?" }, "Keys ", h("kbd", {}, "?")),
      h("span", { class: "space" }),
      statusBar(task, { names }),
      task.readonly ? null : hand,
    ),
    handed,
    message,
    body,
  );
  guide(task, steps);
  return { body, tell };
}

function handIn(task, lacking, tell) {
  task.flush();
  if (task.done) return task.change("reopen", { done: null });
  if (task.conflict) return tell("Decide first about the changes that were not saved: apply them again, or discard them.", { warn: true });
  const reason = lacking();
  if (reason) return tell(reason, { warn: true });
  return task.change("done", { done: true });
}
