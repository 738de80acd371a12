// The guided first task: a panel that leads through an example, step by step. Nothing of it is stored on the server.

import { h, say, show } from "./dom.js";

export const EXAMPLE = "This is an example to try; nothing of it is kept. ";
export const HAND_IN = { target: ".tools-bar", text: "Every change is saved at once: the bar says so. When you have finished, press Hand in. Try it now.", until: (task) => task.done };
export const END = { text: "That is all. Until the organiser says otherwise, you can open work again after handing it in. The key ? lists all keys." };

/** Whether a task has at least so many keys with this beginning: an `until` of many steps. */
export const hasKeys = (start, least = 1) => (task) => Object.keys(task.state).filter((key) => key.startsWith(start)).length >= least;

/**
 * Start the guide if this page is a guide. A step is {text, target, until}: `target` is what of the page it is about; with
 * `until` it goes on when the task has come that far.
 */
export function guide(task, steps) {
  if (!document.body?.dataset.guide || !steps) return;
  let at = 0;
  let waiting = false;
  const text = h("p", { id: "guide-text" });
  const count = h("span", { class: "hint" });
  const back = h("button", { type: "button", onclick: () => go(at - 1) }, "Back");
  const next = h("button", { type: "button", class: "main", onclick: () => go(at + 1) }, "Next");
  const leave = h("a", { class: "button", href: "/" }, "Leave the guide");
  const panel = h("section", { class: "guide", role: "region", "aria-label": "Guide" }, text, h("div", { class: "row" }, back, next, leave, count));
  document.body.append(panel);

  function go(index) {
    if (index < 0 || index >= steps.length) return;
    at = index;
    waiting = false;
    const step = steps[at];
    show(text, step.text);
    say(step.text);
    count.textContent = `Step ${at + 1} of ${steps.length}`;
    for (const one of document.querySelectorAll(".guided")) one.classList.remove("guided");
    const target = step.target ? document.querySelector(step.target) : null;
    target?.classList.add("guided");
    target?.scrollIntoView({ block: "nearest" });
    back.disabled = at === 0;
    next.hidden = at + 1 === steps.length;
    leave.textContent = next.hidden ? "Go to your work" : "Leave the guide";
    check();
  }

  /** A step that waits for something goes on by itself when it has happened. */
  function check() {
    const open = steps[at].until ? !steps[at].until(task) : false;
    const here = at;
    if (waiting && !open) window.setTimeout(() => at === here && go(at + 1), 400);
    waiting = open;
    next.disabled = open;
  }

  task.subscribe(() => check());
  window.setTimeout(() => go(0));
}
