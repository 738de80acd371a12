// The peer page: which SCUs of the pyramid a summary expresses; with words (full) or without (light).

import { ask } from "../../static/js/dialogs.js";
import { counted, h, say, show } from "../../static/js/dom.js";
import { drawPyramid } from "../../static/js/drawing.js";
import { frame } from "../../static/js/frame.js";
import { lengthSentence } from "../../static/js/reading.js";
import { pyramidScores } from "./scores.js";
import { keyOf, partsOf } from "../../static/js/scus.js";
import { Suggestions } from "../../static/js/suggestions.js";
import { Selection, Text, TextView, joined, trimmed, without } from "../../static/js/text.js";
import { openWords, selectClauseOrSentence } from "../../static/js/units.js";

const NAMES = {
  "mark-present": "SCU marked",
  "mark-absent": "SCU absent",
  "mark-unsure": "SCU unsure",
  "mark-repeat": "repeat marked",
  "add-part": "part added",
  "replace-parts": "words replaced",
  "remove-words": "words removed",
  "mark-unmatched": "words that match nothing marked",
};
const STATES = { true: "present", false: "absent", null: "unsure", undefined: "open" };

export class PeerPage {
  #current = null;
  #hovered = null;
  #search = "";
  #rows = new Map();

  /** `panel(page)` adds something above the summary: {element, tools, refresh(why), layers()}. */
  constructor(root, task, { steps, panel = null } = {}) {
    if (!task.material.scus.length) {
      show(root, h("h1", {}, task.title), h("p", {}, "There is no pyramid of this topic yet: it is made first. Come back when it is there."));
      return;
    }
    this.task = task;
    this.scus = task.material.scus;
    this.light = task.material.light;
    this.text = new Text(task.material.peer.text);
    this.selection = new Selection();
    this.panel = panel?.(this) ?? null;
    this.suggestions = new Suggestions(this, {
      ask: () => this.#askedFor(),
      name: (item) => (item.uid === undefined ? this.text.quote(item.parts) : `SCU ${item.uid}: ${item.label}`),
      take: (item) => this.#takeSuggestion(item),
    });
    const { body, tell } = frame(root, task, {
      title: this.light ? `${task.title} (light)` : task.title,
      steps,
      names: NAMES,
      lacking: () => this.#lacking(),
      tools: [...(this.panel?.tools ?? []), ...this.#tools(), ...this.suggestions.tools],
    });
    this.tell = tell;
    this.#current = this.scus[0].uid;
    this.#build(body);
    task.subscribe((_, why) => this.refresh(why));
  }

  #tools() {
    const steps = [
      { key: "j", also: ["arrowdown"], what: "Next SCU", run: () => this.#step(1) },
      { key: "k", also: ["arrowup"], what: "Previous SCU", run: () => this.#step(-1) },
      { key: "/", what: "Search the SCUs", run: () => this.search.focus() },
      { key: "o", text: "Models", what: "Show or hide the models that the SCUs come from", run: () => this.#toggleModels() },
    ];
    if (this.light) {
      return [
        { key: "y", text: "Present", what: "The summary says what the current SCU says; go to the next", run: () => this.#decide(true) },
        { key: "n", text: "Absent", what: "It does not; go to the next", run: () => this.#decide(false) },
        { key: "u", text: "Unsure", what: "Decide later; go to the next", run: () => this.#decide(null) },
        { key: "delete", also: ["backspace"], shown: "Del", what: "Take the decision back", run: () => this.#clear() },
        ...steps,
      ];
    }
    const unmatched = this.task.material.non_matching
      ? [{ key: "u", text: "Matches no SCU", what: "The selected words match no SCU: a content unit of the rest", run: () => this.#unmatched() }]
      : [];
    return [
      { key: "a", text: "Expresses it", what: "The selected words express the current SCU", run: () => this.#mark() },
      { key: "r", text: "Repeat", what: "The selected words express the current SCU once more", run: () => this.#repeat() },
      { key: "p", text: "Part", what: "Add the selected words to the last mention of the current SCU, as a part", run: () => this.#part() },
      ...unmatched,
      { key: "delete", also: ["backspace"], shown: "Del", text: "Remove", what: "Remove the selected words from the current SCU and from the rest; without a selection, remove the SCU's marks", run: () => this.#remove() },
      ...steps,
      { key: "1", what: "Go to the text of the summary", run: () => this.view.focus() },
      { key: "c", what: "Select the clause at the cursor; again: the next one", run: () => this.#selectSpan("clauses", 1) },
      { key: "v", what: "Select the clause before", run: () => this.#selectSpan("clauses", -1) },
      { key: "e", what: "Select the sentence at the cursor; again: the next one", run: () => this.#selectSpan("sentences", 1) },
      { key: "g", text: "Next open", what: "Select the next words of a clause that are not marked yet", run: () => this.#selectOpen() },
      { key: "d", what: "Leave out the first word of the selection", run: () => this.view.moveStart(1) },
      { key: "i", what: "Include the word before the selection", run: () => this.view.moveStart(-1) },
      { key: "t", what: "Snap to words, or select single characters", run: () => this.#toggleSnap() },
      { key: "escape", what: "Clear the selection", run: () => this.selection.clear() },
      { key: "arrows", shown: "←↑→↓", what: "In the text: move by a word" },
      { key: "shift+arrows", shown: "Shift-←→", what: "In the text: select, or move the end of the selection" },
      { key: "ctrl+arrows", shown: "Ctrl-←→", what: "In the text: move and keep what is selected, to add another part" },
      { key: "enter", what: "In the text: make the SCU of this word the current one" },
    ];
  }

  #build(body) {
    const { order, models } = this.task.material;
    this.view = new TextView(this.text, { name: "Summary", selection: this.light ? null : this.selection, onenter: ([start]) => this.#pickAt(start), id: "summary" });
    this.view.element.addEventListener("dblclick", (event) => {
      const unit = event.target.closest("[data-unit]")?.dataset.unit;
      if (unit !== undefined && !this.light) this.#pickAt((this.selection.snap ? this.text.words : this.text.characters)[unit][0]);
    });
    this.header = h("span", { class: "soft" });
    this.list = h("div", { class: "tiers" });
    this.search = h("input", { type: "search", "aria-label": "Search the SCUs", placeholder: "Search", oninput: () => { this.#search = this.search.value; this.#showList(); } });
    this.figures = h("dl", { class: "figures" });
    this.drawing = h("div", { class: "drawn" });
    this.detail = h("section", { class: "detail", "aria-label": "Current SCU" });
    this.missing = h("ul", { class: "findings" });
    this.rest = h("ul", { class: "contributors" });
    this.snapBox = h("input", { type: "checkbox", checked: true, onchange: () => this.#setSnap(this.snapBox.checked) });
    this.modelViews = models.map(({ handle, text }) => ({ handle, view: new TextView(text, { name: `Model ${handle}`, id: `model-${handle}` }) }));
    this.models = h("div", { class: "side-by-side", hidden: true, role: "group", "aria-label": "Models" }, this.modelViews.map(({ handle, view }) => h("section", { class: "column" }, h("h2", {}, `Model ${handle}`), view.element)));
    const tiers = [];
    for (const scu of this.scus) {
      if (tiers.at(-1)?.weight !== scu.weight) tiers.push({ weight: scu.weight, list: h("ol", { class: "scus" }) });
      tiers.at(-1).scus = [...(tiers.at(-1).scus ?? []), scu];
    }
    this.tiers = tiers;
    show(this.list, tiers.map((tier) => h("section", { "aria-label": `Weight ${tier.weight}` }, (tier.head = h("h3", {})), tier.list)));
    show(
      body,
      this.panel?.element,
      this.light ? null : h("p", { class: "options" }, h("label", {}, this.snapBox, " Snap to words ", h("kbd", {}, "T"))),
      h(
        "div",
        { class: "lower peer" },
        h("div", {}, h("section", { class: "column", "aria-label": "Summary" }, h("h2", {}, "Summary ", this.header), this.view.element, this.task.material.limit ? h("p", { class: "hint" }, lengthSentence(this.task.material.peer, this.task.material.limit)) : null), this.suggestions.element, this.detail, this.task.material.non_matching ? h("section", { class: "later", "aria-label": "Words that match no SCU" }, h("h2", {}, "Matches no SCU"), this.rest) : null, h("section", { class: "later", "aria-label": "Scores and pyramid" }, this.task.settings.scores === false ? null : [h("h2", {}, "Scores so far"), this.figures], h("h2", {}, "Pyramid ", h("span", { class: "soft" }, `${counted(order, "model")}`)), this.drawing), h("section", { class: "later", "aria-label": "Missing from the top" }, h("h2", {}, "Missing from the top tiers"), this.missing)),
        h("section", { "aria-label": "SCUs" }, h("div", { class: "list-head" }, h("h2", {}, "SCUs by weight"), this.search), this.list),
      ),
      this.models,
    );
  }

  // What is there

  decision(uid) {
    return this.task.state[keyOf(uid)];
  }

  get current() {
    return this.scus.find((scu) => scu.uid === this.#current);
  }

  get #rest() {
    return this.task.state.unmatched ?? [];
  }

  #lacking() {
    const unsure = this.scus.filter((scu) => this.decision(scu.uid)?.present === null);
    const open = this.light ? this.scus.filter((scu) => !this.decision(scu.uid)) : [];
    for (const [lacking, what] of [[unsure, "unsure"], [open, "not decided"]]) {
      if (lacking.length) return `${counted(lacking.length, "SCU")} ${lacking.length === 1 ? "is" : "are"} still ${what}: ${lacking.slice(0, 10).map((scu) => scu.uid).join(", ")}.`;
    }
    return "";
  }

  refresh(why) {
    if (why === "newer") this.tell("Changed in another tab.");
    this.panel?.refresh(why);
    this.#showText();
    this.#showList();
    this.#showDetail();
    this.#showScores();
  }

  #showText() {
    const layers = this.scus.flatMap(({ uid }) =>
      (this.decision(uid)?.contributors ?? []).map((parts) => ({ parts, count: true, class: [uid === this.#current ? "now" : "", uid === this.#hovered ? "hot" : ""].join(" ").trim() })),
    );
    const rest = this.#rest.map((parts) => ({ parts, count: true, class: "unmatched" }));
    this.view.mark(this.light ? [] : [{ parts: [], count: true }, ...layers, ...rest, ...(this.panel?.layers() ?? [])]);
    const covered = this.text.wordsIn([...layers, ...rest].flatMap((layer) => layer.parts)).length;
    const share = this.text.words.length ? Math.round((100 * covered) / this.text.words.length) : 0;
    this.header.textContent = counted(this.text.words.length, "word") + (this.light ? "" : `, ${share} % marked`);
    for (const { handle, view } of this.modelViews) view.mark(this.current ? [{ parts: partsOf(this.current, handle), class: "now" }] : []);
  }

  #shown() {
    const search = this.#search.toLowerCase();
    return this.scus.filter((scu) => !search || scu.label.toLowerCase().includes(search) || String(scu.uid) === search);
  }

  #showList() {
    const shown = new Set(this.#shown());
    for (const tier of this.tiers) {
      const has = tier.scus.filter((scu) => this.decision(scu.uid)?.present).length;
      tier.head.textContent = `Weight ${tier.weight}: ${has} of ${tier.scus.length}`;
      const rows = tier.scus.filter((scu) => shown.has(scu)).map((scu) => this.#row(scu));
      tier.list.parentElement.hidden = !rows.length;
      if (rows.length !== tier.list.children.length || rows.some((row, index) => row !== tier.list.children[index])) show(tier.list, rows);
    }
  }

  #row(scu) {
    let row = this.#rows.get(scu.uid);
    if (!row) {
      row = { said: h("span", { class: "said" }), label: h("span", { class: "label", dir: "auto" }, scu.label) };
      row.pick = h("button", { type: "button", class: "pick", onclick: () => this.pick(scu.uid) }, String(scu.uid));
      row.element = h("li", { class: "scu", "data-uid": scu.uid, onclick: () => this.pick(scu.uid) }, row.pick, row.said, row.label);
      row.element.addEventListener("pointerenter", () => this.#hover(scu.uid));
      row.element.addEventListener("pointerleave", () => this.#hover(null));
      this.#rows.set(scu.uid, row);
    }
    const decision = this.decision(scu.uid);
    const state = STATES[decision?.present];
    const times = decision?.contributors.length ?? 0;
    row.element.className = `scu ${state}${scu.uid === this.#current ? " current" : ""}`;
    row.pick.setAttribute("aria-pressed", String(scu.uid === this.#current));
    row.said.textContent = { present: times > 1 ? `✓ ×${times}` : "✓ present", absent: "– absent", unsure: "? unsure", open: this.light ? "open" : "" }[state];
    row.pick.setAttribute("aria-label", `SCU ${scu.uid}, weight ${scu.weight}, ${state === "open" && !this.light ? "not marked" : state}: ${scu.label}`);
    return row.element;
  }

  #showDetail() {
    const scu = this.current;
    const { contributors = [] } = this.decision(scu.uid) ?? {};
    show(
      this.detail,
      h("h2", {}, `SCU ${scu.uid} `, h("span", { class: "soft" }, `weight ${scu.weight}`)),
      h("p", { dir: "auto" }, scu.label),
      contributors.length
        ? h("ul", { class: "contributors" }, contributors.map((parts, index) => h("li", {}, h("b", {}, index ? "Repeat: " : "Expressed by: "), h("span", { dir: "auto" }, this.text.quote(parts)), " ", h("button", { type: "button", class: "small", disabled: this.task.done, "aria-label": `Remove ${index ? "the repeat" : "the words"}: ${this.text.quote(parts)}`, onclick: () => this.#drop(index) }, "Remove"))))
        : null,
    );
    show(this.rest, this.#rest.length ? this.#rest.map((parts, index) => h("li", {}, h("span", { dir: "auto" }, this.text.quote(parts)), " ", h("button", { type: "button", class: "small", disabled: this.task.done, "aria-label": `Remove: ${this.text.quote(parts)}`, onclick: () => this.#dropRest(index) }, "Remove"))) : h("li", { class: "soft" }, "Nothing marked yet."));
  }

  #showScores() {
    const { model_size: modelSize, non_matching: marks, order } = this.task.material;
    const scores = pyramidScores(this.scus, (uid) => this.decision(uid), marks ? this.#rest.length : null, modelSize);
    const number = (value, digits) => (value === null ? "–" : value.toFixed(digits).replace(/^(\d+)\.0+$/, digits > 2 ? "$&" : "$1"));
    const rows = [
      ["D", "summed weight of the SCUs expressed", number(scores.D, 1)],
      ["X", marks ? "content units of the summary" : "unknown: what matches no SCU is not marked", number(scores.X, 0)],
      ["P", "original score, D / Max(X)", number(scores.P, 4)],
      ["P′", `modified score, D / Max(X′), X′ = ${modelSize}`, number(scores.modified, 4)],
    ];
    show(this.figures, rows.map(([name, what, value]) => h("div", {}, h("dt", {}, h("b", {}, name), h("span", { class: "soft" }, ` ${what}`)), h("dd", { "data-score": name }, value))));
    show(
      this.drawing,
      drawPyramid(this.scus, order, {
        look: ({ uid }) => (uid === this.#current ? "framed " : "") + ({ true: "here", null: "unsure" }[this.decision(uid)?.present] ?? ""),
        on: { over: ({ uid }) => this.#hover(uid), out: () => this.#hover(null), pick: ({ uid }) => this.pick(uid) },
      }),
    );
    const missing = this.scus.filter((scu) => scu.weight > order / 2 && !this.decision(scu.uid)?.present);
    show(this.missing, missing.length ? missing.map((scu) => h("li", {}, h("button", { type: "button", class: "plain", onclick: () => this.pick(scu.uid) }, `${scu.uid} (weight ${scu.weight}): `, h("span", { dir: "auto" }, scu.label)))) : h("li", { class: "soft" }, "Nothing: all SCUs that more than half of the models have are expressed."));
  }

  // What people do

  pick(uid) {
    if (this.#current === uid) return;
    this.#current = uid;
    this.refresh("pick");
    const { weight, label } = this.current;
    const state = STATES[this.decision(uid)?.present];
    say(`SCU ${uid}, weight ${weight}${state === "open" ? "" : `, ${state}`}: ${label}`);
    this.#rows.get(uid)?.element.scrollIntoView({ block: "nearest" });
    const first = this.decision(uid)?.contributors[0]?.[0]?.[0];
    if (first !== undefined) this.view.scrollTo(first);
  }

  #pickAt(at) {
    const here = this.scus.filter(({ uid }) => (this.decision(uid)?.contributors ?? []).flat().some(([start, end]) => start <= at && at < end));
    if (!here.length) return this.tell("This word expresses no SCU so far.");
    const index = here.findIndex((scu) => scu.uid === this.#current);
    return this.pick(here[(index + 1) % here.length].uid);
  }

  #step(by) {
    const shown = this.#shown();
    const index = shown.findIndex((scu) => scu.uid === this.#current);
    const next = shown[Math.min(shown.length - 1, Math.max(0, index + by))];
    if (next) this.pick(next.uid);
  }

  #hover(uid) {
    if (this.#hovered === uid) return;
    this.#hovered = uid;
    this.#showText();
  }

  #no(text) {
    this.tell(text, { warn: true });
    return null;
  }

  get #open() {
    if (this.task.done) this.#no(this.task.closedReason);
    return !this.task.done;
  }

  #chosen() {
    if (!this.#open) return null;
    if (!this.selection.view) return this.#no("Select words of the summary first: by mouse, or press C for a clause, E for a sentence, or 1 and then Shift and the arrow keys.");
    return joined(trimmed(this.selection.parts, this.text), this.text);
  }

  #selectSpan(kind, step) {
    selectClauseOrSentence(this.view, this.task.material.peer[kind] ?? [], step);
  }

  #selectOpen() {
    const marked = this.scus.flatMap(({ uid }) => this.decision(uid)?.contributors ?? []);
    const parts = [...marked, ...this.#rest].flat();
    const { clauses = [] } = this.task.material.peer;
    const span = openWords(this.view, clauses, parts, { afterCursor: true }) ?? openWords(this.view, clauses, parts);
    if (span) this.view.choose([span]);
    else this.tell("Every word is marked.");
  }

  #put(action, contributors) {
    const { uid } = this.current;
    const { comment } = this.decision(uid) ?? {};
    const value = contributors.length ? { present: true, contributors, ...(comment ? { comment } : {}) } : null;
    this.#change(action, { [keyOf(uid)]: value });
    this.selection.clear();
    this.tell(`SCU ${uid}: ${NAMES[action].replace(/^SCU /, "")}.`);
  }

  /** The first change also says which pyramid it is about, should another be made later. */
  #change(action, changes) {
    const { pyramid } = this.task.material;
    return this.task.change(action, pyramid ? { ...changes, pyramid } : changes);
  }

  #decide(present) {
    if (!this.#open) return;
    const { uid } = this.current;
    const action = { true: "mark-present", false: "mark-absent", null: "mark-unsure" }[present];
    this.#change(action, { [keyOf(uid)]: { present, contributors: [] } });
    this.tell(`SCU ${uid}: ${STATES[present]}.`);
    this.#step(1);
  }

  #clear() {
    if (this.#open) this.#change("remove-decision", { [keyOf(this.current.uid)]: null });
  }

  async #mark() {
    const parts = this.#chosen();
    if (!parts) return;
    const { uid } = this.current;
    const before = this.decision(uid)?.contributors ?? [];
    if (!before.length) return void this.#put("mark-present", [parts]);
    const answer = await ask(
      `SCU ${uid} is expressed already`,
      `By “${before.map((one) => this.text.quote(one)).join("”, “")}”. Do the words you selected say it once more, or do they belong to the same mention?`,
      [["repeat", "Once more (repeat)"], ["part", "Same mention (part)"], ["replace", "Take these words instead"]],
    );
    if (answer === "repeat") this.#put("mark-repeat", [...before, parts]);
    if (answer === "part") this.#put("add-part", [...before.slice(0, -1), joined([...before.at(-1), ...parts], this.text)]);
    if (answer === "replace") this.#put("replace-parts", [parts]);
  }

  #repeat() {
    const parts = this.#chosen();
    if (!parts) return;
    const before = this.decision(this.current.uid)?.contributors ?? [];
    if (before.length) this.#put("mark-repeat", [...before, parts]);
    else this.#no(`SCU ${this.current.uid} is not expressed yet: press A to mark the words.`);
  }

  #part() {
    const parts = this.#chosen();
    if (!parts) return;
    const before = this.decision(this.current.uid)?.contributors ?? [];
    if (before.length) this.#put("add-part", [...before.slice(0, -1), joined([...before.at(-1), ...parts], this.text)]);
    else this.#no(`SCU ${this.current.uid} is not expressed yet: press A to mark the words.`);
  }

  #unmatched() {
    const parts = this.#chosen();
    if (!parts) return;
    this.#change("mark-unmatched", { unmatched: [...this.#rest, parts] });
    this.selection.clear();
    this.tell("Marked as a content unit that matches no SCU.");
  }

  #remove() {
    if (!this.#open) return;
    const { uid } = this.current;
    const before = this.decision(uid)?.contributors ?? [];
    const { view, parts: chosen } = this.selection;
    if (!view) return void (before.length ? this.#put("remove-words", []) : this.#no(`Nothing is marked for SCU ${uid}.`));
    const cut = (units) => units.map((parts) => trimmed(without(parts, chosen), this.text)).filter((parts) => parts.length);
    const [left, rest] = [cut(before), cut(this.#rest)];
    const changes = {};
    if (JSON.stringify(left) !== JSON.stringify(before)) changes[keyOf(uid)] = left.length ? { ...this.decision(uid), contributors: left } : null;
    if (JSON.stringify(rest) !== JSON.stringify(this.#rest)) changes.unmatched = rest.length ? rest : null;
    if (!Object.keys(changes).length) return void this.#no(`The selected words are neither in SCU ${uid} nor among those that match no SCU.`);
    this.#change("remove-words", changes);
    this.selection.clear();
    return undefined;
  }

  #drop(index) {
    if (this.#open) this.#put("remove-words", (this.decision(this.current.uid)?.contributors ?? []).filter((_, at) => at !== index));
  }

  #dropRest(index) {
    const left = this.#rest.filter((_, at) => at !== index);
    if (this.#open) this.#change("remove-words", { unmatched: left.length ? left : null });
  }

  #askedFor() {
    if (this.selection.view) return { about: "span", parts: trimmed(this.selection.parts, this.text) };
    return { about: "scu", uid: this.current.uid };
  }

  #takeSuggestion(item) {
    if (item.uid !== undefined) {
      this.pick(item.uid);
      this.tell(`SCU ${item.uid} is the current one: press A if the selected words express it.`);
    } else if (this.light) {
      this.view.scrollTo(item.parts[0][0]);
    } else {
      this.selection.set(this.view, item.parts);
      this.view.focus();
      this.view.scrollTo(item.parts[0][0]);
      this.tell("The words are selected: change the selection as you like, then press A.");
    }
  }

  #toggleModels() {
    this.models.hidden = !this.models.hidden;
    if (!this.models.hidden) {
      this.models.scrollIntoView({ block: "nearest" });
      for (const { handle, view } of this.modelViews) view.scrollTo(partsOf(this.current, handle)[0]?.[0] ?? 0);
      this.tell("The models are below; the words of the current SCU are marked.");
    }
  }

  #toggleSnap() {
    this.snapBox.checked = !this.snapBox.checked;
    this.#setSnap(this.snapBox.checked);
  }

  #setSnap(snap) {
    this.selection.setSnap(snap);
    this.#showText();
  }
}
