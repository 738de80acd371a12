// On every page: changes that wait in this browser, because the server could not be reached or the page was closed, are
// sent, task by task; a line says how many wait, and for what. The page of a task does this for its own task itself.

import { counted, h, show } from "./dom.js";
import { Kept, sender } from "./queue.js";

const MOST_AT_ONCE = 100;
const AGAIN = 5_000;
const STILL_TYPING = 10_000; // milliseconds: text that is younger is being typed in another tab
const here = document.querySelector("#work")?.dataset.task;
const isSignedIn = Boolean(document.querySelector('meta[name="csrf"]')?.content);
const line = h("p", { class: "warn waiting", role: "status", hidden: true });
document.getElementById("main")?.prepend(line);

/** What became of the changes of one task: how many were sent, how many wait, and why. */
async function deliver(kept, task, events) {
  let open = events;
  while (open.length) {
    const batch = open.slice(0, MOST_AT_ONCE);
    let answer;
    try {
      answer = await sender(task)(batch.map(({ id, version, action, changes, seconds }) => ({ id, version, action, changes, seconds })));
    } catch {
      return { sent: events.length - open.length, waiting: open.length, why: "offline" };
    }
    if (!answer.ok) return { sent: events.length - open.length, waiting: open.length, why: answer.status };
    await kept.remove(...batch.map((event) => event.id));
    open = open.slice(batch.length);
  }
  return { sent: events.length, waiting: 0, why: "" };
}

/** What waits, by task; changes that someone has to decide about, and text that is no change yet, are the page's own. */
function byTask(rows) {
  const tasks = new Map();
  for (const row of rows) {
    // Examples, work that is only looked at, and forms that are not saved yet: the form itself says so.
    const isExample = ["guide-", "view/", "draft/"].some((start) => row.task.startsWith(start));
    const isBeingTyped = row.typed && Date.now() - row.time < STILL_TYPING;
    if (isExample || isBeingTyped || row.task === here) continue;
    if (!tasks.has(row.task)) tasks.set(row.task, { events: [], left: 0, typed: 0 });
    const waiting = tasks.get(row.task);
    if (row.typed) waiting.typed += 1;
    else if (row.left) waiting.left += 1;
    else waiting.events.push(row);
  }
  for (const { events } of tasks.values()) events.sort((a, b) => a.version - b.version);
  return tasks;
}

async function run() {
  const kept = await Kept.open();
  const tasks = byTask(await kept.all());
  let sent = 0;
  const lines = [];
  let isOffline = false;
  for (const [task, { events, left, typed }] of tasks) {
    if (!isSignedIn) {
      lines.push({ waiting: events.length + left + typed, why: "signed-out" });
      continue;
    }
    const result = events.length ? await deliver(kept, task, events) : { sent: 0, waiting: 0, why: "" };
    sent += result.sent;
    isOffline ||= result.why === "offline" || result.why >= 500;
    const waiting = result.waiting + left + typed;
    if (waiting) lines.push({ task, waiting, why: result.why });
  }
  tell(sent, lines);
  if (isOffline) window.setTimeout(run, AGAIN);
}

function tell(sent, lines) {
  line.hidden = !sent && !lines.length;
  line.classList.toggle("warn", lines.length > 0);
  line.classList.toggle("good", lines.length === 0);
  const total = lines.reduce((sum, { waiting }) => sum + waiting, 0);
  const wait = total === 1 ? "waits" : "wait";
  const parts = [];
  if (sent) parts.push(`${counted(sent, "change")} that waited in this browser ${sent === 1 ? "was" : "were"} sent. `);
  if (lines.some(({ why }) => why === "signed-out")) parts.push(`${counted(total, "change")} ${wait} in this browser, and will be sent when you have signed in.`);
  else if (lines.some(({ why }) => why === "offline" || why >= 500)) parts.push(`${counted(total, "change")} ${wait} in this browser: the server can't be reached. They are sent when it is back; keep this browser's data.`);
  else if (lines.length) parts.push(`${counted(total, "change")} ${wait} in this browser. `, ...lines.flatMap(about));
  show(line, parts);
}

/** What to do about the changes of one task. */
function about({ task, waiting, why }) {
  if (why === 404 || why === 403) return [`${counted(waiting, "change")} of work that is not yours, or was taken back, can't be sent. `];
  return [h("a", { href: `/task/${encodeURIComponent(task)}` }, `Open the work with ${counted(waiting, "change")}`), " to decide about it. "];
}

run();
window.addEventListener("online", run);
