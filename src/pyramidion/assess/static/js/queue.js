// Events on their way to the server: kept in the browser (IndexedDB) until the server has stored them, sent in order,
// each stored once (the server knows an event by its id), sent again when the server is back. Text that is being typed
// and is no event yet is kept in the same place, from the first letter on.

const DATABASE = "pyramidion-assess";
const EVENTS = "events";
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const MOST_AT_ONCE = 100;
const KEEPALIVE_BYTES = 50_000;
const OTHER_TAB = 3_000;
/** A request or a write that takes longer than this counts as failed, and is tried again: otherwise one that never ends would stop all that follow. */
const LONGEST_REQUEST = 30_000;
const LONGEST_WRITE = 10_000;

/** What a promise gives; something else if it fails or takes too long. */
function within(milliseconds, promise, otherwise) {
  let timer;
  const late = new Promise((resolve) => (timer = window.setTimeout(() => resolve(otherwise), milliseconds)));
  return Promise.race([promise.catch(() => otherwise), late]).finally(() => window.clearTimeout(timer));
}

/**
 * What one browser keeps: rows by id, of all tasks. Without IndexedDB (a private window) they stay in memory.
 * IndexedDB and not localStorage: with strict durability a row is on disk when it is said to be, also if the browser is
 * killed, while Chromium writes localStorage seconds later.
 */
export class Kept {
  #memory = new Map();
  #database = null;
  #isFull = false;

