// A task in the page: its material, its state, and the history that undo and redo rest on. A change shows at once and
// is on its way to the server; what the server says of it is the queue's business.

import { h, show } from "./dom.js";
import { Kept, Queue, sender } from "./queue.js";

const PAUSE = 700;
const LATEST = 1_200; // milliseconds after which also a text that is typed without a pause goes to the server
const NO_UNDO = new Set(["import", "done", "reopen", "suggestion-taken", "suggestion-refused"]);

/** The task that `root` names (data-task): from the server, or from the page itself where there is no server. */
export async function loadTask(root) {
  const id = root.dataset.task;
  const embedded = document.getElementById("task-data");
  if (embedded) {
    const pageData = JSON.parse(embedded.textContent);
    const data = pageData.tasks ? pageData.tasks[id] : pageData;
    return Task.open(data, null, async () => data);
  }
  const load = async () => {
    const answer = await fetch(`/api/task/${encodeURIComponent(id)}`, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.json();
  };
  // Before the work is read: another page of this browser may send these changes between the two.
  const waitedBefore = (await (await Kept.open()).of(id)).filter((row) => !row.left && !row.typed).map((event) => event.id);
  return Task.open(await load(), sender(id), load, waitedBefore);
}

/** Open the page of the task that the document has a place for; if that fails, say so where the work would be. */
export async function openPage(start) {
  const root = document.querySelector("#work");
  try {
    await start(root, await loadTask(root));
  } catch (error) {
    show(root, h("p", { class: "warn", role: "alert" }, `This page could not be opened: ${error.message} Reload it; what you did before is kept.`));
    throw error;
  }
}

export class Task {
  #load;
  #watchers = new Set();
  #undo = [];
  #redo = [];
  #typing = new Map();
  #clock = new Clock();
  #stored = new Set();
  queue;
  /** What another tab or computer overtook: {events, reason}; null if nothing. */
  conflict = null;
  /** Why the last change was refused; "" if it was not. */
  refusal = "";

  static async open(data, send, load, waitedBefore = []) {
    const task = new Task();
    task.#load = load;
    task.id = data.task.id;
    task.kind = data.task.kind;
    task.title = data.task.title;
    task.topic = data.task.topic;
    task.practice = data.task.practice;
    task.material = data.material;
    task.settings = data.settings ?? {};
    task.readonly = data.readonly ?? false; // an organiser looks at the work of someone else
    // Changes that wait in this browser for the same task are not those that are looked at.
    task.queue = await Queue.open(task.readonly ? `view/${task.id}` : task.id, send, {
      stale: () => task.#overtaken(),
      refused: (event, reason) => task.#refused(event, reason),
      received: (event) => task.#received(event),
      reload: () => task.#reload("newer"),
    });
    await task.#take(data);
    const known = new Set([...task.#stored, ...(await task.queue.waiting()).map((event) => event.id)]);
    const wasSentMeanwhile = !task.readonly && waitedBefore.some((id) => !known.has(id));
    if (wasSentMeanwhile) await task.#take(await load());
    const left = await task.queue.left();
    if (left.length) task.conflict = { events: left };
    await task.#restoreTyped();
    task.queue.drain();
    for (const name of ["pagehide", "visibilitychange"]) document.addEventListener(name, () => document.hidden && task.flush());
    window.addEventListener("pagehide", () => task.flush());
    return task;
  }

  /** Whether nothing can be changed now: it was handed in, or is only looked at. */
  get done() {
    return this.readonly || this.handedIn;
  }

  get handedIn() {
    return this.state.done === true;
  }

  /** Why nothing can be changed now. */
  get closedReason() {
    return this.readonly ? "You only look at this work: it is someone else's." : "This work was handed in. Press “Open again” to change it.";
  }

  /** What undo would take back, and redo bring again: an action, or null. */
  get undoes() {
    return this.#undo.at(-1)?.action ?? null;
  }

  get redoes() {
    return this.#redo.at(-1)?.action ?? null;
  }

  /** Call `watcher(task, why)` at each change; why: change, undo, redo, newer (from elsewhere), refused. */
  subscribe(watcher) {
    this.#watchers.add(watcher);
    watcher(this, "load");
    return () => this.#watchers.delete(watcher);
  }

  /** What a page shows of a key: what is being typed, or what the state has; null if neither. */
  shown(key) {
    const typed = this.#typing.get(key);
    return typed ? typed.value : (this.state[key] ?? null);
  }

  /** Change some keys (null removes one). False if nothing would change. */
  change(action, changes) {
    if (this.readonly) return false;
    this.flush();
    return this.#change(action, changes);
  }

  /** `typed`: ids of kept rows that become this event. */
  #change(action, changes, typed = []) {
    const real = Object.fromEntries(Object.entries(changes).filter(([key, value]) => !same(this.state[key] ?? null, value ?? null)));
    if (!Object.keys(real).length) return false;
    const event = { id: uuid(), version: this.version + 1, action, changes: real, seconds: this.#clock.lap() };
    this.refusal = "";
    this.#apply(event);
    this.queue.add(event, typed);
    this.#tell(action === "undo" || action === "redo" ? action : "change");
    return true;
  }

  /**
   * A text that is being typed: kept in the browser at once, and on its way to the server when typing pauses, when the
   * field or the page is left, and at the latest a moment after the first letter that the server does not have.
   */
  type(action, key, value) {
    if (this.readonly) return;
    const begun = this.#typing.get(key);
    window.clearTimeout(begun?.pause);
    const pause = window.setTimeout(() => this.flush(), PAUSE);
    const latest = begun?.latest ?? window.setTimeout(() => this.flush(), LATEST);
    const before = begun ? begun.before : (this.state[key] ?? null);
    const kept = this.queue.keepTyped(key, { action, value, before });
    this.#typing.set(key, { action, value, before, pause, latest, kept });
    this.queue.typing(true);
  }

  /** Store what is being typed, now. */
  flush() {
    const typed = [...this.#typing];
    if (!typed.length) return;
    for (const [key, { action, value, pause, latest, kept }] of typed) {
      window.clearTimeout(pause);
      window.clearTimeout(latest);
      this.#typing.delete(key);
      if (!this.#change(action, { [key]: value }, [kept])) this.queue.forgetTyped(kept);
    }
    this.queue.typing(false);
  }

  undo() {
    this.flush();
    const last = this.#undo.at(-1);
    return last ? this.change("undo", last.back) || this.#skip(this.#undo) : false;
  }

  redo() {
    const last = this.#redo.at(-1);
    return last ? this.change("redo", last.forth) || this.#skip(this.#redo) : false;
  }

  /** After a conflict: make the changes that were not stored once more, on top of the newer state. */
  async applyAgain() {
    if (this.done) {
      this.refusal = "this work was handed in: open it again to change it";
      this.#tell("refused");
      return;
    }
    const { events } = this.conflict;
    this.conflict = null;
    for (const event of events) this.change(event.action.startsWith("again-") ? event.action : `again-${event.action}`.slice(0, 40), event.changes);
    await this.queue.forget(...events);
    this.#tell("change");
  }

  /** What the server says about the work apart from its state, which it may say only now. */
  async readMaterial() {
    try {
      this.material = (await this.#load()).material;
    } catch {
      return; // the page says more when it is opened again
    }
    this.#tell("material");
  }

  async discard() {
    const { events } = this.conflict;
    this.conflict = null;
    await this.queue.forget(...events);
    this.#tell("newer");
  }

  #skip(stack) {
    stack.pop(); // it would change nothing: the next one counts
    return false;
  }

  #apply(event) {
    const back = Object.fromEntries(Object.keys(event.changes).map((key) => [key, this.state[key] ?? null]));
    const state = { ...this.state };
    for (const [key, value] of Object.entries(event.changes)) {
      if (value === null) delete state[key];
      else state[key] = value;
    }
    this.state = state;
    this.version = event.version;
    this.#stored.add(event.id);
    const [from, to] = event.action === "undo" ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    if (event.action === "undo" || event.action === "redo") {
      const moved = from.pop();
      if (moved) to.push(moved);
    } else if (!NO_UNDO.has(event.action)) {
      this.#undo.push({ action: event.action, back, forth: event.changes });
      this.#redo.length = 0;
    }
    this.history.push({ version: event.version, action: event.action, changes: event.changes, back });
  }

  /** Take what the server has, and on top of it what waits here; set aside what no longer fits. */
  async #take(data) {
    Object.assign(this, { state: {}, version: 0, history: [] });
    this.#undo.length = this.#redo.length = 0;
    this.#stored.clear();
    for (const event of data.history) this.#apply(event);
    const waiting = await this.queue.waiting();
    const stored = waiting.filter((event) => this.#stored.has(event.id));
    if (stored.length) await this.queue.forget(...stored);
    const open = waiting.filter((event) => !this.#stored.has(event.id));
    const fits = open.every((event, index) => event.version === this.version + 1 + index);
    if (fits) open.forEach((event) => this.#apply(event));
    else await this.#setAside(open);
    await this.#setAsideTyping();
  }

  /** Keep changes that no longer fit until someone decides; what the state already has needs no decision. */
  async #setAside(events, typed = []) {
    const real = events.filter((event) => Object.entries(event.changes).some(([key, value]) => !same(this.state[key] ?? null, value)));
    const stored = events.filter((event) => !real.includes(event));
    if (real.length) this.conflict = { events: [...(this.conflict?.events ?? []), ...real] };
    await this.queue.setAside(real, typed);
    if (stored.length) await this.queue.forget(...stored);
  }

  /** What is being typed into a field that changed elsewhere must not silently replace what is there now. */
  async #setAsideTyping() {
    const overtaken = [...this.#typing].filter(([key, { before }]) => !same(this.state[key] ?? null, before));
    if (!overtaken.length) return;
    for (const [key, { pause, latest }] of overtaken) {
      window.clearTimeout(pause);
      window.clearTimeout(latest);
      this.#typing.delete(key);
    }
    if (!this.#typing.size) this.queue.typing(false);
    const events = overtaken.map(([key, { action, value }]) => this.#eventOf(action, key, value));
    await this.#setAside(events, overtaken.map(([, { kept }]) => kept));
  }

  /** What was typed before a page went away, and is in no event yet, is stored now; or set aside if it no longer fits. */
  async #restoreTyped() {
    for (const { id, key, action, value, before } of await this.queue.typed()) {
      const now = this.state[key] ?? null;
      if (same(now, value)) await this.queue.forgetTyped(id);
      else if (same(now, before) && !this.done) this.#change(action, { [key]: value }, [id]);
      else await this.#setAside([this.#eventOf(action, key, value)], [id]);
    }
  }

  #eventOf(action, key, value) {
    return { id: uuid(), version: this.version + 1, action, changes: { [key]: value }, seconds: 0 };
  }

  /** The server is further than this page: show what it has, and keep what was not stored. */
  async #overtaken() {
    const read = await this.#reload("newer");
    if (read) this.queue.tellReload();
    return read;
  }

  async #refused(_event, reason) {
    const later = await this.queue.waiting();
    await this.queue.forget(...later);
    await this.#take(await this.#load());
    for (const event of later) this.change(event.action, event.changes);
    this.refusal = reason;
    this.#tell("refused");
    this.queue.tellReload();
  }

  async #received(event) {
    if (this.#stored.has(event.id) || event.version <= this.version) return;
    if (event.version === this.version + 1) {
      this.#apply(event);
      await this.#setAsideTyping();
      this.#tell("newer");
    } else await this.#reload("newer");
  }

  async #reload(why) {
    try {
      await this.#take(await this.#load());
    } catch {
      return false; // no server now: the queue will be told again
    }
    this.#tell(why);
    return true;
  }

  #tell(why) {
    for (const watcher of this.#watchers) watcher(this, why);
  }
}

/** Seconds of work since the last event: only while the page is in sight. */
class Clock {
  #since = performance.now();
  #sum = 0;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#sum += performance.now() - this.#since;
      this.#since = performance.now();
    });
  }

  lap() {
    const now = performance.now();
    const seconds = (this.#sum + (document.hidden ? 0 : now - this.#since)) / 1000;
    this.#sum = 0;
    this.#since = now;
    return Math.min(86_400, Math.round(seconds * 10) / 10);
  }
}

/** Random, version 4; crypto.randomUUID is missing on plain http outside this computer. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Whether two values of a state are the same. */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && Array.isArray(a) === Array.isArray(b) && keys.every((key) => same(a[key], b[key]));
}
