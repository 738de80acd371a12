// The pyramid page: models side by side, the SCUs found in them, the pyramid as it grows.

import { ask, choose, isolated, pick } from "../../static/js/dialogs.js";
import { Finder } from "./finder.js";
import { LineUp } from "./line-up.js";
import { ScuList, colourOf, modelMark } from "./scu-list.js";
import { counted, fillField, h, say, show } from "../../static/js/dom.js";
import { drawPyramid } from "../../static/js/drawing.js";
import { frame } from "../../static/js/frame.js";
import { keepPlaces } from "../../static/js/places.js";
import { contributorOf, keyOf, merged, moved, nearDuplicates, newUid, partsOf, scusOf, valueOf, weightOf, withParts } from "../../static/js/scus.js";
import { Suggestions } from "../../static/js/suggestions.js";
import { Selection, Text, TextView, trimmed, without } from "../../static/js/text.js";
import { openWords, selectClauseOrSentence } from "../../static/js/units.js";

const NAMES = {
  "new-scu": "new SCU",
  "new-scu-from-row": "new SCU from a row",
  "add-contributor": "contributor added",
  "add-part": "part added",
  "replace-parts": "words replaced",
  "remove-words": "words removed",
  "remove-contributor": "contributor removed",
  "move-contributor": "contributor moved",
  "remove-scu": "SCU removed",
};
const LABEL_FROM = 200;

