// The coverage page: units of a model beside the sentences of a summary; how much of each unit do they express?

import { counted, h, say, show } from "../../static/js/dom.js";
import { frame } from "../../static/js/frame.js";
import { lengthSentence } from "../../static/js/reading.js";
import { openPage } from "../../static/js/task.js";
import { Text } from "../../static/js/text.js";
import { STEPS } from "./guide.js";

const NAMES = { cover: "share given", "mark-sentence": "sentence marked" };

class CoveragePage {
  #current = 1;

  constructor(root, task) {
    this.task = task;
    const { model, peer, percents } = task.material;
    this.percents = percents;
    const cut = ({ text }, spans) => spans.map((span) => new Text(text).slice(...span));
    this.units = cut(model, model.units);
    this.sentences = cut(peer, peer.sentences);
    const { body, tell } = frame(root, task, {
      steps: STEPS,
      names: NAMES,
      intro: "For each unit of the model: mark the sentences of the summary that express some of it, then say how much of it they express together.",
      lacking: () => this.#lacking(),
      tools: this.#tools(),
    });
    this.tell = tell;
    this.#build(body);
    task.subscribe((_, why) => this.#refresh(why));
  }

  #tools() {
    const letters = this.sentences.slice(0, 26).map((_, index) => ({ key: String.fromCharCode(97 + index), run: () => this.#toggle(index + 1) }));
    const digits = this.percents.map((percent, index) => ({ key: String(index), what: `${percent} % of the current unit; go to the next`, run: () => this.#give(percent) }));
    return [
      { key: "arrowdown", what: "Next unit", run: () => this.#step(1) },
      { key: "arrowup", what: "Previous unit", run: () => this.#step(-1) },
      { key: "a–z", what: "Mark the sentence with this letter, or take the mark away" },
      ...letters,
      ...digits,
    ];
  }

  #build(body) {
    this.unitRows = this.units.map((text, index) => {
      const number = index + 1;
      const name = `unit-${number}`;
      const radios = this.percents.map((percent) => {
        const input = h("input", { type: "radio", name, value: percent, onchange: () => this.#give(percent, number) });
        return { percent, input, label: h("label", {}, input, ` ${percent} %`) };
      });
      const pick = h("button", { type: "button", class: "pick", onclick: () => this.#pick(number) }, String(number));
      const marks = h("span", { class: "soft" });
      const element = h("li", { class: "unit" }, pick, h("div", {}, h("p", { dir: "auto", class: "unit-text", onclick: () => this.#pick(number) }, text), h("fieldset", { class: "percents" }, h("legend", { class: "unseen" }, `How much of unit ${number} is expressed`), radios.map(({ label }) => label), marks)));
      element.addEventListener("focusin", () => this.#pick(number, { quiet: true }));
      return { element, pick, radios, marks };
    });
    this.sentenceRows = this.sentences.map((text, index) => {
      const letter = index < 26 ? String.fromCharCode(65 + index) : "";
      return h("button", { type: "button", class: "sentence", onclick: () => this.#toggle(index + 1) }, letter ? h("kbd", {}, letter) : null, " ", h("span", { dir: "auto" }, text));
    });
    this.score = h("p", { class: "soft" });
    this.about = h("p", { class: "soft" });
    show(
      body,
      h(
        "div",
        { class: "lower even" },
        h("section", { "aria-label": "Units of the model" }, h("h2", {}, "Model"), h("ol", { class: "units" }, this.unitRows.map((row) => row.element))),
        h("section", { class: "beside", "aria-label": "Sentences of the summary" }, h("h2", {}, "Summary"), this.about, h("div", { class: "sentences" }, this.sentenceRows), this.task.material.limit ? h("p", { class: "hint" }, lengthSentence(this.task.material.peer, this.task.material.limit)) : null, this.task.settings.scores === false ? null : this.score),
      ),
    );
  }

  unit(number) {
    return this.task.state[`unit/${number}`] ?? { percent: null, sentences: [] };
  }

  #lacking() {
    const open = this.units.filter((_, index) => this.unit(index + 1).percent === null).length;
    return open ? `${counted(open, "unit")} ${open === 1 ? "has" : "have"} no share yet.` : "";
  }

  #refresh(why) {
    if (why === "newer") this.tell("Changed in another tab.");
    this.unitRows.forEach(({ element, pick, radios, marks }, index) => {
      const number = index + 1;
      const { percent, sentences } = this.unit(number);
      element.classList.toggle("current", number === this.#current);
      element.classList.toggle("decided", percent !== null);
      pick.setAttribute("aria-pressed", String(number === this.#current));
      pick.setAttribute("aria-label", `Unit ${number}${percent === null ? "" : `, ${percent} %`}`);
      for (const { percent: one, input } of radios) {
        input.checked = one === percent;
        input.disabled = this.task.done;
      }
      marks.textContent = sentences.length ? ` by ${sentences.map((number) => (number <= 26 ? String.fromCharCode(64 + number) : number)).join(", ")}` : "";
    });
    const marked = this.unit(this.#current).sentences;
    this.sentenceRows.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(marked.includes(index + 1)));
      button.disabled = this.task.done;
    });
    this.about.textContent = `Sentences that express some of unit ${this.#current}:`;
    const percents = this.units.map((_, index) => this.unit(index + 1).percent).filter((percent) => percent !== null);
    this.score.textContent = percents.length ? `Mean so far: ${(percents.reduce((a, b) => a + b, 0) / percents.length).toFixed(1)} % over ${percents.length} of ${counted(this.units.length, "unit")}` : "";
  }

  #pick(number, { quiet = false } = {}) {
    if (this.#current === number) return;
    this.#current = number;
    this.#refresh("pick");
    if (quiet) return;
    say(`Unit ${number}: ${this.units[number - 1]}`);
    this.unitRows[number - 1].element.scrollIntoView({ block: "nearest" });
  }

  #step(by) {
    this.#pick(Math.min(this.units.length, Math.max(1, this.#current + by)));
  }

  get #open() {
    if (this.task.done) this.tell(this.task.closedReason, { warn: true });
    return !this.task.done;
  }

  #toggle(sentence) {
    if (!this.#open) return;
    const { percent, sentences } = this.unit(this.#current);
    const marked = sentences.includes(sentence) ? sentences.filter((number) => number !== sentence) : [...sentences, sentence].sort((a, b) => a - b);
    const open = !marked.length && percent ? null : marked.length && percent === 0 ? null : percent;
    this.task.change("mark-sentence", { [`unit/${this.#current}`]: marked.length || open !== null ? { percent: open, sentences: marked } : null });
  }

  #give(percent, number = this.#current) {
    if (!this.#open) return;
    const { sentences } = this.unit(number);
    if (percent && !sentences.length) {
      this.tell("Mark the sentences that express some of this unit first.", { warn: true });
      this.#refresh("refused");
      return;
    }
    this.task.change("cover", { [`unit/${number}`]: { percent, sentences: percent ? sentences : [] } });
    if (number === this.#current && !this.unitRows[number - 1].element.contains(document.activeElement)) this.#step(1);
  }
}

openPage((root, task) => new CoveragePage(root, task));
