// A page by mail: the list of tasks, one of them at a time, and the file of answers to send back. There is no server:
// events stay in this browser.

import { counted, h, show } from "./dom.js";
import { Queue } from "./queue.js";

const page = JSON.parse(document.getElementById("task-data").textContent);
const root = document.getElementById("work");
const none = { stale: () => false, refused: () => {}, received: () => {}, reload: () => {} };

async function eventsOf(id) {
  const queue = await Queue.open(id, null, none);
  return queue.waiting();
}

async function answers() {
  const tasks = {};
  for (const { id } of page.work) {
    const events = await eventsOf(id);
    if (events.length) {
      tasks[id] = { events: events.map(({ version, action, changes, seconds, time, id: event }) => ({ id: event, version, action, changes, seconds, time: time ?? "" })) };
    }
  }
  return { format: page.format, assessor: page.assessor, tasks };
}

async function download() {
  const text = JSON.stringify(await answers());
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `answers-${page.assessor.replaceAll(/[^\w-]+/g, "-")}.json` });
  document.body.append(link);
  link.click();
  link.remove();
}

async function overview() {
  const rows = [];
  for (const { id, heading, note } of page.work) {
    const events = await eventsOf(id);
    const done = events.reduce((now, event) => event.changes.done ?? now, page.tasks[id].state.done === true);
    const state = done ? "Handed in" : events.length ? `Started: ${counted(events.length, "change")}` : "Open";
    rows.push(h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#${id}` }, `${heading}, topic ${page.tasks[id].task.topic}`)), h("td", {}, state, note ? h("span", { class: "soft" }, ` Do this later. ${note}`) : null)));
  }
  show(
    root,
    h("h1", {}, "Your work"),
    h("p", {}, "This page works without a connection. What you do is kept in this browser, on this computer. When you are done, choose Download answers and send the file back."),
    h("table", { class: "work" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Work"), h("th", { scope: "col" }, "State"))), h("tbody", {}, ...rows)),
  );
}

document.getElementById("download").addEventListener("click", async () => {
  document.activeElement?.blur(); // what is being typed counts
  await new Promise((resolve) => window.setTimeout(resolve, 300));
  await download();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="/"]');
  if (!link) return;
  event.preventDefault();
  location.hash = "";
});
window.addEventListener("hashchange", () => location.reload());

const chosen = page.work.find(({ id }) => `#${id}` === location.hash);
if (chosen) {
  root.dataset.task = chosen.id;
  document.getElementById("main").classList.toggle("wide", chosen.wide);
  import(chosen.module);
} else overview();
