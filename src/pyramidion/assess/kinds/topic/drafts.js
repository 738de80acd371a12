// A form that is sent as a whole (a topic, the questions): what is typed into it is kept in the browser at once and on the server within
// two seconds, and is back when the page is opened again before it was saved.

import { fillField, h, textInField } from "../../static/js/dom.js";
import { Kept } from "../../static/js/queue.js";
import { same, uuid } from "../../static/js/task.js";

const PAUSE = 700;
const LATEST = 1_200;
const AGAIN = 5_000;

class Draft {
  #kept;
  #restored;
  #pause = 0;
  #latest = 0;
  #writing = null;
  #unwritten = false;
  #id = uuid();

  static async open(form) {
    const draft = new Draft();
    draft.form = form;
    draft.place = form.dataset.draft;
    draft.row = `draft/${form.dataset.person}/${draft.place}`;
    draft.fields = [...form.elements].filter((field) => field.name && (field.tagName === "TEXTAREA" || ["text", "search"].includes(field.type)));
    draft.before = draft.valuesOfPage;
    form.elements.draft.value = draft.#id;
    // Before anything is waited for: the browser may take seconds to open its database, and people type meanwhile.
    form.addEventListener("input", (event) => draft.fields.includes(event.target) && draft.#changed());
    window.addEventListener("pagehide", () => draft.#latest && draft.#send());
    draft.#restored = draft.#restore();
    if (!same(draft.values, draft.before)) draft.#changed(); // typed while this script was still on its way
    await draft.#restored;
  }

  get values() {
    return Object.fromEntries(this.fields.map((field) => [field.name, field.value]));
  }

  /** What the fields had when the server sent the page. */
  get valuesOfPage() {
    return Object.fromEntries(this.fields.map((field) => [field.name, textInField(field, field.defaultValue)]));
  }

  /** The newest of what this browser and the server have, unless it was saved. */
  async #restore() {
    this.#kept = await Kept.open();
    const { draft, saved } = JSON.parse(document.getElementById("draft").textContent);
    const [row] = await this.#kept.of(this.row);
    if (row && row.draft === saved) await this.#kept.remove(this.row);
    const found = [row, draft].filter((one) => one && one.draft !== saved).sort((a, b) => b.time - a.time)[0];
    if (!found) return;
    const typed = this.fields.filter(({ name }) => name in found.fields && !same(found.fields[name], found.before[name]) && found.fields[name] !== this.before[name]);
    if (!typed.length) return;
    const free = typed.filter((field) => [found.before[field.name], found.fields[field.name]].includes(field.value));
    for (const field of free) fillField(field, found.fields[field.name]);
    this.#tell(free.length, typed.filter((field) => !free.includes(field)).map((field) => found.fields[field.name]));
    this.#changed();
  }

  #tell(number, overtaken) {
    const notice = h(
      "div",
      { class: "warn", role: "status", id: "restored" },
      h("p", {}, number ? "What you typed here before and did not save is back. Save it, or discard it." : "What you typed here before was not saved, and what is here has changed since."),
      overtaken.length ? h("details", {}, h("summary", {}, "What you typed into fields that have changed since"), overtaken.map((text) => h("blockquote", { dir: "auto" }, text))) : null,
      h("button", { type: "button", onclick: () => this.#discard(notice) }, "Discard it"),
    );
    this.form.before(notice);
  }

  async #discard(notice) {
    for (const field of this.fields) fillField(field, this.before[field.name]);
    notice.remove();
    window.clearTimeout(this.#pause);
    window.clearTimeout(this.#latest);
    this.#pause = this.#latest = 0;
    this.#unwritten = false;
    await this.#kept.remove(this.row);
    await this.#post(null);
  }

  #changed() {
    this.#unwritten = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
    window.clearTimeout(this.#pause);
    this.#pause = window.setTimeout(() => this.#send(), PAUSE);
    this.#latest ||= window.setTimeout(() => this.#send(), LATEST);
  }

  get #content() {
    return { draft: this.#id, fields: this.values, before: this.before, time: Date.now() };
  }

  async #write() {
    await this.#restored; // else it would replace what is kept before it is read
    while (this.#unwritten) {
      this.#unwritten = false;
      await this.#kept.put({ id: this.row, task: this.row, version: 0, ...this.#content });
    }
  }

  async #send() {
    window.clearTimeout(this.#pause);
    window.clearTimeout(this.#latest);
    this.#latest = 0;
    if (!(await this.#post(this.#content))) this.#pause = window.setTimeout(() => this.#send(), AGAIN);
  }

  async #post(draft) {
    try {
      const answer = await fetch(this.form.dataset.keep ?? `/api/topic/draft?number=${encodeURIComponent(this.place)}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": document.querySelector('meta[name="csrf"]').content },
        credentials: "same-origin",
        keepalive: JSON.stringify(draft).length < 50_000,
        body: JSON.stringify({ draft }),
      });
      return answer.ok;
    } catch {
      return false;
    }
  }
}

const form = document.querySelector("form[data-draft]");
if (form) Draft.open(form);
