// The list of SCUs beside the models: weight, label and contributors of each; searched, ordered, and rearranged by dragging.

import { counted, fillField, h, show } from "../../static/js/dom.js";
import { contributorOf, keyOf, valueOf, weightOf } from "../../static/js/scus.js";

const ORDERS = [
  ["number", "by number"],
  ["weight", "by weight"],
  ["text", "by place in the texts"],
  ["label", "by label"],
];
const COLOURS = 8;
const NOWHERE = 1e12;

/** The class that gives a model its colour. */
export function colourOf(index) {
  return `model-${(index % COLOURS) + 1}`;
}

/** The number of a model in its colour; the number says which it is to whoever does not see the colour. */
export function modelMark(handle, index) {
  return h("b", { class: `model-mark ${colourOf(index)}` }, handle);
}

/**
 * `page` is a PyramidPage: task, models, scus, current, pick(uid), hover(uid), goTo(model, parts), moveContributor(uid,
 * index, target), askMove(uid, index), removeContributor(index), backToText().
 */
export class ScuList {
  #rows = new Map();
  #dragged = null;

  constructor(page) {
    this.page = page;
    this.count = h("span", { class: "soft" });
    this.search = h("input", { type: "search", "aria-label": "Search the SCUs", placeholder: "Search SCUs", oninput: () => this.refresh() });
    this.order = h("select", { "aria-label": "Order of the SCUs", onchange: () => this.refresh() }, ORDERS.map(([value, text]) => h("option", { value }, text)));
    this.withContributors = h("input", { type: "checkbox", checked: true, onchange: () => this.refresh() });
    this.list = h("ol", { class: "scus full" });
    this.newPlace = h("li", { class: "new-place" }, "Drop here for a new SCU");
    this.#dropOn(this.newPlace, () => null);
    const contributors = h("label", { class: "soft" }, this.withContributors, " Contributors ", h("kbd", {}, "Z"));
    this.element = h("section", { "aria-label": "SCUs" }, h("div", { class: "list-head" }, h("h2", {}, "SCUs ", this.count), this.search, this.order, contributors), this.list);
  }

  /** The next order of the list; its name. */
  nextOrder() {
    const next = (ORDERS.findIndex(([value]) => value === this.order.value) + 1) % ORDERS.length;
    [this.order.value] = ORDERS[next];
    this.refresh();
    return ORDERS[next][1];
  }

  toggleContributors() {
    this.withContributors.checked = !this.withContributors.checked;
    this.refresh();
  }

  /** The SCUs that the search finds, in labels and in the words of contributors, in the order that was chosen. */
  shown() {
    const { models, scus } = this.page;
    const searched = this.search.value.trim().toLowerCase();
    const place = ({ contributors }) => {
      const places = contributors.map(({ model, parts }) => models.findIndex(({ handle }) => handle === model) * 1e6 + (parts[0]?.[0] ?? 0));
      return Math.min(...places, NOWHERE);
    };
    const orders = {
      number: (a, b) => a.uid - b.uid,
      weight: (a, b) => weightOf(b) - weightOf(a) || a.uid - b.uid,
      text: (a, b) => place(a) - place(b) || a.uid - b.uid,
      label: (a, b) => a.label.localeCompare(b.label) || a.uid - b.uid,
    };
    const fits = (scu) => !searched || String(scu.uid) === searched || scu.label.toLowerCase().includes(searched) || this.#wordsOf(scu).includes(searched);
    return scus.filter(fits).sort(orders[this.order.value]);
  }

