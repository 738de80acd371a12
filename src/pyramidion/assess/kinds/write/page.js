// Writing a model: documents to read on one side, the request and the editor on the other.

import { counted, fillField, h, show } from "../../static/js/dom.js";
import { frame } from "../../static/js/frame.js";
import { paragraphs, requestBox } from "../../static/js/reading.js";
import { loadTask } from "../../static/js/task.js";
import { STEPS } from "./guide.js";

export async function start(root) {
  new WritePage(root, await loadTask(root));
}

class WritePage {
  #open = 0;
  #search = "";

  constructor(root, task) {
    this.task = task;
    this.documents = [...task.material.documents.map((one) => ({ ...one, group: "" })), ...task.material.background.map((one) => ({ ...one, group: "Background" }))];
    const { body } = frame(root, task, {
      steps: STEPS,
      names: { write: "typing", read: "read mark" },
      tools: [
        { key: "n", what: "Next document", run: () => this.#show(this.#open + 1) },
        { key: "p", what: "Previous document", run: () => this.#show(this.#open - 1) },
        { key: "r", what: "Mark the document as read", run: () => this.#mark() },
        { key: "s", what: "Search the documents", run: () => this.search.focus() },
        { key: "e", what: "Go to the editor; Esc leaves it", run: () => this.editor.focus() },
      ],
      lacking: () => this.#lacking(),
    });
    this.#build(root, body);
    this.#show(Math.max(0, this.documents.findIndex((one) => !task.state[`read/${one.id}`])), { focus: false });
    task.subscribe(() => this.#refresh());
  }

  #build(root, body) {
    const { limit } = this.task.material;
    this.search = h("input", { type: "search", id: "search", placeholder: "Words in the documents" });
    this.search.addEventListener("input", () => this.#find());
    this.found = h("span", { class: "hint", role: "status" });
    this.list = h("ol", { class: "documents" }, this.documents.map((one, index) => this.#entry(one, index)));
    this.title = h("h2", { tabindex: "-1", dir: "auto", class: "summary-heading" });
    this.text = h("div", { class: "summary-text document", dir: "auto", tabindex: "0", role: "region", "aria-label": "Document" });
    this.read = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#mark() }, "Read");
    this.editor = h("textarea", { id: "editor", rows: "16", dir: "auto", maxlength: "50000", "aria-describedby": "words" });
    fillField(this.editor, this.task.shown("text") ?? "");
    this.editor.addEventListener("input", () => {
      this.#count();
      this.task.type("write", "text", this.editor.value || null);
    });
    this.editor.addEventListener("blur", () => this.task.flush());
    this.editor.addEventListener("keydown", (event) => event.key === "Escape" && this.title.focus());
    this.words = h("p", { id: "words", class: "hint" });
    this.meter = h("meter", { min: "0", max: String((limit ?? 250) * 1.2), high: String(limit ?? 250), "aria-label": "Length" });
    show(
      body,
      h(
        "div",
        { class: "write-page" },
        h(
          "section",
          { class: "documents-side", "aria-label": "Documents" },
          h("div", { class: "row" }, h("label", { for: "search" }, "Search"), this.search, this.found),
          this.documents.length ? this.list : h("p", { class: "soft" }, "This topic has no documents."),
          this.documents.length ? [h("div", { class: "row" }, this.title, this.read), this.text] : [this.title, this.text].map((one) => (one.hidden = true) && one),
        ),
        h(
          "section",
          { class: "editor-side", "aria-label": "Writing" },
          requestBox(root, this.task.material.request),
          h("label", { for: "editor" }, h("b", {}, "Your summary")),
          this.editor,
          h("div", { class: "row" }, this.meter, this.words),
        ),
      ),
    );
  }

  #entry(document_, index) {
    const mark = h("span", { class: "read-mark" });
    const hits = h("span", { class: "hits" });
    const button = h("button", { type: "button", onclick: () => this.#show(index) }, h("span", { class: "date" }, document_.date), " ", h("span", { dir: "auto" }, document_.headline || document_.id), document_.group ? ` (${document_.group})` : null, " ", hits, mark);
    return h("li", {}, button);
  }

  #show(index, { focus = true } = {}) {
    if (index < 0 || index >= this.documents.length) return;
    this.#open = index;
    this.#refresh();
    this.text.scrollTop = 0;
    if (focus) this.title.focus({ preventScroll: true });
  }

  #mark() {
    const one = this.documents[this.#open];
    if (!one || this.task.done) return;
    const key = `read/${one.id}`;
    const read = !this.task.state[key];
    this.task.change("read", { [key]: read ? true : null });
    const next = this.documents.findIndex((other) => !this.task.state[`read/${other.id}`]);
    if (read && next >= 0) this.#show(next);
  }

  #find() {
    this.#search = this.search.value.trim().toLowerCase();
    const hits = this.documents.map((one) => (this.#search ? times(one, this.#search) : 0));
    [...this.list.children].forEach((item, index) => {
      item.hidden = Boolean(this.#search) && !hits[index];
      item.querySelector(".hits").textContent = hits[index] ? `${hits[index]}×` : "";
    });
    const count = hits.filter(Boolean).length;
    this.found.textContent = this.#search ? `in ${counted(count, "document")}` : "";
    if (this.#search && count && !hits[this.#open]) this.#open = hits.findIndex(Boolean);
    this.#refresh();
  }

  #count() {
    const words = wordsOf(this.editor.value);
    const { limit } = this.task.material;
    const over = limit && words > limit;
    this.meter.value = words;
    this.words.textContent = limit ? `${words} of ${limit} words${over ? `: ${counted(words - limit, "word")} too many` : ""}` : counted(words, "word");
    this.words.classList.toggle("warn", Boolean(over));
  }

  #lacking() {
    const words = wordsOf(this.editor.value);
    const { limit } = this.task.material;
    if (!words) return "There is no text yet.";
    return limit && words > limit ? `The text is ${counted(words - limit, "word")} too long.` : "";
  }

  #refresh() {
    const { state, done } = this.task;
    fillField(this.editor, this.task.shown("text") ?? ""); // what is handed in is what is shown
    this.editor.readOnly = done;
    this.#count();
    const one = this.documents[this.#open];
    if (!one) return;
    this.title.textContent = one.headline || one.id;
    show(this.text, one.date ? h("p", { class: "soft" }, one.date) : null, marked(one.text, this.#search));
    const read = Boolean(state[`read/${one.id}`]);
    this.read.setAttribute("aria-pressed", String(read));
    this.read.textContent = read ? "Read ✓" : "Mark as read";
    this.read.disabled = done;
    [...this.list.children].forEach((item, index) => {
      item.querySelector(".read-mark").textContent = state[`read/${this.documents[index].id}`] ? "✓ read" : "";
      if (index === this.#open) item.firstElementChild.setAttribute("aria-current", "true");
      else item.firstElementChild.removeAttribute("aria-current");
    });
  }
}

function wordsOf(text) {
  return text.split(/[ \t\n\r\f\v]+/).filter(Boolean).length;
}

function times(one, search) {
  return `${one.headline}\n${one.text}`.toLowerCase().split(search).length - 1;
}

/** A text with what was searched for marked. */
function marked(text, search) {
  if (!search) return paragraphs(text);
  return text.split("\n").map((line) => {
    const pieces = [];
    const low = line.toLowerCase();
    let from = 0;
    // lower case may be longer than the line in some languages: then nothing is marked
    for (let at = low.length === line.length ? low.indexOf(search) : -1; at >= 0; at = low.indexOf(search, from)) {
      pieces.push(line.slice(from, at), h("mark", {}, line.slice(at, at + search.length)));
      from = at + search.length;
    }
    return h("p", { dir: "auto" }, pieces, line.slice(from));
  });
}

const root = document.querySelector("#work");
if (root) start(root);
