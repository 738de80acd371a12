// Sentences that resemble each other across models, lined up: one drag, or one button, makes an SCU of several of them.

import { h, show } from "../../static/js/dom.js";
import { alikeSentences } from "../../static/js/scus.js";
import { modelMark } from "./scu-list.js";

const STEP = 6; // pixels between the points of a drag that are looked at

/**
 * `page` is a PyramidPage: models, texts, showLines(lines or null), goTo(model, parts), fromSentences(sentences); a
 * sentence is {handle, span}.
 */
export class LineUp {
  #joined = null;
  #hasJoined = false;

  constructor(page) {
    this.page = page;
    this.element = h("div", { class: "line-up", hidden: true });
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    this.page.showLines(null);
    if (this.element.hidden) return;
    const alike = alikeSentences(this.page.models);
    const rows = [...alike.map(({ sentences }) => sentences), ...this.#others(alike)];
    show(
      this.element,
      h("h2", {}, "Similar sentences"),
      h("p", { class: "soft" }, "Each row lines up sentences that share words; the last rows have those without a like. Drag over sentences of several models to make an SCU of them, or make one of a whole row; then narrow it down to the words that say the same."),
      h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Similar sentences" }, this.#table(rows, alike.length)),
    );
    this.element.querySelector("button")?.focus();
  }

  /** Rows of the sentences that are like no other. */
  #others(alike) {
    const isLinedUp = (handle, [start]) => alike.some(({ sentences }) => sentences.some((line) => line.handle === handle && line.span[0] === start));
    const left = this.page.models.map(({ handle, sentences }) => sentences.filter((span) => !isLinedUp(handle, span)).map((span) => ({ handle, span })));
    const count = Math.max(0, ...left.map((lines) => lines.length));
    return Array.from({ length: count }, (_, index) => left.map((lines) => lines[index]).filter(Boolean));
  }

  #table(rows, alikeCount) {
    const { models } = this.page;
    const heads = models.map(({ handle }, index) => h("th", { scope: "col" }, modelMark(handle, index), ` Model ${handle}`));
    const body = rows.map((sentences, index) => {
      const cells = models.map(({ handle }) => this.#cell(sentences.find((line) => line.handle === handle)));
      const make = h("button", { type: "button", class: "small", onclick: () => this.page.fromSentences(sentences) }, "New SCU of this row");
      const row = h("tr", {}, cells, h("td", {}, index < alikeCount ? make : null));
      const lines = index < alikeCount ? sentences : null;
      for (const [name, shown] of [["pointerenter", lines], ["focusin", lines], ["pointerleave", null]]) row.addEventListener(name, () => this.#joined || this.page.showLines(shown));
      return row;
    });
    const table = h("table", {}, h("thead", {}, h("tr", {}, heads, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Action")))), h("tbody", {}, body));
    table.addEventListener("pointerdown", (event) => this.#begin(event));
    return table;
  }

  #cell(line) {
    if (!line) return h("td", {});
    const button = h("button", { type: "button", class: "sentence", dir: "auto" }, this.page.texts.get(line.handle).slice(...line.span));
    button.line = line;
    button.addEventListener("click", () => {
      if (this.#hasJoined) this.#hasJoined = false; // the click that ends a drag in one place
      else this.page.goTo(line.handle, [line.span]);
    });
    return h("td", {}, button);
  }

  /** A drag over sentences takes one of each model that it touches: the last. */
  #begin(event) {
    const first = event.target.closest(".sentence");
    if (!first || event.button !== 0) return;
    this.#hasJoined = false;
    this.#joined = new Map([[first.line.handle, first]]);
    let { clientX: x, clientY: y } = event;
    const move = (moved) => {
      const steps = Math.max(1, Math.ceil(Math.hypot(moved.clientX - x, moved.clientY - y) / STEP));
      for (let step = 1; step <= steps; step++) this.#touch(x + ((moved.clientX - x) * step) / steps, y + ((moved.clientY - y) * step) / steps);
      ({ clientX: x, clientY: y } = moved);
    };
    const end = (ended) => {
      for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.removeEventListener(name, act);
      if (ended.type === "pointerup") move(ended);
      this.#end(ended.type === "pointerup");
    };
    for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.addEventListener(name, act);
  }

  #touch(x, y) {
    const sentence = document.elementFromPoint(x, y)?.closest(".sentence");
    if (!sentence?.line || !this.element.contains(sentence)) return;
    this.#joined.set(sentence.line.handle, sentence);
    if (this.#joined.size < 2) return;
    for (const marked of this.element.querySelectorAll(".joined")) marked.classList.toggle("joined", [...this.#joined.values()].includes(marked));
    for (const joined of this.#joined.values()) joined.classList.add("joined");
  }

  #end(isDropped) {
    const lines = [...this.#joined.values()].map((sentence) => sentence.line);
    this.#joined = null;
    for (const marked of this.element.querySelectorAll(".joined")) marked.classList.remove("joined");
    if (!isDropped || lines.length < 2) return;
    this.#hasJoined = true;
    window.setTimeout(() => (this.#hasJoined = false)); // a click follows only where the drag ended on its first sentence
    const order = this.page.models.map(({ handle }) => handle);
    this.page.fromSentences(lines.sort((a, b) => order.indexOf(a.handle) - order.indexOf(b.handle)));
  }
}