export class PyramidPage {
  #current = null;
  #hovered = null;
  #lines = null;
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
      { key: "r", what: "Move a contributor of the current SCU to another SCU or a new one: that of the model whose text you are in, or the one with the focus", run: () => this.#move() },
      { key: "c", what: "Select the clause at the cursor; again: the next one", run: () => this.#selectSpan("clauses", 1) },
      { key: "v", what: "Select the clause before", run: () => this.#selectSpan("clauses", -1) },
      { key: "e", what: "Select the sentence at the cursor; again: the next one", run: () => this.#selectSpan("sentences", 1) },
      { key: "u", text: "Next open", what: "Select the next words of a clause that are in no SCU yet", run: () => this.#selectOpen() },
      { key: "d", what: "Leave out the first word of the selection", run: () => this.selection.view?.moveStart(1) },
      { key: "i", what: "Include the word before the selection", run: () => this.selection.view?.moveStart(-1) },
      { key: "y", text: "Most similar", what: "Select the most similar clause in the next model that does not contribute to the current SCU", run: () => this.#selectSimilar() },
      { key: "g", text: "Similar sentences", what: "Line up sentences that resemble each other across models", run: () => this.lineUp.toggle() },
      { key: "f", what: "Find text in the models; Enter goes to the next place and selects it", run: () => this.finder.focus() },
      { key: "t", what: "Snap to words, or select single characters", run: () => this.#toggleSnap() },
      { key: "j", what: "Next SCU in the list", run: () => this.#step(1) },
      { key: "k", what: "Previous SCU in the list", run: () => this.#step(-1) },
      { key: "/", what: "Search the SCUs: their labels and words", run: () => this.list.search.focus() },
      { key: "o", what: "Order the SCUs in another way", run: () => this.tell(`The SCUs are listed ${this.list.nextOrder()}.`) },
      { key: "z", what: "Show or hide the contributors in the list", run: () => this.list.toggleContributors() },
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
    const columns = this.models.map(({ handle, text }, index) => {
      const view = new TextView(text, { name: `Model ${handle}`, selection: this.selection, onenter: ([start]) => this.#pickAt(handle, start), id: `model-${handle}` });
      view.handle = handle;
      view.element.addEventListener("focus", () => (this.#lastText = view));
      view.element.addEventListener("dblclick", (event) => {
        const unit = event.target.closest("[data-unit]")?.dataset.unit;
        if (unit !== undefined) this.#pickAt(handle, (this.selection.snap ? text.words : text.characters)[unit][0]);
      });
      this.views.set(handle, view);
      view.header = h("span", { class: "soft" });
      return h("section", { class: `column ${colourOf(index)}`, "aria-label": `Model ${handle}` }, h("h2", {}, modelMark(handle, index), ` Model ${handle} `, view.header), view.element);
    });
    this.snapBox = h("input", { type: "checkbox", checked: true, onchange: () => this.#setSnap(this.snapBox.checked) });
    this.lineUp = new LineUp(this);
    this.finder = new Finder(this);
    this.list = new ScuList(this);
    this.detail = h("section", { class: "detail", "aria-label": "Current SCU" });
    this.drawing = h("div", { class: "drawn" });
    this.checks = h("ul", { class: "findings" });
    show(
      body,
      h("div", { class: "options" }, h("label", {}, this.snapBox, " Snap to words ", h("kbd", {}, "T")), this.finder.element),
      this.panel?.element,
      h("div", { class: "side-by-side", role: "group", "aria-label": "Models" }, columns),
      this.suggestions.element,
      this.lineUp.element,
      h(
        "div",
        { class: "lower" },
        this.list.element,
        h("div", {}, this.detail, h("section", { "aria-label": "Pyramid" }, h("h2", {}, "Pyramid"), this.drawing), h("section", { "aria-label": "Checks" }, h("h2", {}, "Checks"), this.checks)),
      ),
    );
    keepPlaces([...this.views.values()], this.list);
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
    this.showTexts();
    this.list.refresh();
    this.#showDetail();
    this.#showPyramid();
    this.#showChecks();
  }

  /** An SCU that the last event changed, and that is there. */
  #touched() {
    const keys = Object.keys(this.task.history.at(-1).changes);
    return this.scus.find((scu) => keys.includes(keyOf(scu.uid)))?.uid;
  }

  showTexts() {
    const { scus } = this;
    for (const { handle, text } of this.models) {
      const view = this.views.get(handle);
      const layers = scus.map((scu) => ({ parts: partsOf(scu, handle), count: true, class: [scu.uid === this.#current ? "now" : "", scu.uid === this.#hovered ? "hot" : ""].join(" ").trim() }));
      const lines = (this.#lines ?? []).filter((line) => line.handle === handle).map((line) => ({ parts: [line.span], class: "line" }));
      const places = { parts: this.finder.placesIn(handle), class: "match" };
      view.mark([...(layers.length ? layers : [{ parts: [], count: true }]), ...lines, places, ...(this.panel?.layers(handle) ?? [])]);
      const covered = this.wordsCovered(handle).length;
      const share = text.words.length ? Math.round((100 * covered) / text.words.length) : 0;
      view.header.textContent = `${counted(text.words.length, "word")}, ${share} % covered`;
    }
  }

  /** The words of a model that some SCU has. */
  wordsCovered(handle) {
    return this.texts.get(handle).wordsIn(this.scus.flatMap((scu) => partsOf(scu, handle)));
  }

  /** A span of a model, widened to whole words if selections snap to them. */
  wholeWords(handle, span) {
    const words = this.texts.get(handle).wordsIn([span]);
    return this.selection.snap && words.length ? [words[0][0], words.at(-1)[1]] : span;
  }

  showLines(lines) {
    this.#lines = lines;
    this.showTexts();
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
    const comment = h("textarea", { rows: 1, dir: "auto", maxlength: 5000, value: (this.task.shown(keyOf(uid)) ?? scu).comment, disabled: this.task.done });
    comment.addEventListener("input", () => this.task.type("comment", keyOf(uid), { ...valueOf(this.current), comment: comment.value }));
    comment.addEventListener("blur", () => this.task.flush());
    show(
      this.detail,
      h("h2", {}, `SCU ${uid} `, h("span", { class: "soft" }, `weight ${weightOf(scu)} of ${this.models.length}`)),
      h("label", { class: "stacked" }, "Comment", comment),
    );
  }

  #showPyramid() {
    show(
      this.drawing,
      drawPyramid(this.scus, this.models.length, {
        look: (scu) => (scu.uid === this.#current ? "now" : ""),
        on: { over: (scu) => this.hover(scu.uid), out: () => this.hover(null), pick: (scu) => this.pick(scu.uid) },
      }),
    );
  }

  #showChecks() {
    const { scus } = this;
    const found = [];
    const go = (text, run) => h("li", {}, h("button", { type: "button", class: "plain", onclick: run }, text));
    const first = (text, span) => [", the first is “", h("span", { dir: "auto" }, text.slice(...span)), "”"];
    for (const { handle, text } of this.models) {
      const used = scus.map((scu) => text.wordsIn(partsOf(scu, handle)));
      const times = new Map();
      for (const words of used) for (const [start] of words) times.set(start, (times.get(start) ?? 0) + 1);
      const open = text.words.filter(([start]) => !times.has(start));
      const twice = text.words.filter(([start]) => times.get(start) > 1);
      if (open.length) found.push(go([`Model ${handle}: ${counted(open.length, "word")} in no SCU`, first(text, open[0])], () => this.goTo(handle, [open[0]])));
      if (twice.length) found.push(go([`Model ${handle}: ${counted(twice.length, "word")} in several SCUs`, first(text, twice[0])], () => this.goTo(handle, [twice[0]])));
    }
    for (const scu of scus) {
      if (!scu.label.trim()) found.push(go(`SCU ${scu.uid} has no label`, () => { this.pick(scu.uid); this.#editLabel(); }));
      if (!scu.contributors.length) found.push(go(`SCU ${scu.uid} has no contributor`, () => this.pick(scu.uid)));
    }
    for (const [one, other] of nearDuplicates(scus)) found.push(go(`SCUs ${one.uid} and ${other.uid} have nearly the same label`, () => this.pick(one.uid)));
    show(this.checks, found.length ? found : h("li", { class: "soft" }, "Nothing to look at: every word is in one SCU, and every SCU has a label of its own."));
  }

  // What people do

  #selectSpan(kind, step) {
    const view = this.#lastText ?? this.views.values().next().value;
    this.#lastText = view;
    selectClauseOrSentence(view, this.models.find(({ handle }) => handle === view.handle)[kind], step);
  }

  /** Select the next words of a clause that are in no SCU: after the cursor, then in the models that follow. */
  #selectOpen() {
    const first = Math.max(0, this.models.findIndex(({ handle }) => handle === this.#lastText?.handle));
    const order = [...this.models.slice(first), ...this.models.slice(0, first + 1)];
    for (const [turn, { handle, clauses }] of order.entries()) {
      const parts = this.scus.flatMap((scu) => partsOf(scu, handle));
      const span = openWords(this.views.get(handle), clauses, parts, { afterCursor: turn === 0 });
      if (span) return void this.goTo(handle, [span]);
    }
    this.tell("Every word is in an SCU.");
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
      this.list.reveal(uid);
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
    const shown = this.list.shown();
    if (!shown.length) return;
    const index = shown.findIndex((scu) => scu.uid === this.#current);
    this.pick(shown[(index + (index < 0 && by < 0 ? 0 : by) + shown.length) % shown.length].uid);
  }

  /** Mark what an SCU has in every model, while the pointer is on it. */
  hover(uid) {
    if (this.#hovered === uid) return;
    this.#hovered = uid;
    this.showTexts();
  }

  /** Select parts of a model, in sight. */
  goTo(handle, parts) {
    this.#lastText = this.views.get(handle);
    this.#lastText.choose(parts);
  }

  /** Go on in the text that had the focus last. */
  backToText() {
    (this.#lastText ?? this.views.values().next().value)?.focus();
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
    this.list.reveal(uid);
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
      `Its words are “${isolated(text.quote(before.parts))}”. An SCU has at most one contributor from each model, so that its weight counts models. What you selected can become a part of this contributor, or take the place of its words.`,
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
    this.list.editLabel(scu.uid);
  }

  async #merge() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const others = this.scus.filter((one) => one.uid !== scu.uid);
    if (!others.length) return void this.#no("There is no other SCU.");
    const options = others.map((one) => [String(one.uid), `${one.uid} (weight ${weightOf(one)}): ${isolated(one.label)}`]);
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
    const options = scu.contributors.map(({ model, parts }) => [model, `Model ${model}: ${isolated(this.texts.get(model).quote(parts))}`]);
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

  /** Take a contributor away from the current SCU. */
  removeContributor(index) {
    const scu = this.#chosenScu();
    if (scu) this.task.change("remove-contributor", { [keyOf(scu.uid)]: { ...valueOf(scu), contributors: scu.contributors.toSpliced(index, 1) } });
  }

  /** Move a contributor of the current SCU: the one with the focus, or that of the text that had it last. */
  #move() {
    const scu = this.#chosenScu();
    if (!scu) return;
    const { focused } = this.list;
    const handle = this.#lastText?.handle;
    const index = focused?.uid === scu.uid ? focused.index : scu.contributors.findIndex(({ model }) => model === handle);
    if (index < 0) {
      const models = scu.contributors.map(({ model }) => model).join(", ");
      return void this.#no(`SCU ${scu.uid} has nothing of the text that you are in. Go to a model that contributes (${models}) by its number, and press R again.`);
    }
    this.askMove(scu.uid, index);
  }

  /** Ask where a contributor goes. */
  async askMove(uid, index) {
    const scu = this.scus.find((candidate) => candidate.uid === uid);
    const { model, parts } = scu.contributors[index];
    const others = this.scus.filter((candidate) => candidate.uid !== uid).map((other) => [String(other.uid), `${other.uid} (weight ${weightOf(other)}): ${isolated(other.label)}`]);
    const options = [...others, ["new", "New SCU"]];
    const target = await pick(`Move the contributor of model ${model}`, `“${isolated(this.texts.get(model).quote(parts))}” leaves SCU ${uid} and goes to:`, options, "Move");
    if (target) this.moveContributor(uid, index, target === "new" ? null : Number(target));
  }

  /** Move a contributor to another SCU, or to a new one (null). */
  moveContributor(uid, index, target) {
    if (this.task.done) return void this.#no(this.task.closedReason);
    const from = this.scus.find((scu) => scu.uid === uid);
    const to = this.scus.find((scu) => scu.uid === target);
    const contributor = from?.contributors[index];
    if (!contributor || (target !== null && !to)) return;
    if (!to && from.contributors.length === 1) return void this.#no(`This is the only contributor of SCU ${uid}.`);
    const { model, parts } = contributor;
    const newcomer = { label: this.texts.get(model).quote(parts).slice(0, LABEL_FROM), comment: "", contributors: [contributor] };
    const goal = to?.uid ?? newUid(this.task.state);
    const left = { ...valueOf(from), contributors: from.contributors.toSpliced(index, 1) };
    this.#current = goal;
    this.task.change("move-contributor", { [keyOf(uid)]: left.contributors.length ? left : null, [keyOf(goal)]: to ? moved(to, contributor, this.texts.get(model)) : newcomer });
    this.list.reveal(goal);
    const gone = left.contributors.length ? "" : ` SCU ${uid} has no other contributor and is gone; Ctrl-Z brings it back.`;
    const joins = to && contributorOf(to, model) ? ` Its words join those that model ${model} has there.` : "";
    this.tell(`The contributor of model ${model} is in SCU ${goal} now.${joins}${gone}`);
  }

  #toggleSnap() {
    this.snapBox.checked = !this.snapBox.checked;
    this.#setSnap(this.snapBox.checked);
  }

  #setSnap(snap) {
    this.selection.setSnap(snap);
    this.showTexts();
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
      this.goTo(item.model, item.parts);
      this.tell("The words are selected: change the selection as you like, then press A.");
    } else {
      const uid = newUid(this.task.state);
      this.#current = uid;
      this.task.change("suggested-scu", { [keyOf(uid)]: { label: item.label.slice(0, LABEL_FROM), comment: "", contributors: item.contributors } });
      this.tell(`SCU ${uid} was made of the suggestion. Check its words, then its label (L).`);
    }
  }

  /** Make an SCU of sentences of several models: [{handle, span}]. */
  fromSentences(sentences) {
    if (this.task.done) return void this.#no(this.task.closedReason);
    const uid = newUid(this.task.state);
    const contributors = sentences.map(({ handle, span }) => ({ model: handle, parts: [span] }));
    const [first] = sentences;
    this.#current = uid;
    this.task.change("new-scu-from-row", { [keyOf(uid)]: { label: this.texts.get(first.handle).slice(...first.span).slice(0, LABEL_FROM), comment: "", contributors } });
    this.list.reveal(uid);
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
