// Questions about drawn SCUs: is this content in the summary, and where? One question after the other.

import { counted, h, say, show } from "../../static/js/dom.js";
import { frame } from "../../static/js/frame.js";
import { lengthSentence } from "../../static/js/reading.js";
import { openPage } from "../../static/js/task.js";
import { Selection, Text, TextView, trimmed } from "../../static/js/text.js";
import { STEPS } from "./guide.js";

const NAMES = { "mark-present": "content present", "mark-absent": "content absent", "mark-unsure": "unsure", "take-back": "answer taken back" };
const ANSWERS = [
  { present: true, key: "y", text: "Yes", what: "The summary says it; selected words are kept as the place. Go to the next question", action: "mark-present" },
  { present: false, key: "n", text: "No", what: "The summary does not say it; go to the next question", action: "mark-absent" },
  { present: null, key: "u", text: "Unsure", what: "Decide later; go to the next question", action: "mark-unsure" },
];
const STATES = new Map([[true, "present"], [false, "absent"], [null, "unsure"], [undefined, "open"]]);

class ContentPage {
  #at = 0;
  #shownSummary = null;

  constructor(root, task) {
    this.task = task;
    const { asked, scus, summaries } = task.material;
    if (!asked.length) {
      show(root, h("h1", {}, task.title), h("p", {}, "The pyramid of this topic no longer has the SCUs that were drawn. Tell the organiser."));
      return;
    }
    this.asked = asked;
    this.scus = new Map(scus.map((scu) => [scu.uid, scu]));
    this.summaries = new Map(summaries.map((summary) => [summary.handle, summary]));
    this.selection = new Selection();
    const { body, tell } = frame(root, task, {
      steps: STEPS,
      names: NAMES,
      lacking: () => this.#lacking(),
      tools: this.#tools(),
    });
    this.tell = tell;
    this.#build(body);
    const first = this.asked.findIndex((question) => this.#presence(question) === undefined);
    this.#at = Math.max(0, first);
    task.subscribe((_, why) => this.#refresh(why));
  }

  #tools() {
    return [
      ...ANSWERS.map(({ key, what, present }) => ({ key, what, run: () => this.#answer(present) })),
      { key: "delete", also: ["backspace"], shown: "Del", what: "Take the answer back", run: () => this.#clear() },
      { key: "p", text: "Previous", what: "Previous question", run: () => this.#go(this.#at - 1) },
      { key: "j", text: "Next", what: "Next question", run: () => this.#go(this.#at + 1) },
      { key: "o", text: "Next open", what: "Next question without an answer", run: () => this.#goToOpen() },
      { key: "e", what: "Go to the text of the summary; Shift and arrows select words there", run: () => this.view?.focus() },
      { key: "escape", what: "Clear the selection", run: () => this.selection.clear() },
    ];
  }

  #build(body) {
    this.heading = h("h2", { tabindex: "-1", class: "summary-heading" });
    this.place = h("div", { class: "content-text" });
    this.length = h("p", { class: "hint" });
    this.scu = h("section", { class: "asked-scu", "aria-label": "Content that is asked about" });
    this.radios = ANSWERS.map(({ present, key, text }) => {
      const radio = h("input", { type: "radio", name: "present", value: STATES.get(present) });
      radio.addEventListener("click", (event) => {
        if (event.detail > 0) this.#answer(present); // by mouse or finger
      });
      radio.addEventListener("change", () => this.#put(present)); // arrow keys only choose
      return { present, radio, element: h("label", { class: "value" }, radio, h("b", {}, text), h("kbd", {}, key.toUpperCase())) };
    });
    this.where = h("p", { class: "hint", role: "status" });
    this.progress = h("progress", { max: String(this.asked.length), "aria-label": "Questions answered" });
    this.count = h("span", { class: "soft" });
    this.list = h("nav", { class: "asked-list", "aria-label": "Questions" });
    this.buttons = [];
    show(
      body,
      h("div", { class: "form-progress" }, this.progress, " ", this.count),
      h(
        "div",
        { class: "form-page content-page" },
        h("section", { class: "reading", "aria-label": "The summary" }, this.heading, this.place, this.length),
        h(
          "section",
          { class: "asking", "aria-label": "The question" },
          this.scu,
          h("fieldset", { class: "question current" }, h("legend", {}, "Does the summary say this?"), h("div", { class: "values three" }, this.radios.map(({ element }) => element)), this.where),
          this.list,
        ),
      ),
    );
    show(this.list, this.#groups().map(({ title, questions }) => [h("h3", {}, title), h("ol", { class: "items" }, questions.map((index) => this.#listed(index)))]).flat());
  }

  /** The questions about one SCU, or about one summary: what is asked together. */
  #groups() {
    const groups = [];
    const { by_summary: bySummary } = this.task.material;
    this.asked.forEach(({ uid, handle }, index) => {
      const key = bySummary ? handle : uid;
      if (groups.at(-1)?.key !== key) groups.push({ key, title: bySummary ? `Summary ${handle}` : this.scus.get(uid).label, questions: [] });
      groups.at(-1).questions.push(index);
    });
    return groups;
  }

  #listed(index) {
    const button = h("button", { type: "button", onclick: () => this.#go(index) }, String(index + 1));
    this.buttons[index] = button;
    return h("li", {}, button);
  }

  get #question() {
    return this.asked[this.#at];
  }

  #key({ uid, handle } = this.#question) {
    return `answer/${uid}/${handle}`;
  }

  #presence(question) {
    return this.task.state[this.#key(question)]?.present;
  }

  #isOpen(question) {
    return (this.#presence(question) ?? null) === null;
  }

  #lacking() {
    const open = this.asked.filter((question) => this.#isOpen(question)).length;
    if (open) this.#goToOpen();
    return open ? `${counted(open, "question")} ${open === 1 ? "has" : "have"} no answer yet, or you were unsure.` : "";
  }

  // What people do

  /** Answer, and go on. */
  #answer(present) {
    if (this.task.done) return void this.tell(this.task.closedReason);
    this.#put(present);
    say(`${STATES.get(present)}.`);
    if (this.#at + 1 < this.asked.length) this.#go(this.#at + 1);
    else if (!this.#goToOpen()) this.tell("That was the last question. Hand in when you are content with your answers.");
  }

  #put(present) {
    if (this.task.done) return;
    const { action } = ANSWERS.find((answer) => answer.present === present);
    const chosen = this.selection.view ? trimmed(this.selection.parts, this.view.text) : (this.task.state[this.#key()]?.parts ?? []);
    this.task.change(action, { [this.#key()]: { present, parts: present ? chosen : [] } });
    this.selection.clear();
  }

  #clear() {
    if (!this.task.done) this.task.change("take-back", { [this.#key()]: null });
  }

  #goToOpen() {
    const order = [...this.asked.keys()].map((step) => (step + this.#at + 1) % this.asked.length);
    const open = order.find((index) => this.#isOpen(this.asked[index]));
    if (open === undefined) return false;
    this.#go(open);
    return true;
  }

  #go(index) {
    if (index < 0 || index >= this.asked.length || index === this.#at) return;
    this.task.flush();
    this.selection.clear();
    this.#at = index;
    this.#refresh("go");
    const { label } = this.scus.get(this.#question.uid);
    say(`Question ${index + 1}: summary ${this.#question.handle}. ${label}`);
  }

  // What is shown

  #refresh(why) {
    if (why === "newer") this.tell("Changed in another tab.");
    const { uid, handle } = this.#question;
    const summary = this.summaries.get(handle);
    if (this.#shownSummary !== handle) {
      this.#shownSummary = handle;
      this.selection.views = [];
      this.view = new TextView(new Text(summary.text), { name: "Summary", selection: this.selection, id: "summary" });
      show(this.place, this.view.element);
      this.length.textContent = lengthSentence(summary, this.task.material.limit);
    }
    const answer = this.task.state[this.#key()];
    const parts = answer?.parts ?? [];
    this.view.mark([{ parts, class: "now" }]);
    this.heading.textContent = `Summary ${handle} of ${this.summaries.size}`;
    this.#showScu(this.scus.get(uid));
    for (const { present, radio } of this.radios) Object.assign(radio, { checked: answer?.present === present, disabled: this.task.done });
    this.where.textContent = parts.length ? `Said by: “${this.view.text.quote(parts)}”` : "Optional: select the words that say it, then press Y.";
    const answered = this.asked.filter((question) => !this.#isOpen(question)).length;
    this.progress.value = answered;
    this.count.textContent = `${answered} of ${this.asked.length} questions`;
    this.buttons.forEach((button, index) => this.#showListed(button, index));
  }

  #showScu({ label, comment, wordings }) {
    show(
      this.scu,
      h("h2", {}, "Content"),
      h("p", { class: "label", dir: "auto" }, label),
      comment ? h("p", { class: "hint", dir: "auto" }, comment) : null,
      wordings.length ? h("ul", { "aria-label": "How reference summaries say it" }, wordings.map((wording) => h("li", { dir: "auto" }, wording))) : null,
    );
  }

  #showListed(button, index) {
    const state = STATES.get(this.#presence(this.asked[index]));
    button.className = { present: "answered", absent: "absent", unsure: "unsure", open: "" }[state];
    button.setAttribute("aria-label", `Question ${index + 1}, summary ${this.asked[index].handle}: ${state}`);
    if (index !== this.#at) return void button.removeAttribute("aria-current");
    button.setAttribute("aria-current", "true");
    if (button.offsetParent) this.list.scrollTop = button.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}

openPage((root, task) => new ContentPage(root, task));
