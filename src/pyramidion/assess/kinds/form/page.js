// Forms: one summary after the other, with the questions of the pass beside it.

import { counted, fillField, h, say, show } from "../../static/js/dom.js";
import { frame } from "../../static/js/frame.js";
import { lengthSentence, paragraphs, requestBox } from "../../static/js/reading.js";
import { loadTask } from "../../static/js/task.js";
import { STEPS } from "./guide.js";

const NAMES = { answer: "answer", comment: "comment" };

export async function start(root) {
  new FormPage(root, await loadTask(root));
}

class FormPage {
  #at = 0; // the summary that is shown
  #question = 0; // the question that a digit answers
  #shown = null;

  constructor(root, task) {
    this.task = task;
    Object.assign(this, { questions: task.material.questions, summaries: task.material.summaries, feedback: task.material.feedback });
    const { body, tell } = frame(root, task, {
      steps: STEPS,
      names: NAMES,
      tools: this.#tools(),
      lacking: () => this.#lacking(),
    });
    this.tell = tell;
    this.#build(root, body);
    const first = this.summaries.findIndex((summary) => this.#missing(summary).length);
    this.#go(first < 0 ? 0 : first, { focus: false });
    task.subscribe(() => this.#refresh());
    this.#showPractice(body);
    this.#showGold();
  }

  /** In practice the server tells more once the work is handed in: the organiser's answers, or where the others' are. */
  #showPractice(body) {
    const { practice, done, material, queue } = this.task;
    if (material.norming) body.prepend(h("p", { class: "good" }, h("a", { href: material.norming }, "See the others' answers and how far you agree")));
    if (!practice || done) return;
    queue.watch(({ state }) => state === "saved" && this.task.done && window.location.reload());
  }

  /** Once it is handed in, the server tells the right answers that are known, if assessors may see them. */
  #showGold() {
    let asked = this.task.done;
    this.task.queue.watch(({ state }) => {
      if (!this.task.handedIn || this.task.practice) asked = false;
      else if (state === "saved" && !asked) {
        asked = true;
        this.task.readMaterial();
      }
    });
  }

