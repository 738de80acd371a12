// What a person sees of saving: the state, undo and redo, and what to do when the work went on elsewhere.

import { counted, h, say, show } from "./dom.js";

const SAVED = {
  saved: () => "Saved",
  saving: () => "Saving…",
  offline: ({ waiting }) => `Offline: ${waiting} waiting`,
  trouble: ({ waiting, detail }) => `Not saved yet: ${waiting} waiting (${detail})`,
  "signed-out": ({ waiting }) => `Signed out: ${waiting} waiting. Sign in again in another tab, then reload this page`,
  gone: ({ waiting }) => `This work was taken back by the organiser: ${waiting} not saved`,
  kept: ({ waiting }) => `Kept in this browser: ${counted(waiting, "change")}`,
};

/** The bar of a task: "Saved", undo and redo, and beneath it what needs a decision. `names`: actions as people call them. */
export function statusBar(task, { names = {}, undo = true } = {}) {
  const state = document.getElementById("saved") ?? h("span", { role: "status", id: "saved" });
  const back = h("button", { type: "button", class: "button", onclick: () => task.undo() }, "Undo");
  const again = h("button", { type: "button", class: "button", onclick: () => task.redo() }, "Redo");
  const notice = h("div", { class: "notice", role: "alert" });
  task.queue.watch((status) => {
    if (task.readonly) {
      state.textContent = "Read-only";
      return;
    }
    state.textContent = SAVED[status.state](status) + (status.durable === false && status.waiting ? " (keep this page open)" : "");
    state.dataset.state = status.state;
  });
  const called = (action) => names[action] ?? action?.replaceAll("-", " ");
  task.subscribe((_, why) => {
    back.disabled = task.undoes === null || task.done;
    again.disabled = task.redoes === null || task.done;
    back.title = task.undoes ? `Undo: ${called(task.undoes)} (Ctrl-Z)` : "Nothing to undo";
    again.title = task.redoes ? `Redo: ${called(task.redoes)} (Ctrl-Y)` : "Nothing to redo";
    if (why === "undo" || why === "redo") say(why === "undo" ? "Undone" : "Done again");
    show(notice, conflict(task), task.refusal ? h("p", { class: "warn" }, `Not possible: ${task.refusal}.`) : null);
  });
  return h("div", { class: "status" }, h("div", { class: "status-row" }, state.isConnected ? null : state, undo && !task.readonly ? [back, again] : null), notice);
}

function conflict(task) {
  if (!task.conflict) return null;
  const number = task.conflict.events.length;
  const explanation = "This work went on in another tab or on another computer. You see the newer state now.";
  const lost = ` ${counted(number, "change")} made here ${number === 1 ? "was" : "were"} not saved.`;
  const typed = new Map(task.conflict.events.flatMap(({ changes }) => Object.entries(changes)));
  const textOf = (value) => (typeof value === "string" ? value : [value?.label, value?.comment].filter(Boolean).join(" · "));
  const unsaved = [...typed.values()].map(textOf).filter(Boolean);
  return h(
    "div",
    { class: "warn conflict" },
    h("p", {}, explanation + lost),
    unsaved.length ? h("details", {}, h("summary", {}, "What you typed here"), unsaved.map((text) => h("blockquote", { dir: "auto" }, text))) : null,
    h("button", { type: "button", onclick: () => task.applyAgain() }, "Apply them again"),
    " ",
    h("button", { type: "button", onclick: () => task.discard() }, "Discard them"),
  );
}