  #wordsOf({ contributors }) {
    return contributors.map(({ model, parts }) => this.page.texts.get(model).quote(parts)).join("\n").toLowerCase();
  }

  refresh() {
    const { models, scus } = this.page;
    const shown = this.shown();
    const uids = new Set(scus.map((scu) => scu.uid));
    for (const uid of this.#rows.keys()) if (!uids.has(uid)) this.#rows.delete(uid);
    const rows = [...shown.map((scu) => this.#row(scu).element), this.newPlace];
    const before = [...this.list.children];
    // A label that is being edited keeps its place, although the order may be another now.
    const isEditing = document.activeElement?.classList.contains("label") && this.list.contains(document.activeElement) && rows.length === before.length && rows.every((row) => before.includes(row));
    if (!isEditing && (rows.length !== before.length || rows.some((row, index) => row !== before[index]))) show(this.list, rows);
    const open = models.reduce((sum, { handle, text }) => sum + text.words.length - this.page.wordsCovered(handle).length, 0);
    this.count.textContent = `${shown.length < scus.length ? `${shown.length} of ${scus.length}` : scus.length}; ${counted(open, "word")} in no SCU`;
  }

  /** Put the caret into the label of an SCU. */
  editLabel(uid) {
    this.reveal(uid);
    const { label } = this.#rows.get(uid);
    label.focus();
    label.select();
  }

  /** Show an SCU, also if the search hides it. */
  reveal(uid) {
    if (!this.shown().some((scu) => scu.uid === uid)) {
      this.search.value = "";
      this.refresh();
    }
    this.#rows.get(uid)?.element.scrollIntoView({ block: "nearest" });
  }

  /** The row of the current SCU, if it is in sight, else the first row that is. */
  get rowInSight() {
    const box = this.list.getBoundingClientRect();
    const isInSight = (row) => row.getBoundingClientRect().bottom > box.top + 1 && row.getBoundingClientRect().top < box.bottom - 1;
    const current = this.#rows.get(this.page.current?.uid)?.element;
    if (current?.isConnected && isInSight(current)) return current;
    return [...this.list.children].find(isInSight) ?? null;
  }

  /** What the contributor with the focus is: {uid, index}, or null. */
  get focused() {
    const element = document.activeElement?.closest?.(".scu [data-index]");
    return element && this.list.contains(element) ? { uid: Number(element.closest(".scu").dataset.uid), index: Number(element.dataset.index) } : null;
  }

  #row(scu) {
    let row = this.#rows.get(scu.uid);
    if (!row) {
      row = this.#makeRow(scu.uid);
      this.#rows.set(scu.uid, row);
    }
    const { models, task, current } = this.page;
    const weight = weightOf(scu);
    row.element.classList.toggle("current", scu.uid === current?.uid);
    row.pick.setAttribute("aria-pressed", String(scu.uid === current?.uid));
    row.pick.setAttribute("aria-label", `SCU ${scu.uid}, weight ${weight}`);
    row.weight.textContent = `weight ${weight}`;
    show(row.dots, models.map(({ handle }, index) => h("i", { class: `dot ${colourOf(index)}${contributorOf(scu, handle) ? " on" : ""}` }, handle)));
    fillField(row.label, (task.shown(keyOf(scu.uid)) ?? scu).label);
    row.label.title = scu.label;
    row.label.disabled = task.done;
    this.#showContributors(row, scu);
    return row;
  }

  #makeRow(uid) {
    const { page } = this;
    const row = {
      pick: h("button", { type: "button", class: "pick", onclick: () => page.pick(uid) }, String(uid)),
      weight: h("span", { class: "weight" }),
      dots: h("span", { class: "dots", "aria-hidden": "true" }),
      label: h("input", { type: "text", class: "label", dir: "auto", maxlength: 2000, "aria-label": `Label of SCU ${uid}`, placeholder: "Label" }),
      contributors: h("ul", { class: "made-of", "aria-label": `Contributors of SCU ${uid}` }),
      shown: "",
    };
    row.label.addEventListener("input", () => {
      const now = page.scus.find((scu) => scu.uid === uid);
      if (now) page.task.type("label", keyOf(uid), { ...valueOf(now), label: row.label.value });
    });
    row.label.addEventListener("focus", () => page.pick(uid, { quiet: true }));
    row.label.addEventListener("blur", () => {
      page.task.flush();
      this.refresh(); // in its order again
    });
    row.label.addEventListener("keydown", (event) => {
      if (!["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      page.task.flush();
      page.backToText();
    });
    row.element = h("li", { class: "scu", "data-uid": uid }, row.pick, row.weight, row.dots, row.label, row.contributors);
    row.element.addEventListener("pointerenter", () => page.hover(uid));
    row.element.addEventListener("pointerleave", () => page.hover(null));
    this.#dropOn(row.element, () => uid);
    return row;
  }

  #showContributors(row, scu) {
    const { models, texts, current, task } = this.page;
    const isHidden = !this.withContributors.checked;
    const isCurrent = scu.uid === current?.uid;
    row.contributors.hidden = isHidden;
    const key = JSON.stringify([scu.contributors, isHidden, isCurrent, task.done]);
    if (row.shown === key) return;
    row.shown = key;
    const focused = this.focused;
    const items = scu.contributors.map(({ model, parts }, index) => {
      const colour = models.findIndex(({ handle }) => handle === model);
      const quote = parts.length ? texts.get(model).quote(parts) : "(no words marked)";
      const go = () => this.#goTo(scu.uid, model, parts);
      const onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go();
      };
      // No <button>: Firefox drags nothing that begins on one.
      const words = h(
        "span",
        { role: "button", class: "quote", "data-index": index, tabindex: isCurrent ? "0" : "-1", title: quote, "aria-label": `Model ${model}: ${quote}`, onclick: go, onkeydown },
        modelMark(model, Math.max(0, colour)),
        h("span", { dir: "auto" }, quote),
      );
      const canEdit = isCurrent && !task.done;
      const button = (text, label, run) => h("button", { type: "button", class: "small", "aria-label": label, onclick: run }, text);
      const tools = canEdit
        ? [button("Move", `Move the contributor from model ${model}`, () => this.page.askMove(scu.uid, index)), button("Remove", `Remove the contributor from model ${model}`, () => this.page.removeContributor(index))]
        : [];
      const item = h("li", { class: colourOf(Math.max(0, colour)), draggable: task.done ? null : "true" }, words, tools);
      item.addEventListener("dragstart", (event) => this.#drag(event, { uid: scu.uid, index, quote }));
      item.addEventListener("dragend", () => this.#endDrag());
      return item;
    });
    show(row.contributors, isHidden ? [] : items);
    if (focused?.uid === scu.uid) row.contributors.querySelector(`[data-index="${focused.index}"]`)?.focus();
  }

  #goTo(uid, model, parts) {
    this.page.pick(uid, { quiet: true });
    if (parts.length) this.page.goTo(model, parts);
  }

  #drag(event, { uid, index, quote }) {
    this.#dragged = { uid, index };
    event.dataTransfer.setData("text/plain", quote);
    event.dataTransfer.effectAllowed = "move";
    this.list.classList.add("dragging");
  }

  #endDrag() {
    this.#dragged = null;
    this.list.classList.remove("dragging");
    for (const element of this.list.querySelectorAll(".drop")) element.classList.remove("drop");
  }

  /** Let contributors be dropped on an element; `target()` is the SCU that they go to, null for a new one. */
  #dropOn(element, target) {
    const canDrop = () => this.#dragged !== null && this.#dragged.uid !== target();
    element.addEventListener("dragover", (event) => {
      if (!canDrop()) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      element.classList.add("drop");
    });
    element.addEventListener("dragleave", (event) => {
      if (!element.contains(event.relatedTarget)) element.classList.remove("drop");
    });
    element.addEventListener("drop", (event) => {
      if (!canDrop()) return;
      event.preventDefault();
      const { uid, index } = this.#dragged;
      this.#endDrag();
      this.page.moveContributor(uid, index, target());
    });
  }
}