  static async open() {
    const kept = new Kept();
    try {
      kept.#database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(EVENTS, { keyPath: "id" }).createIndex("task", "task");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
        request.onblocked = () => reject(new Error("blocked"));
      });
    } catch {
      kept.#database = null;
    }
    return kept;
  }

  /** Whether what is kept outlives the page: there is a database, and its disk had room for the last change. */
  get durable() {
    return this.#database !== null && !this.#isFull;
  }

  async put(...rows) {
    await this.change(rows, []);
  }

  async remove(...ids) {
    await this.change([], ids);
  }

  /** Keep some rows and remove others: both or neither. */
  async change(rows, ids) {
    for (const row of rows) this.#memory.set(row.id, row);
    for (const id of ids) this.#memory.delete(id);
    await this.#write((store) => {
      rows.forEach((row) => store.put(row));
      ids.forEach((id) => store.delete(id));
    });
  }

  /** The events of a task, in order; those of this page are there even if the browser's disk is full. */
  async of(task) {
    const events = new Map();
    for (const event of await this.#read((store) => store.index("task").getAll(task))) events.set(event.id, event);
    for (const event of this.#memory.values()) if (event.task === task) events.set(event.id, event);
    return [...events.values()].sort((a, b) => a.version - b.version);
  }

  /** All rows of all tasks. */
  async all() {
    if (!this.#database) return [...this.#memory.values()];
    return this.#read((store) => store.getAll());
  }

  /** What the browser's database answers; nothing if it is closed, broken or does not answer. */
  async #read(ask) {
    if (!this.#database) return [];
    const answer = new Promise((resolve, reject) => {
      const request = ask(this.#database.transaction(EVENTS).objectStore(EVENTS)); // throws if the database is closed
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return within(LONGEST_WRITE, answer, []);
  }

  async #write(act) {
    if (!this.#database) return;
    const written = new Promise((resolve) => {
      const transaction = this.#database.transaction(EVENTS, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve(true);
      transaction.onerror = transaction.onabort = () => resolve(false);
      act(transaction.objectStore(EVENTS));
    });
    this.#isFull = !(await within(LONGEST_WRITE, written, false)); // what was not written is in memory, and is sent
  }
}

/**
 * The queue of one task. `handlers`: stale() → whether the newer state was read, refused(event, reason),
 * received(event), reload(); each may be async.
 */
export class Queue {
  #kept;
  #task;
  #send;
  #handlers;
  #channel;
  #draining = null;
  #again = false;
  #wait = FIRST_WAIT;
  #timer = 0;
  #watchers = new Set();
  #one = false;
  #typing = false;
  #page = `${Date.now()}-${Math.random()}`;
  #unwritten = new Map();
  #writing = null;
  status = { state: "saved", waiting: 0, detail: "" };

  /** `send` is null where there is no server (a page by mail): events are kept, to be downloaded. */
  static async open(task, send, handlers) {
    const queue = new Queue();
    queue.#kept = await Kept.open();
    queue.#task = task;
    queue.#send = send;
    queue.#handlers = handlers;
    queue.#listen();
    // What waits from an earlier visit is not saved, also before this page has begun to send it.
    const waiting = (await queue.waiting()).length;
    if (waiting) queue.status = { state: send ? "saving" : "kept", waiting, detail: "", durable: queue.#kept.durable };
    return queue;
  }

  /** Events that wait here. Those that the server refused as stale are `left`: kept until someone decides. */
  async waiting() {
    return (await this.#kept.of(this.#task)).filter((event) => !event.left && !event.typed);
  }

  async left() {
    return (await this.#kept.of(this.#task)).filter((event) => event.left);
  }

  /** What was being typed when a page went away: rows {key, action, value, before}, oldest first. */
  async typed() {
    return (await this.#kept.of(this.#task)).filter((row) => row.typed).sort((a, b) => a.time - b.time);
  }

  /** Keep what is being typed, at once; `before` is what the state had when typing began. Returns the row's id. */
  keepTyped(key, { action, value, before }) {
    const id = `typed/${this.#task}/${this.#page}/${key}`;
    this.#unwritten.set(id, { id, task: this.#task, typed: true, version: 0, key, action, value, before, time: Date.now() });
    this.#writing ??= this.#writeTyped().finally(() => (this.#writing = null));
    return id;
  }

  async #writeTyped() {
    while (this.#unwritten.size) {
      const rows = [...this.#unwritten.values()]; // of a letter that is overtaken by the next, only the next is written
      this.#unwritten.clear();
      await this.#kept.put(...rows);
    }
  }

  async forgetTyped(...ids) {
    for (const id of ids) this.#unwritten.delete(id);
    await this.#kept.remove(...ids);
  }

  /** Keep an event and send it; it takes the place of what was kept as `typed` (ids). */
  async add(event, typed = []) {
    const row = { ...event, task: this.#task, time: new Date().toISOString() };
    this.#set("saving", this.status.waiting + 1);
    for (const id of typed) this.#unwritten.delete(id);
    await this.#kept.change([row], typed);
    this.#tell({ type: "event", event: row });
    await this.drain();
  }

  /** While someone types there is something to save, though no event yet. */
  typing(on) {
    this.#typing = on;
    if (on && this.status.state === "saved") this.#set("saved", 0);
    if (!on) this.drain();
  }

  /** Keep events until someone decides about them; they take the place of what was kept as `typed` (ids). */
  async setAside(events, typed = []) {
    for (const id of typed) this.#unwritten.delete(id);
    await this.#kept.change(events.map((event) => ({ ...event, task: this.#task, left: true })), typed);
  }

  async forget(...events) {
    await this.#kept.remove(...events.map((event) => event.id));
    await this.#count();
  }

  /** Other tabs should ask the server for the newest state. */
  tellReload() {
    this.#tell({ type: "reload" });
  }

  watch(watcher) {
    this.#watchers.add(watcher);
    watcher(this.status);
  }

  /** Send what waits, now. */
  drain() {
    this.#again = true;
    this.#draining ??= this.#run();
    return this.#draining;
  }

  async #run() {
    try {
      while (this.#again) {
        this.#again = false;
        let batch = await this.waiting();
        while (batch.length) {
          if (!this.#send) return this.#set("kept", batch.length);
          if (!(await this.#deliver(batch))) return;
          batch = await this.waiting();
        }
      }
    } finally {
      this.#draining = null; // at once: who calls `drain` from here on starts a new run, as this one looks no more
    }
    this.#set("saved", 0);
  }

  /** Whether sending can go on. */
  async #deliver(waiting) {
    window.clearTimeout(this.#timer);
    const batch = waiting.slice(0, this.#one ? 1 : MOST_AT_ONCE);
    this.#set("saving", waiting.length);
    let answer;
    try {
      answer = await this.#send(batch.map(({ id, version, action, changes, seconds }) => ({ id, version, action, changes, seconds })));
    } catch {
      return this.#later("offline", waiting.length, "");
    }
    if (answer.ok) {
      this.#wait = FIRST_WAIT;
      this.#one = false;
      await this.#kept.remove(...batch.map((event) => event.id));
      return true;
    }
    const body = await answer.json().catch(() => ({}));
    const reason = typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail ?? answer.statusText);
    if (answer.status === 409) {
      return (await this.#handlers.stale(body)) || this.#later("offline", waiting.length, "");
    }
    if (answer.status === 422 && batch.length > 1) {
      this.#one = true; // find the one that is refused
      return true;
    }
    if (answer.status === 422) {
      await this.#kept.remove(batch[0].id);
      await this.#handlers.refused(batch[0], reason);
      return true;
    }
    if ([401, 403].includes(answer.status)) return this.#later("signed-out", waiting.length, reason);
    return this.#later(answer.status === 404 ? "gone" : "trouble", waiting.length, reason);
  }

  #later(state, waiting, detail) {
    this.#set(state, waiting, detail);
    this.#timer = window.setTimeout(() => this.drain(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    return false;
  }

  async #count() {
    const waiting = (await this.waiting()).length;
    if (!waiting) this.#set("saved", 0);
  }

  #set(state, waiting, detail = "") {
    if (state === "saved" && this.#typing) state = "saving";
    this.status = { state, waiting, detail, durable: this.#kept.durable };
    for (const watcher of this.#watchers) watcher(this.status);
  }

  #listen() {
    const retry = () => this.status.waiting && this.drain();
    window.addEventListener("online", retry);
    window.addEventListener("focus", retry);
    window.addEventListener("beforeunload", (event) => {
      if (this.#send && this.status.waiting) event.preventDefault();
    });
    if (!("BroadcastChannel" in window)) return;
    this.#channel = new BroadcastChannel(`${DATABASE}/${this.#task}`);
    this.#channel.onmessage = ({ data }) => {
      if (data.type === "reload") this.#handlers.reload();
      else {
        this.#handlers.received(data.event);
        window.setTimeout(() => this.drain(), OTHER_TAB); // in case the other tab is closed before it has sent it
      }
    };
  }

  #tell(message) {
    this.#channel?.postMessage(message);
  }
}

/** How events get to the server. */
export function sender(task) {
  const token = document.querySelector('meta[name="csrf"]')?.content ?? "";
  return (events) => {
    const body = JSON.stringify({ events });
    return fetch(`/api/task/${encodeURIComponent(task)}/events`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": token },
      credentials: "same-origin",
      keepalive: body.length < KEEPALIVE_BYTES,
      signal: AbortSignal.timeout(LONGEST_REQUEST),
      body,
    });
  };
}