  #tools() {
    const values = this.questions.flatMap((question) => question.values.map(({ value }) => value)).filter((value) => value >= 0 && value <= 10);
    const digits = [...new Set(values)].sort((a, b) => a - b);
    return [
      ...digits.map((value, index) => ({
        key: String(value % 10),
        shown: `${digits[0]} to ${digits.at(-1)}`,
        what: index ? undefined : "Answer the marked question and go on to the next",
        run: () => this.#press(value),
      })),
      { key: "p", text: "Previous", what: "Previous summary", run: () => this.#go(this.#at - 1) },
      { key: "n", text: "Next", what: "Next summary", run: () => this.#go(this.#at + 1) },
      { key: "u", text: "Next open", what: "Next summary with an open question", run: () => this.#goToOpen() },
      { key: "c", what: "Comment on this summary; Esc leaves it", run: () => this.comment.focus() },
    ];
  }

  #build(root, body) {
    this.heading = h("h2", { tabindex: "-1", class: "summary-heading" });
    this.text = h("div", { class: "summary-text", dir: "auto", tabindex: "0", role: "region", "aria-label": "Summary" });
    this.cut = h("p", { class: "hint" });
    this.fields = this.questions.map((question, index) => this.#field(question, index));
    this.comment = h("textarea", { id: "comment", rows: "2", maxlength: "5000", dir: "auto" });
    this.comment.addEventListener("input", () => this.task.type("comment", `comment/${this.#handle}`, this.comment.value || null));
    this.comment.addEventListener("blur", () => this.task.flush());
    this.comment.addEventListener("keydown", (event) => event.key === "Escape" && this.#focusQuestion());
    this.list = h(
      "ol",
      { class: "items" },
      this.summaries.map((summary, index) => h("li", {}, h("button", { type: "button", onclick: () => this.#go(index) }, summary.handle))),
    );
    this.progress = h("progress", { max: String(Math.max(1, this.summaries.length * this.questions.length)), "aria-label": "Answers given" });
    this.count = h("span", { class: "soft" });
    this.gold = h("div", { class: "gold", role: "status" });
    const step = (text, by) => h("button", { type: "button", onclick: () => this.#go(this.#at + by) }, text);
    show(
      body,
      h("div", { class: "form-progress" }, this.progress, " ", this.count),
      this.gold,
      h(
        "div",
        { class: "form-page" },
        h("section", { class: "reading", "aria-label": "The summary" }, requestBox(root, this.task.material.request), this.heading, this.text, this.cut),
        h(
          "section",
          { class: "asking", "aria-label": "The questions" },
          this.fields.map((field) => field.element),
          h("label", { for: "comment" }, "Comment (optional)"),
          this.comment,
          h("div", { class: "row" }, step("Previous summary", -1), step("Next summary", 1)),
        ),
      ),
      h("nav", { "aria-label": "Summaries" }, this.list),
    );
  }

  /** A question: its definition, the scale with labels, examples, and in practice what the organiser answered. */
  #field(question, index) {
    const radios = question.values.map(({ value, label }) => {
      const radio = h("input", { type: "radio", name: `q${index}`, value: String(value) });
      let pointed = false; // by mouse or finger: go on; arrow keys only choose
      radio.addEventListener("click", (event) => {
        pointed = event.detail > 0;
        if (pointed && this.task.state[this.#key(question)] === value) this.#advance(index); // chosen before: no change follows
      });
      radio.addEventListener("change", () => {
        this.#answer(index, value);
        if (pointed) this.#advance(index);
        pointed = false;
      });
      radio.addEventListener("focus", () => this.#mark(index));
      return { value, radio, element: h("label", { class: "value" }, radio, h("b", {}, String(value)), label ? h("span", {}, label) : null) };
    });
    const told = h("p", { class: "feedback" });
    const element = h(
      "fieldset",
      { class: "question" },
      h("legend", {}, name(question), question.required ? null : h("span", { class: "soft" }, " (optional)")),
      h("p", { class: "definition", id: `definition-${index}` }, question.text),
      h("div", { class: "values" }, radios.map((choice) => choice.element)),
      question.examples.length
        ? h("details", { class: "examples" }, h("summary", {}, "Examples"), h("ul", {}, question.examples.map((example) => h("li", {}, h("b", {}, `${example.value}: `), h("span", { dir: "auto" }, example.text)))))
        : null,
      told,
    );
    element.setAttribute("aria-describedby", `definition-${index}`);
    return { element, radios, told, question };
  }

  get #handle() {
    return this.summaries[this.#at].handle;
  }

  #key(question, handle = this.#handle) {
    return `answer/${handle}/${question.name}`;
  }

  /** The answer to a question, if it is on the scale: the organiser may have changed that since. */
  #value(question, handle = this.#handle) {
    const value = this.task.state[this.#key(question, handle)];
    return question.values.some((choice) => choice.value === value) ? value : undefined;
  }

  #missing(summary) {
    return this.questions.filter((question) => question.required && this.#value(question, summary.handle) === undefined);
  }

  #lacking() {
    const open = this.summaries.filter((summary) => this.#missing(summary).length);
    if (!open.length) return "";
    this.#goToOpen();
    const number = open.reduce((sum, summary) => sum + this.#missing(summary).length, 0);
    return `${counted(number, "question")} in ${counted(open.length, "summary", "summaries")} ${number === 1 ? "has" : "have"} no answer yet.`;
  }

  #press(value) {
    const { question } = this.fields[this.#question];
    if (this.task.done || !question.values.some((choice) => choice.value === value)) return;
    this.#answer(this.#question, value);
    this.#advance(this.#question);
  }

  #answer(index, value) {
    const { question } = this.fields[index];
    if (this.task.done) return;
    this.#mark(index);
    this.task.change("answer", { [this.#key(question)]: value });
    const label = question.values.find((choice) => choice.value === value)?.label;
    say(`${name(question)}: ${value}${label ? `, ${label}` : ""}`);
  }

  /** To the next question; after the last one, to the next summary. */
  #advance(index) {
    if (index + 1 < this.fields.length) {
      this.#mark(index + 1);
      this.#focusQuestion();
    } else if (this.#at + 1 < this.summaries.length) this.#go(this.#at + 1);
    else if (!this.#goToOpen()) this.tell("Every summary has been shown. Hand in when you are content with your answers.");
  }

  #mark(index) {
    this.#question = index;
    this.fields.forEach((field, place) => field.element.classList.toggle("current", place === index && !this.task.done));
  }

  #focusQuestion() {
    const { radios, element } = this.fields[this.#question];
    (radios.find((choice) => choice.radio.checked) ?? radios[0]).radio.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  #goToOpen() {
    const order = [...this.summaries.keys()].map((index) => (index + this.#at + 1) % this.summaries.length);
    const open = order.find((index) => this.#missing(this.summaries[index]).length);
    if (open === undefined) return false;
    if (open !== this.#at) this.#go(open);
    return true;
  }

  #go(index, { focus = true } = {}) {
    if (index < 0 || index >= this.summaries.length) return;
    this.task.flush();
    this.#at = index;
    this.#refresh();
    const open = this.questions.findIndex((question) => this.#value(question) === undefined);
    this.#mark(open < 0 ? 0 : open);
    if (!focus) return;
    this.heading.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }

  #refresh() {
    const { done } = this.task;
    const summary = this.summaries[this.#at];
    if (this.#shown !== summary.handle) {
      this.#shown = summary.handle;
      this.heading.textContent = `Summary ${this.#at + 1} of ${this.summaries.length}`;
      show(this.text, paragraphs(summary.text));
      this.cut.textContent = lengthSentence(summary, this.task.material.limit);
    }
    fillField(this.comment, this.task.shown(`comment/${summary.handle}`) ?? "");
    this.comment.disabled = done;
    this.fields.forEach(({ radios, told, question }) => {
      const value = this.#value(question);
      for (const choice of radios) Object.assign(choice.radio, { checked: choice.value === value, disabled: done });
      this.#tellFeedback(told, question, value);
    });
    [...this.list.children].forEach((item, index) => {
      const button = item.firstElementChild;
      const open = this.#missing(this.summaries[index]).length;
      button.classList.toggle("answered", !open);
      button.setAttribute("aria-label", `Summary ${index + 1}: ${open ? `${counted(open, "open question")}` : "answered"}`);
      if (index === this.#at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const answered = this.summaries.reduce((sum, { handle }) => sum + this.questions.filter((question) => this.#value(question, handle) !== undefined).length, 0);
    this.progress.value = answered;
    this.count.textContent = `${answered} of ${this.progress.max} answers`;
    show(this.gold, this.#goldSummary());
    if (!done) return;
    this.tell("");
    this.fields.forEach((field) => field.element.classList.remove("current"));
  }

  /** In practice, once it is handed in: what the organiser answered. */
  #tellFeedback(told, question, value) {
    const right = this.feedback?.[this.#handle]?.answers?.[question.name];
    if (right === undefined) return this.#tellGold(told, question, value);
    const agreed = right === value;
    const reason = this.feedback[this.#handle].comment;
    return show(told, h("b", {}, agreed ? `The organiser also chose ${right}.` : `The organiser chose ${right}; you chose ${value ?? "nothing"}.`), reason && question === this.questions.at(-1) ? ` ${reason}` : null);
  }

  /** Once it is handed in: the answers that the organiser knows to be right, if there are any and they may be seen. */
  #tellGold(told, question, value) {
    const right = this.#rightAnswers[this.#handle]?.[question.name];
    if (!right) return show(told);
    const range = right.low === right.high ? String(right.low) : `${right.low} to ${right.high}`;
    const sentence = isWithin(right, value) ? `Right: ${range}.` : `The right answer is ${range}; you chose ${value ?? "nothing"}.`;
    return show(told, h("b", {}, sentence), right.comment ? h("span", { dir: "auto" }, ` ${right.comment}`) : null);
  }

  /** By handle and question; nothing unless the work is handed in. */
  get #rightAnswers() {
    return (this.task.done && this.task.material.gold) || {};
  }

  /** How many answers were right of those that the organiser knows, and where they are. */
  #goldSummary() {
    const known = this.summaries.filter(({ handle }) => this.#rightAnswers[handle]);
    if (!known.length) return null;
    let total = 0;
    let right = 0;
    for (const { handle } of known)
      for (const [question, answer] of Object.entries(this.#rightAnswers[handle])) {
        total += 1;
        right += isWithin(answer, this.task.state[`answer/${handle}/${question}`]);
      }
    const steps = known.map((summary) => {
      const index = this.summaries.indexOf(summary);
      return h("button", { type: "button", onclick: () => this.#go(index) }, `Summary ${index + 1}`);
    });
    return h("p", { class: "good" }, `${counted(total, "right answer")} ${total === 1 ? "is" : "are"} known: you gave ${right} of ${total}. `, ...steps.flatMap((step) => [step, " "]));
  }
}

function isWithin({ low, high }, value) {
  return value >= low && value <= high;
}

function name(question) {
  const words = question.name.replaceAll(/(?<!^non)-/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const root = document.querySelector("#work");
if (root) start(root);
