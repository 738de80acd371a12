// Preferences: two summaries side by side; A, B or tie, with a reason.

import { counted, fillField, h, say, show } from "../../static/js/dom.js";
import { frame } from "../../static/js/frame.js";
import { lengthSentence, paragraphs, requestBox } from "../../static/js/reading.js";
import { loadTask } from "../../static/js/task.js";
import { STEPS } from "./guide.js";

const CHOICES = [
  ["left", "A is better", "a"],
  ["tie", "Tie", "t"],
  ["right", "B is better", "b"],
];

export async function start(root) {
  new PreferencePage(root, await loadTask(root));
}

class PreferencePage {
  #at = 0;
  #shown = null;

  constructor(root, task) {
    this.task = task;
    this.pairs = task.material.pairs;
    const { body, tell } = frame(root, task, {
      steps: STEPS,
      tools: [
        ...CHOICES.map(([choice, text, key]) => ({ key, what: text, run: () => this.#choose(choice) })),
        { key: "p", text: "Previous", what: "Previous pair", run: () => this.#go(this.#at - 1) },
        { key: "n", text: "Next", what: "Next pair", run: () => this.#go(this.#at + 1) },
        { key: "c", what: "Give a reason; Esc leaves it", run: () => this.reason.focus() },
      ],
      lacking: () => {
        const open = this.#open();
        if (open.length) this.#go(open[0]);
        return open.length ? `${counted(open.length, "pair")} ${open.length === 1 ? "has" : "have"} no choice yet.` : "";
      },
    });
    this.tell = tell;
    this.#build(root, body);
    this.#go(Math.max(0, this.#open()[0] ?? 0), { focus: false });
    task.subscribe(() => this.#refresh());
  }

  #build(root, body) {
    this.heading = h("h2", { tabindex: "-1", class: "summary-heading" });
    this.sides = ["A", "B"].map((letter) => {
      const text = h("div", { class: "summary-text", dir: "auto", tabindex: "0", role: "region", "aria-label": `Summary ${letter}` });
      const length = h("p", { class: "hint" });
      return { text, length, element: h("section", {}, h("h3", {}, `Summary ${letter}`), text, length) };
    });
    this.radios = CHOICES.map(([choice, text, key]) => {
      const radio = h("input", { type: "radio", name: "choice", value: choice });
      radio.addEventListener("change", () => this.#set(choice));
      return { choice, radio, element: h("label", { class: "value" }, radio, h("b", {}, text), h("kbd", {}, key.toUpperCase())) };
    });
    this.reason = h("textarea", { id: "reason", rows: "2", maxlength: "5000", dir: "auto" });
    this.reason.addEventListener("input", () => this.task.type("reason", `reason/${this.#pair}`, this.reason.value || null));
    this.reason.addEventListener("blur", () => this.task.flush());
    this.reason.addEventListener("keydown", (event) => event.key === "Escape" && this.heading.focus());
    this.next = h("button", { type: "button", onclick: () => this.#go(this.#at + 1) }, "Next pair");
    show(
      body,
      requestBox(root, this.task.material.request),
      this.heading,
      h("div", { class: "pair-sides" }, this.sides.map((side) => side.element)),
      h("fieldset", { class: "question" }, h("legend", {}, "Which summary is better?"), h("div", { class: "values three" }, this.radios.map((one) => one.element))),
      h("label", { for: "reason" }, "Reason (optional)"),
      this.reason,
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.#go(this.#at - 1) }, "Previous pair"), this.next),
    );
  }

  get #pair() {
    return this.pairs[this.#at].pair;
  }

  #open() {
    return [...this.pairs.keys()].filter((index) => this.task.state[`choice/${this.pairs[index].pair}`] === undefined);
  }

  #set(choice) {
    if (!this.task.done) this.task.change("choice", { [`choice/${this.#pair}`]: choice });
  }

  /** By key: choose and go on. */
  #choose(choice) {
    if (this.task.done) return;
    this.#set(choice);
    say(CHOICES.find(([one]) => one === choice)[1]);
    if (this.#at + 1 < this.pairs.length) this.#go(this.#at + 1);
    else this.tell(this.#open().length ? "This was the last pair; some have no choice yet." : "This was the last pair. Hand in when you are content.");
  }

  #go(index, { focus = true } = {}) {
    if (index < 0 || index >= this.pairs.length) return;
    this.task.flush();
    this.#at = index;
    this.#refresh();
    if (focus) this.heading.focus();
  }

  #refresh() {
    const { state, done, material } = this.task;
    const shown = this.pairs[this.#at];
    if (this.#shown !== shown.pair) {
      this.#shown = shown.pair;
      ["left", "right"].forEach((place, index) => {
        show(this.sides[index].text, paragraphs(shown[place].text));
        this.sides[index].length.textContent = lengthSentence(shown[place], material.limit);
      });
    }
    fillField(this.reason, this.task.shown(`reason/${shown.pair}`) ?? "");
    this.heading.textContent = `Pair ${this.#at + 1} of ${this.pairs.length} (${this.pairs.length - this.#open().length} chosen)`;
    for (const { choice, radio } of this.radios) Object.assign(radio, { checked: state[`choice/${shown.pair}`] === choice, disabled: done });
    this.reason.disabled = done;
    this.next.disabled = this.#at + 1 >= this.pairs.length;
  }
}

const root = document.querySelector("#work");
if (root) start(root);
