// The pyramid page: models side by side, the SCUs found in them, the pyramid as it grows.

import { ask, choose, pick } from "../../static/js/dialogs.js";
import { counted, fillField, h, say, show } from "../../static/js/dom.js";
import { drawPyramid } from "../../static/js/drawing.js";
import { frame } from "../../static/js/frame.js";
import { alikeSentences, contributorOf, keyOf, merged, nearDuplicates, newUid, partsOf, scusOf, valueOf, weightOf, withParts } from "../../static/js/scus.js";
import { Suggestions } from "../../static/js/suggestions.js";
import { same } from "../../static/js/task.js";
import { Selection, Text, TextView, trimmed, without } from "../../static/js/text.js";

const NAMES = {
  "new-scu": "new SCU",
  "new-scu-from-row": "new SCU from a row",
  "add-contributor": "contributor added",
  "add-part": "part added",
  "replace-parts": "words replaced",
  "remove-words": "words removed",
  "remove-contributor": "contributor removed",
  "remove-scu": "SCU removed",
};
const LABEL_FROM = 200;

export class PyramidPage {
  #current = null;
  #hovered = null;
  #lines = null;
  #order = "number";
  #search = "";
  #rows = new Map();
  #lastText = null;

  /** `panel(page)` adds something above the models: {element, tools, refresh(why), layers(handle)}. */
  constructor(root, task, { steps, panel = null } = {}) {
    this.task = task;
    this.models = task.material.models.map((model) => ({ ...model, text: new Text(model.text) }));
    this.texts = new Map(this.models.map((model) => [model.handle, model.text]));
    this.selection = new Selection();
    this.panel = panel?.(this) ?? null;
    this.suggestions = new Suggestions(this, {
      ask: () => this.#askedFor(),
      name: (item) => this.#suggested(item),
      take: (item) => this.#takeSuggestion(item),
    });
    root.classList.toggle("fitted", !panel); // a panel above the models needs more than one screen
    const { body, tell } = frame(root, task, {
      steps,
      names: NAMES,
      lacking: () => this.#lacking(),
      tools: [...(this.panel?.tools ?? []), ...this.#tools(), ...this.suggestions.tools],
    });
    this.tell = tell;
    this.#build(body);
    task.subscribe((_, why) => this.refresh(why));
  }

  #tools() {
    const model = this.models.map(({ handle }, index) => ({ key: String(index + 1), run: () => this.views.get(handle).focus() })).slice(0, 9);
    return [
      { key: "n", text: "New SCU", what: "New SCU from the selected words", run: () => this.#newScu() },
      { key: "a", text: "Add", what: "Add the selected words to the current SCU, as a contributor", run: () => this.#add() },
      { key: "p", text: "Part", what: "Add the selected words to the contributor of the same model, as a part", run: () => this.#addPart() },
      { key: "l", text: "Label", what: "Edit the label of the current SCU; Enter goes back to the text", run: () => this.#editLabel() },
      { key: "m", text: "Merge", what: "Merge the current SCU with another", run: () => this.#merge() },
      { key: "s", text: "Split", what: "Split the current SCU: the selected words, or some contributors, become a new one", run: () => this.#split() },
      { key: "delete", also: ["backspace"], shown: "Del", text: "Remove", what: "Remove the selected words from the current SCU; without a selection, remove the SCU", run: () => this.#remove() },
      { key: "c", what: "Select the clause at the cursor; again: the next one", run: () => this.#selectSpan("clauses", 1) },
      { key: "v", what: "Select the clause before", run: () => this.#selectSpan("clauses", -1) },
      { key: "e", what: "Select the sentence at the cursor; again: the next one", run: () => this.#selectSpan("sentences", 1) },
      { key: "y", text: "Most similar", what: "Select the most similar clause in the next model that does not contribute to the current SCU", run: () => this.#selectSimilar() },
      { key: "g", text: "Similar sentences", what: "Line up sentences that resemble each other across models", run: () => this.#toggleLines() },
      { key: "t", what: "Snap to words, or select single characters", run: () => this.#toggleSnap() },
      { key: "j", what: "Next SCU in the list", run: () => this.#step(1) },
      { key: "k", what: "Previous SCU in the list", run: () => this.#step(-1) },
      { key: "/", what: "Search the SCUs", run: () => this.search.focus() },
      { key: "escape", what: "Clear the selection", run: () => this.selection.clear() },
      ...model,
      { key: "1–9", what: "Go to the text of a model" },
      { key: "arrows", shown: "←↑→↓", what: "In a text: move by a word" },
      { key: "shift+arrows", shown: "Shift-←→", what: "In a text: select" },
      { key: "ctrl+arrows", shown: "Ctrl-←→", what: "In a text: move and keep what is selected, to add another part" },
      { key: "space", shown: "Space", what: "In a text: add the word to the selection, or take it away" },
      { key: "enter", what: "In a text: make the SCU of this word the current one" },
    ];
  }

  #build(body) {
    this.views = new Map();
    const columns = this.models.map(({ handle, text }) => {
      const view = new TextView(text, { name: `Model ${handle}`, selection: this.selection, onenter: ([start]) => this.#pickAt(handle, start), id: `model-${handle}` });
      view.handle = handle;
      view.element.addEventListener("focus", () => (this.#lastText = view));
      view.element.addEventListener("dblclick", (event) => {
        const unit = event.target.closest("[data-unit]")?.dataset.unit;
        if (unit !== undefined) this.#pickAt(handle, (this.selection.snap ? text.words : text.characters)[unit][0]);
      });
      this.views.set(handle, view);
      view.header = h("span", { class: "soft" });
      return h("section", { class: "column", "aria-label": `Model ${handle}` }, h("h2", {}, `Model ${handle} `, view.header), view.element);
    });
    this.snapBox = h("input", { type: "checkbox", checked: true, onchange: () => this.#setSnap(this.snapBox.checked) });
    this.lineUp = h("div", { class: "line-up", hidden: true });
    this.list = h("ol", { class: "scus" });
    this.search = h("input", { type: "search", "aria-label": "Search the SCUs", placeholder: "Search", oninput: () => { this.#search = this.search.value; this.#showList(); } });
    this.order = h(
      "select",
      { "aria-label": "Order of the SCUs", onchange: () => { this.#order = this.order.value; this.#showList(); } },
      [["number", "by number"], ["weight", "by weight"], ["text", "by place in the texts"], ["label", "by label"]].map(([value, text]) => h("option", { value }, text)),
    );
    this.count = h("span", { class: "soft" });
    this.detail = h("section", { class: "detail", "aria-label": "Current SCU" });
    this.drawing = h("div", { class: "drawn" });
    this.checks = h("ul", { class: "findings" });
    show(
      body,
      h("p", { class: "options" }, h("label", {}, this.snapBox, " Snap to words ", h("kbd", {}, "T"))),
      this.panel?.element,
      h("div", { class: "side-by-side", role: "group", "aria-label": "Models" }, columns),
      this.suggestions.element,
      this.lineUp,
      h(
        "div",
        { class: "lower" },
        h("section", { "aria-label": "SCUs" }, h("div", { class: "list-head" }, h("h2", {}, "SCUs ", this.count), this.search, this.order), this.list),
        h("div", {}, this.detail, h("section", { "aria-label": "Pyramid" }, h("h2", {}, "Pyramid"), this.drawing), h("section", { "aria-label": "Checks" }, h("h2", {}, "Checks"), this.checks)),
      ),
    );
  }

  // What is there

  get scus() {
    return scusOf(this.task.state);
  }

  get current() {
    return this.scus.find((scu) => scu.uid === this.#current) ?? null;
  }

  #lacking() {
    const { scus } = this;
    if (!scus.length) return "There is no SCU yet.";
    for (const [lacking, what] of [[scus.filter((scu) => !scu.label.trim()), "no label"], [scus.filter((scu) => !scu.contributors.length), "no contributor"]]) {
      if (lacking.length) return `${counted(lacking.length, "SCU")} ${lacking.length === 1 ? "has" : "have"} ${what} yet: ${lacking.map((scu) => scu.uid).join(", ")}.`;
    }
    return "";
  }

  refresh(why) {
    if (why === "undo" || why === "redo") this.#current = this.#touched() ?? this.#current;
    if (this.#current !== null && !this.current) this.#current = null;
    if (why === "newer") this.tell("Changed in another tab.");
    this.panel?.refresh(why);
    this.#showTexts();
    this.#showList();
    this.#showDetail();
    this.#showPyramid();
    this.#showChecks();
  }

  /** An SCU that the last event changed, and that is there. */
  #touched() {
    const keys = Object.keys(this.task.history.at(-1).changes);
    return this.scus.find((scu) => keys.includes(keyOf(scu.uid)))?.uid;
  }

  #showTexts() {
    const { scus } = this;
    for (const { handle, text } of this.models) {
      const view = this.views.get(handle);
      const layers = scus.map((scu) => ({ parts: partsOf(scu, handle), count: true, class: [scu.uid === this.#current ? "now" : "", scu.uid === this.#hovered ? "hot" : ""].join(" ").trim() }));
      const lines = (this.#lines ?? []).filter((line) => line.handle === handle).map((line) => ({ parts: [line.span], class: "line" }));
      view.mark([...(layers.length ? layers : [{ parts: [], count: true }]), ...lines, ...(this.panel?.layers(handle) ?? [])]);
      const covered = text.wordsIn(scus.flatMap((scu) => partsOf(scu, handle))).length;
      const share = text.words.length ? Math.round((100 * covered) / text.words.length) : 0;
      view.header.textContent = `${counted(text.words.length, "word")}, ${share} % covered`;
    }
  }

  #shown() {
    const wanted = this.#search.toLowerCase();
    const place = (scu) => Math.min(...scu.contributors.map(({ model, parts }) => this.models.findIndex(({ handle }) => handle === model) * 1e6 + (parts[0]?.[0] ?? 0)), 1e12);
    const orders = {
      number: (a, b) => a.uid - b.uid,
      weight: (a, b) => weightOf(b) - weightOf(a) || a.uid - b.uid,
      text: (a, b) => place(a) - place(b) || a.uid - b.uid,
      label: (a, b) => a.label.localeCompare(b.label) || a.uid - b.uid,
    };
    return this.scus.filter((scu) => !wanted || scu.label.toLowerCase().includes(wanted) || String(scu.uid) === wanted).sort(orders[this.#order]);
  }

  #showList() {
    const shown = this.#shown();
    const uids = new Set(this.scus.map((scu) => scu.uid));
    for (const uid of this.#rows.keys()) if (!uids.has(uid)) this.#rows.delete(uid);
    const rows = shown.map((scu) => this.#row(scu).element);
    const there = [...this.list.children];
    const editing = this.list.contains(document.activeElement) && rows.length === there.length && rows.every((row) => there.includes(row));
    if (!editing && (rows.length !== there.length || rows.some((row, index) => row !== there[index]))) show(this.list, rows);
    const total = this.scus.length;
    const open = this.models.reduce((sum, { handle, text }) => sum + text.words.length - text.wordsIn(this.scus.flatMap((scu) => partsOf(scu, handle))).length, 0);
    this.count.textContent = `${shown.length < total ? `${shown.length} of ${total}` : total}; ${counted(open, "word")} in no SCU`;
  }

  #row(scu) {
    let row = this.#rows.get(scu.uid);
    if (!row) {
      const { uid } = scu;
      row = {
        pick: h("button", { type: "button", class: "pick", onclick: () => this.pick(uid) }, String(uid)),
        weight: h("span", { class: "weight" }),
        dots: h("span", { class: "dots", "aria-hidden": "true" }),
        label: h("input", { type: "text", class: "label", dir: "auto", maxlength: 2000, "aria-label": `Label of SCU ${uid}`, placeholder: "Label" }),
      };
      row.label.addEventListener("input", () => {
        const now = this.scus.find((one) => one.uid === uid);
        if (now) this.task.type("label", keyOf(uid), { ...valueOf(now), label: row.label.value });
      });
      row.label.addEventListener("focus", () => this.pick(uid, { quiet: true }));
      row.label.addEventListener("blur", () => this.task.flush());
      row.label.addEventListener("keydown", (event) => {
        if (!["Enter", "Escape"].includes(event.key)) return;
        event.preventDefault();
        this.task.flush();
        (this.#lastText ?? this.views.values().next().value)?.focus();
      });
      row.element = h("li", { class: "scu", "data-uid": uid }, row.pick, row.weight, row.dots, row.label);
      row.element.addEventListener("pointerenter", () => this.#hover(uid));
      row.element.addEventListener("pointerleave", () => this.#hover(null));
      this.#rows.set(uid, row);
    }
    const weight = weightOf(scu);
    row.element.classList.toggle("current", scu.uid === this.#current);
    row.pick.setAttribute("aria-pressed", String(scu.uid === this.#current));
    row.pick.setAttribute("aria-label", `SCU ${scu.uid}, weight ${weight}`);
    row.weight.textContent = `weight ${weight}`;
    show(row.dots, this.models.map(({ handle }) => h("i", { class: contributorOf(scu, handle) ? "dot on" : "dot" }, handle)));
    fillField(row.label, (this.task.shown(keyOf(scu.uid)) ?? scu).label);
    row.label.title = scu.label;
    row.label.disabled = this.task.done;
    return row;
  }

  #showDetail() {
    const scu = this.current;
    if (this.detail.contains(document.activeElement) && Number(this.detail.dataset.uid) === scu?.uid && document.activeElement.tagName === "TEXTAREA") {
      fillField(document.activeElement, (this.task.shown(keyOf(scu.uid)) ?? scu).comment);
      return;
    }
    this.detail.dataset.uid = scu?.uid ?? "";
    if (!scu) {
      show(this.detail, h("h2", {}, "No current SCU"), h("p", { class: "soft" }, "Select words and press N, or choose an SCU in the list."));
      return;
    }
    const { uid } = scu;
    const comment = h("textarea", { rows: 2, dir: "auto", maxlength: 5000, value: (this.task.shown(keyOf(uid)) ?? scu).comment, disabled: this.task.done });
    comment.addEventListener("input", () => this.task.type("comment", keyOf(uid), { ...valueOf(this.current), comment: comment.value }));
    comment.addEventListener("blur", () => this.task.flush());
    show(
      this.detail,
      h("h2", {}, `SCU ${uid} `, h("span", { class: "soft" }, `weight ${weightOf(scu)} of ${this.models.length}`)),
      h(
        "ul",
        { class: "contributors" },
        scu.contributors.map((contributor) =>
          h(
            "li",
            {},
            h("b", {}, `Model ${contributor.model}: `),
            h("span", { dir: "auto" }, contributor.parts.length ? this.texts.get(contributor.model).quote(contributor.parts) : "(no words marked)"),
            " ",
            h("button", { type: "button", class: "small", disabled: this.task.done, "aria-label": `Remove the contributor from model ${contributor.model}`, onclick: () => this.#removeContributor(contributor.model) }, "Remove"),
          ),
        ),
      ),
      h("label", { class: "stacked" }, "Comment", comment),
    );
  }

  #showPyramid() {
    show(
      this.drawing,
      drawPyramid(this.scus, this.models.length, {
        look: (scu) => (scu.uid === this.#current ? "now" : ""),
        on: { over: (scu) => this.#hover(scu.uid), out: () => this.#hover(null), pick: (scu) => this.pick(scu.uid) },
      }),
    );
  }

  #showChecks() {
    const { scus } = this;
    const found = [];
    const go = (text, run) => h("li", {}, h("button", { type: "button", class: "plain", onclick: run }, text));
    for (const { handle, text } of this.models) {
      const used = scus.map((scu) => text.wordsIn(partsOf(scu, handle)));
      const times = new Map();
      for (const words of used) for (const [start] of words) times.set(start, (times.get(start) ?? 0) + 1);
      const open = text.words.filter(([start]) => !times.has(start));
      const twice = text.words.filter(([start]) => times.get(start) > 1);
      if (open.length) found.push(go(`Model ${handle}: ${counted(open.length, "word")} in no SCU, the first is “${text.slice(...open[0])}”`, () => this.#goTo(handle, open[0])));
      if (twice.length) found.push(go(`Model ${handle}: ${counted(twice.length, "word")} in several SCUs, the first is “${text.slice(...twice[0])}”`, () => this.#goTo(handle, twice[0])));
    }
    for (const scu of scus) {
      if (!scu.label.trim()) found.push(go(`SCU ${scu.uid} has no label`, () => { this.pick(scu.uid); this.#editLabel(); }));
      if (!scu.contributors.length) found.push(go(`SCU ${scu.uid} has no contributor`, () => this.pick(scu.uid)));
    }
    for (const [one, other] of nearDuplicates(scus)) found.push(go(`SCUs ${one.uid} and ${other.uid} have nearly the same label`, () => this.pick(one.uid)));
    show(this.checks, found.length ? found : h("li", { class: "soft" }, "Nothing to look at: every word is in one SCU, and every SCU has a label of its own."));
  }

  // What people do

  /** Select the clause or sentence at the cursor; if it is selected already, the next (or the one before). */
  #selectSpan(kind, step) {
    const view = this.#lastText ?? this.views.values().next().value;
    const { [kind]: spans, text } = this.models.find(({ handle }) => handle === view.handle);
    let index = spans.findIndex(([, end]) => end > view.place);
    if (index < 0) index = spans.length - 1;
    const isSelected = this.selection.view === view && this.selection.parts.length === 1 && same(this.selection.parts, trimmed([spans[index]], text));
    const next = isSelected ? Math.min(spans.length - 1, Math.max(0, index + step)) : index;
    this.#lastText = view;
    view.choose([spans[next]]);
  }

  /** Select what is most like the current SCU in the next model that has nothing of it; again: in the one after. */
  #selectSimilar() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const open = this.models.filter(({ handle }) => !contributorOf(scu, handle));
    if (!open.length) return void this.#no(`Every model contributes to SCU ${scu.uid} already.`);
    const at = this.models.findIndex(({ handle }) => handle === (this.selection.view ?? this.#lastText)?.handle);
    const after = open.find(({ handle }) => this.models.findIndex((model) => model.handle === handle) > at) ?? open[0];
    const words = new Set(scu.contributors.flatMap(({ model, parts }) => contentWords(this.texts.get(model).quote(parts))));
    contentWords(scu.label).forEach((word) => words.add(word));
    let best = null;
    for (const span of after.clauses) {
      const own = new Set(contentWords(after.text.quote([span])));
      const shared = [...own].filter((word) => words.has(word)).length;
      const likeness = shared / Math.sqrt(Math.max(1, own.size) * Math.max(1, words.size));
      if (!best || likeness > best.likeness) best = { span, likeness };
    }
    if (!best) return void this.#no(`Model ${after.handle} has no clause.`);
    this.views.get(after.handle).choose([best.span]);
    this.tell(best.likeness ? `Model ${after.handle}: press A to add these words to SCU ${scu.uid}, or select others.` : `Model ${after.handle} has no clause with the same words: look for it yourself, or press Y for the next model.`);
  }

  pick(uid, { quiet = false } = {}) {
    if (this.#current === uid) return;
    this.#current = uid;
    this.refresh("pick");
    const scu = this.current;
    if (scu && !quiet) {
      say(`SCU ${uid}, weight ${weightOf(scu)}: ${scu.label}`);
      this.#rows.get(uid)?.element.scrollIntoView({ block: "nearest" });
      for (const { model, parts } of scu.contributors) if (parts.length) this.views.get(model).scrollTo(parts[0][0]);
    }
  }

  #pickAt(handle, at) {
    const here = this.scus.filter((scu) => partsOf(scu, handle).some(([start, end]) => start <= at && at < end));
    if (!here.length) return this.tell("This word is in no SCU.");
    const index = here.findIndex((scu) => scu.uid === this.#current);
    return this.pick(here[(index + 1) % here.length].uid);
  }

  #step(by) {
    const shown = this.#shown();
    if (!shown.length) return;
    const index = shown.findIndex((scu) => scu.uid === this.#current);
    this.pick(shown[(index + (index < 0 && by < 0 ? 0 : by) + shown.length) % shown.length].uid);
  }

  #hover(uid) {
    if (this.#hovered === uid) return;
    this.#hovered = uid;
    this.#showTexts();
  }

  #goTo(handle, span) {
    const view = this.views.get(handle);
    this.selection.set(view, [span]);
    view.focus();
    view.scrollTo(span[0]);
  }

  /** What is selected, without blanks at the edges: {handle, text, parts}; null (and a message) if nothing is. */
  #chosen() {
    const { view } = this.selection;
    if (this.task.done) return this.#no(this.task.closedReason);
    if (!view) return this.#no("Select words in a model first: by mouse, or with Shift and the arrow keys.");
    return { handle: view.handle, text: view.text, parts: trimmed(this.selection.parts, view.text) };
  }

  #no(text) {
    this.tell(text, { warn: true });
    return null;
  }

  #chosenScu() {
    if (this.task.done) return this.#no(this.task.closedReason);
    return this.current ?? this.#no("There is no current SCU: choose one in the list, or make one with N.");
  }

  #newScu() {
    const chosen = this.#chosen();
    if (!chosen) return;
    const { handle, text, parts } = chosen;
    const uid = newUid(this.task.state);
    const label = text.quote(parts).slice(0, LABEL_FROM);
    this.#current = uid;
    this.task.change("new-scu", { [keyOf(uid)]: { label, comment: "", contributors: [{ model: handle, parts }] } });
    this.selection.clear();
    this.#rows.get(uid)?.element.scrollIntoView({ block: "nearest" });
    this.tell(`SCU ${uid} made. Press L to write its label.`);
  }

  async #add() {
    const chosen = this.#chosen();
    const scu = chosen && this.#chosenScu();
    if (!scu) return;
    const { handle, text, parts } = chosen;
    const before = contributorOf(scu, handle);
    if (!before) {
      this.#put("add-contributor", scu, handle, parts, text);
      return;
    }
    const answer = await ask(
      `Model ${handle} already contributes to SCU ${scu.uid}`,
      `Its words are “${text.quote(before.parts)}”. An SCU has at most one contributor from each model, so that its weight counts models. What you selected can become a part of this contributor, or take the place of its words.`,
      [["part", "Add as a part"], ["replace", "Take these words instead"]],
    );
    if (answer === "part") this.#put("add-part", scu, handle, [...partsOf(scu, handle), ...parts], text);
    if (answer === "replace") this.#put("replace-parts", scu, handle, parts, text);
  }

  #addPart() {
    const chosen = this.#chosen();
    const scu = chosen && this.#chosenScu();
    if (!scu) return;
    const { handle, text, parts } = chosen;
    if (!contributorOf(scu, handle)) this.#no(`Model ${handle} does not contribute to SCU ${scu.uid} yet: press A to add the words as its contributor.`);
    else this.#put("add-part", scu, handle, [...partsOf(scu, handle), ...parts], text);
  }

  #put(action, scu, handle, parts, text) {
    const now = this.scus.find((one) => one.uid === scu.uid);
    if (!now) return;
    const made = withParts(now, handle, parts, text);
    this.task.change(action, { [keyOf(scu.uid)]: made });
    this.selection.clear();
    this.tell(`SCU ${scu.uid}: ${NAMES[action].replace(/^SCU /, "")}, weight ${weightOf(made)}.`);
  }

  #editLabel() {
    const scu = this.#chosenScu();
    if (!scu) return;
    if (!this.#shown().some((one) => one.uid === scu.uid)) {
      this.search.value = this.#search = "";
      this.#showList();
    }
    const { label } = this.#rows.get(scu.uid);
    label.focus();
    label.select();
  }

  async #merge() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const others = this.scus.filter((one) => one.uid !== scu.uid);
    if (!others.length) return void this.#no("There is no other SCU.");
    const options = others.map((one) => [String(one.uid), `${one.uid} (weight ${weightOf(one)}): ${one.label}`]);
    const uid = await pick(`Merge SCU ${scu.uid} with`, `“${scu.label}” keeps its label. What both have of a model becomes one contributor.`, options, "Merge");
    const [one, other] = [this.scus.find(({ uid: id }) => id === scu.uid), this.scus.find(({ uid: id }) => String(id) === uid)];
    if (!one || !other) return;
    const made = merged(one, other, this.texts);
    this.task.change("merge", { [keyOf(one.uid)]: made, [keyOf(other.uid)]: null });
    this.tell(`SCU ${other.uid} is now part of SCU ${one.uid}, weight ${weightOf(made)}.`);
  }

  async #split() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const uid = newUid(this.task.state);
    const { view } = this.selection;
    const own = view ? partsOf(scu, view.handle) : [];
    const words = view ? overlap(own, trimmed(this.selection.parts, view.text)) : [];
    if (words.length) {
      const left = withParts(scu, view.handle, trimmed(without(own, words), view.text), view.text);
      const made = { label: view.text.quote(words).slice(0, LABEL_FROM), comment: "", contributors: [{ model: view.handle, parts: words }] };
      this.#divide(scu.uid, left, uid, made);
      return;
    }
    if (scu.contributors.length < 2) return void this.#no("Select the words that shall become a new SCU: this one has a single contributor.");
    const options = scu.contributors.map(({ model, parts }) => [model, `Model ${model}: ${this.texts.get(model).quote(parts)}`]);
    const answer = await choose(`Split SCU ${scu.uid}`, "Which contributors shall become a new SCU?", options, "Split");
    const now = this.scus.find((one) => one.uid === scu.uid);
    if (!answer?.length || !now) return;
    if (answer.length === options.length) return void this.#no("Leave at least one contributor where it is.");
    const goes = (contributor) => answer.includes(contributor.model);
    this.#divide(scu.uid, { ...valueOf(now), contributors: now.contributors.filter((one) => !goes(one)) }, uid, { label: now.label, comment: "", contributors: now.contributors.filter(goes) });
  }

  #divide(uid, left, newcomer, made) {
    this.#current = newcomer;
    this.task.change("split", { [keyOf(uid)]: left.contributors.length ? left : null, [keyOf(newcomer)]: made });
    this.selection.clear();
    this.tell(`SCU ${newcomer} was split off SCU ${uid}. Press L to write its label.`);
  }

  #remove() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const { view } = this.selection;
    if (!view) {
      this.task.change("remove-scu", { [keyOf(scu.uid)]: null });
      this.tell(`SCU ${scu.uid} removed. Ctrl-Z brings it back.`);
      return;
    }
    const own = partsOf(scu, view.handle);
    const left = trimmed(without(own, this.selection.parts), view.text);
    if (!overlap(own, this.selection.parts).length) return void this.#no(`The selected words are not in SCU ${scu.uid}. Press Esc to clear the selection; then Del removes the SCU.`);
    this.#put("remove-words", scu, view.handle, left, null);
  }

  #removeContributor(model) {
    const scu = this.#chosenScu();
    if (scu) this.task.change("remove-contributor", { [keyOf(scu.uid)]: { ...valueOf(scu), contributors: scu.contributors.filter((one) => one.model !== model) } });
  }

  #toggleSnap() {
    this.snapBox.checked = !this.snapBox.checked;
    this.#setSnap(this.snapBox.checked);
  }

  #setSnap(snap) {
    this.selection.setSnap(snap);
    this.#showTexts();
    this.tell(snap ? "Selections snap to words." : "Selections take single characters.");
  }

  // Suggestions

  #askedFor() {
    const { view } = this.selection;
    if (view) return { about: "span", model: view.handle, parts: trimmed(this.selection.parts, view.text) };
    return this.current ? { about: "scu", uid: this.current.uid } : { about: "models" };
  }

  #suggested(item) {
    if (item.uid !== undefined) return `SCU ${item.uid}: ${item.label}`;
    if (item.model !== undefined) return `Model ${item.model}: ${this.texts.get(item.model).quote(item.parts)}`;
    return `New SCU: ${item.contributors.map(({ model, parts }) => `Model ${model}: ${this.texts.get(model).quote(parts)}`).join(" · ")}`;
  }

  #takeSuggestion(item) {
    if (item.uid !== undefined) {
      this.pick(item.uid);
      this.tell(`SCU ${item.uid} is the current one: press A to add the selected words.`);
    } else if (item.model !== undefined) {
      this.#goTo(item.model, item.parts[0]);
      this.tell("The words are selected: change the selection as you like, then press A.");
    } else {
      const uid = newUid(this.task.state);
      this.#current = uid;
      this.task.change("suggested-scu", { [keyOf(uid)]: { label: item.label.slice(0, LABEL_FROM), comment: "", contributors: item.contributors } });
      this.tell(`SCU ${uid} was made of the suggestion. Check its words, then its label (L).`);
    }
  }

  // Sentences that resemble each other

  #toggleLines() {
    this.lineUp.hidden = !this.lineUp.hidden;
    this.#lines = null;
    if (this.lineUp.hidden) return this.#showTexts();
    const rows = alikeSentences(this.models);
    const cell = (line) => {
      if (!line) return h("td", {});
      const text = this.texts.get(line.handle).slice(...line.span);
      return h("td", {}, h("button", { type: "button", class: "sentence", dir: "auto", onclick: () => this.#goTo(line.handle, line.span) }, text));
    };
    const body = rows.map(({ sentences }) => {
      const row = h(
        "tr",
        {},
        this.models.map(({ handle }) => cell(sentences.find((line) => line.handle === handle))),
        h("td", {}, h("button", { type: "button", class: "small", onclick: () => this.#fromRow(sentences) }, "New SCU of this row")),
      );
      for (const [name, lines] of [["pointerenter", sentences], ["focusin", sentences], ["pointerleave", null]]) {
        row.addEventListener(name, () => {
          this.#lines = lines;
          this.#showTexts();
        });
      }
      return row;
    });
    show(
      this.lineUp,
      h("h2", {}, "Similar sentences"),
      h("p", { class: "soft" }, rows.length ? "Each row lines up sentences that share words. Choose one to select it, or make an SCU of a row and narrow it down to the words that say the same." : "No sentences share enough words."),
      rows.length ? h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Similar sentences" }, h("table", {}, h("thead", {}, h("tr", {}, this.models.map(({ handle }) => h("th", { scope: "col" }, `Model ${handle}`)), h("th", { scope: "col" }, h("span", { class: "unseen" }, "Action")))), h("tbody", {}, body))) : null,
    );
    this.lineUp.querySelector("button")?.focus();
    return undefined;
  }

  #fromRow(sentences) {
    if (this.task.done) return;
    const uid = newUid(this.task.state);
    const contributors = sentences.map(({ handle, span }) => ({ model: handle, parts: [span] }));
    const [first] = sentences;
    this.#current = uid;
    this.task.change("new-scu-from-row", { [keyOf(uid)]: { label: this.texts.get(first.handle).slice(...first.span).slice(0, LABEL_FROM), comment: "", contributors } });
    this.tell(`SCU ${uid} has these ${sentences.length} sentences. Narrow it down: select the words that say the same in a model, press A and take these words instead.`);
  }
}

function overlap(parts, others) {
  return parts.flatMap(([start, end]) => others.map(([from, to]) => [Math.max(start, from), Math.min(end, to)]).filter(([a, b]) => a < b));
}

/** The words of a text for comparing: without marks, case and the commonest short words. */
function contentWords(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3 || /\d/.test(word));
}
