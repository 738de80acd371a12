// The consensus of two annotators: their SCUs or decisions side by side, disagreements first; keep A, keep B, merge, edit.

import { counted, h, say, show } from "../../static/js/dom.js";
import { PeerPage } from "../peer/peer-page.js";
import { PyramidPage } from "../pyramid/pyramid-page.js";
import { keyOf, merged, newUid, partsOf, valueOf } from "../../static/js/scus.js";
import { openPage, same } from "../../static/js/task.js";
import { joined } from "../../static/js/text.js";

const STATUSES = ["annotated", "reviewed", "final"];
const WAIT = 400;
const CHOSEN = { a: "A kept", b: "B kept", merge: "merged", neither: "left out" };

function start(root, task) {
  if ((task.material.sources ?? []).length < 2) {
    show(root, h("h1", {}, "Consensus"), h("p", {}, "Both annotators have to begin first. Come back when their work is there."));
    return;
  }
  if (task.kind === "adjudicate") new PyramidPage(root, task, { title: "Consensus of two pyramids", panel: (page) => new PyramidChoices(page) });
  else new PeerPage(root, task, { title: "Consensus of two annotations", panel: (page) => new PeerChoices(page) });
}

/** What both kinds of adjudication share: items, the current one, choices, agreement, status. */
class Choices {
  #current = 0;
  #timer = 0;
  #asked = null;
  #openOnly = false;

  constructor(page) {
    this.page = page;
    this.task = page.task;
    [this.a, this.b] = this.task.material.sources;
    this.items = this.makeItems();
    this.tools = [
      { key: "q", text: "Keep A", what: "The consensus takes what A has", run: () => this.choose("a") },
      { key: "w", text: "Keep B", what: "The consensus takes what B has", run: () => this.choose("b") },
      { key: "b", text: "Merge both", what: "The consensus takes what A and B have together", run: () => this.choose("merge") },
      { key: "x", text: "Neither", what: "The consensus leaves it out", run: () => this.choose("neither") },
      { key: "]", what: "Next difference", run: () => this.step(1) },
      { key: "[", what: "Previous difference", run: () => this.step(-1) },
    ];
    this.list = h("ol", { class: "pairs" });
    this.about = h("p", { class: "soft" });
    this.table = h("div", { class: "scroll" });
    this.status = h("select", { "aria-label": "Status", onchange: () => this.task.change("status", { status: this.status.value }) }, STATUSES.map((value) => h("option", { value }, value)));
    const all = h("button", { type: "button", onclick: () => this.acceptAgreed() }, "Take over what both have alike");
    const open = h("input", { type: "checkbox", onchange: () => { this.#openOnly = open.checked; this.refresh(); } });
    this.element = h(
      "section",
      { class: "adjudication", "aria-label": "Both annotators" },
      h("div", { class: "list-head" }, h("h2", {}, "Both annotators"), this.about, h("label", {}, open, " Open ones only"), all, h("label", {}, "Status ", this.status)),
      this.list,
      h("details", { open: true }, h("summary", {}, "Agreement"), this.table),
    );
    this.showAgreement(this.task.material.agreement);
    this.rows = this.items.map((item, index) => this.#row(item, index));
  }

  get current() {
    return this.items[this.#current];
  }

  #row(item, index) {
    const side = (name, content) => h("div", { class: `side ${name}` }, h("b", {}, name.toUpperCase()), " ", content ?? h("span", { class: "soft" }, "does not have it"));
    const pick = h("button", { type: "button", class: "pick", "aria-label": `Difference ${index + 1}`, onclick: () => this.pick(index) }, String(index + 1));
    const result = h("span", { class: "result" });
    const element = h("li", { class: "pair-row", onclick: () => this.pick(index) }, pick, side("a", this.describe(item, "a")), side("b", this.describe(item, "b")), h("div", { class: "alike" }, h("span", { class: "soft" }, this.likeness(item)), result));
    return { element, result, pick };
  }

  refresh() {
    this.rows.forEach(({ element, result, pick }, index) => {
      const choice = this.task.state[this.items[index].key]?.choice;
      element.classList.toggle("current", index === this.#current);
      element.classList.toggle("decided", Boolean(choice));
      pick.setAttribute("aria-pressed", String(index === this.#current));
      result.textContent = choice ? CHOSEN[choice] : "";
    });
    const shown = this.rows.filter((_, index) => !this.#openOnly || index === this.#current || !this.task.state[this.items[index].key]).map((row) => row.element);
    if (shown.length !== this.list.children.length || shown.some((row, index) => row !== this.list.children[index])) show(this.list, shown);
    const open = this.items.filter((item) => !this.task.state[item.key]).length;
    this.about.textContent = open ? `${open} of ${this.items.length} open, the least alike first` : `All ${this.items.length} decided`;
    this.status.value = this.task.state.status ?? "annotated";
    this.status.disabled = this.task.done;
    if (this.#asked === this.task.version) return;
    this.#asked = this.task.version;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#askAgreement(), WAIT);
  }

  pick(index) {
    if (index === this.#current || !this.items[index]) return;
    this.#current = index;
    this.page.refresh("pick");
    this.rows[index].element.scrollIntoView({ block: "nearest" });
    say(`Difference ${index + 1}: ${this.rows[index].element.textContent}`);
    this.picked(this.items[index]);
  }

  step(by) {
    this.pick(Math.min(this.items.length - 1, Math.max(0, this.#current + by)));
  }

  /** The next one without a choice, after the current one, then from the beginning. */
  next() {
    const order = this.items.map((_, index) => (this.#current + 1 + index) % this.items.length);
    const open = order.find((index) => !this.task.state[this.items[index].key]);
    if (open !== undefined) this.pick(open);
  }

  choose(choice) {
    if (this.task.done) return void this.page.tell("This work was handed in. Press “Open again” to change it.", { warn: true });
    const changes = this.current && this.changesFor(this.current, choice);
    if (!changes) return void this.page.tell(`${choice === "a" ? "A" : "B"} does not have it.`, { warn: true });
    this.task.change(choice === "merge" ? "merge" : choice === "neither" ? "keep-neither" : `keep-${choice}`, changes);
    this.page.tell(`Difference ${this.#current + 1}: ${CHOSEN[choice]}.`);
    return this.next();
  }

  acceptAgreed() {
    const changes = this.agreed();
    if (this.task.done || !Object.keys(changes).length) return void this.page.tell("There is nothing that both have alike and that is still open.");
    this.task.change("take-agreed", changes);
    return undefined;
  }

  async #askAgreement() {
    if (document.getElementById("task-data")) return;
    try {
      const answer = await fetch(`/api/task/${encodeURIComponent(this.task.id)}/agreement`, { credentials: "same-origin" });
      if (answer.ok) this.showAgreement(await answer.json());
    } catch {
      // no server now: what is shown stays
    }
  }

  showAgreement(rows) {
    const columns = this.columns();
    const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
    show(
      this.table,
      h(
        "table",
        { class: "agreement" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "between"), columns.map(([, name]) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, "largest difference of P′"))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.between.join(" and ")), columns.map(([key]) => h("td", { "data-alpha": key }, number(row.alpha[key]))), h("td", {}, number(row.difference))))),
      ),
    );
  }
}

class PyramidChoices extends Choices {
  /** The changes that take over what both have alike. */
  agreed() {
    const changes = {};
    for (const item of this.items.filter((one) => one.alike && !this.task.state[one.key])) Object.assign(changes, this.changesFor(item, "a", { ...this.task.state, ...changes }));
    return changes;
  }

  makeItems() {
    return this.task.material.pairs.map(({ first, second, overlap }) => {
      const [a, b] = [this.a[first], this.b[second]];
      return { key: `pair/${first ?? ""}-${second ?? ""}`, a: a && tidy(a, this.page.texts), b: b && tidy(b, this.page.texts), overlap, alike: overlap === 1 && a?.label === b?.label };
    });
  }

  columns() {
    return [["word/nominal", "α nominal"], ["word/jaccard", "α Jaccard"], ["word/masi", "α MASI"]];
  }

  describe(item, side) {
    const scu = item[side];
    return scu && [h("span", { dir: "auto" }, scu.label), h("ul", { class: "contributors" }, scu.contributors.map(({ model, parts }) => h("li", {}, h("span", { class: "soft" }, `Model ${model}: `), h("span", { dir: "auto" }, this.page.texts.get(model).quote(parts)))))];
  }

  likeness({ a, b, overlap }) {
    return a && b ? `${Math.round(100 * overlap)} % of the words alike` : `only ${a ? "A" : "B"}`;
  }

  changesFor(item, choice, state = this.task.state) {
    const made = { a: item.a, b: item.b, merge: item.a && item.b ? merged(item.a, item.b, this.page.texts) : (item.a ?? item.b) }[choice];
    if (choice !== "neither" && !made) return null;
    const before = state[item.key]?.scu;
    if (choice === "neither") return { [item.key]: { choice }, ...(before ? { [keyOf(before)]: null } : {}) };
    const uid = before ?? newUid(state);
    return { [item.key]: { choice, scu: uid }, [keyOf(uid)]: valueOf(made) };
  }

  picked(item) {
    const uid = this.task.state[item.key]?.scu;
    if (uid && this.task.state[keyOf(uid)]) this.page.pick(uid);
    for (const { model, parts } of (item.a ?? item.b).contributors) if (parts.length) this.page.views.get(model).scrollTo(parts[0][0]);
  }

  /** The words of the current pair: A's, B's, both. */
  layers(handle) {
    const { a, b } = this.current ?? {};
    return [{ parts: a ? partsOf(a, handle) : [], class: "of-a" }, { parts: b ? partsOf(b, handle) : [], class: "of-b" }];
  }
}

/** One contributor of each model, as a consensus has it. */
function tidy(scu, texts) {
  return merged({ label: scu.label, comment: scu.comment, contributors: [] }, { label: "", comment: "", contributors: scu.contributors }, texts);
}

class PeerChoices extends Choices {
  /** The changes that take over what both said alike and the consensus does not have. */
  agreed() {
    return Object.fromEntries(Object.entries(this.a).filter(([key, value]) => !(key in this.task.state) && same(value, this.b[key])));
  }

  makeItems() {
    const keys = [...new Set([...Object.keys(this.a), ...Object.keys(this.b)])].filter((key) => key.startsWith("scu/") || key === "unmatched");
    const items = keys.map((key) => ({ key: `pair/${key.replace("scu/", "")}`, of: key, a: this.a[key], b: this.b[key], alike: same(this.a[key], this.b[key]) }));
    const rank = (item) => (item.alike ? 2 : item.a && item.b && item.a.present === item.b.present ? 1 : 0);
    const weight = (item) => this.page.scus.find((scu) => keyOf(scu.uid) === item.of)?.weight ?? 0;
    return items.filter((item) => !item.alike).sort((x, y) => rank(x) - rank(y) || weight(y) - weight(x));
  }

  columns() {
    return [["presence/nominal", "presence α"], ["peer-word/nominal", "word α nominal"], ["peer-word/jaccard", "word α Jaccard"], ["peer-word/masi", "word α MASI"]];
  }

  describe(item, side) {
    const value = item[side];
    if (value === undefined) return h("span", { class: "soft" }, item.of === "unmatched" ? "marked nothing" : "not marked");
    const units = item.of === "unmatched" ? value : value.contributors;
    const said = item.of === "unmatched" ? "" : value.present ? "present: " : "absent";
    return [said, h("span", { dir: "auto" }, units.map((parts) => `“${this.page.text.quote(parts)}”`).join(", "))];
  }

  likeness(item) {
    if (item.of === "unmatched") return "words that match no SCU";
    const scu = this.page.scus.find((one) => keyOf(one.uid) === item.of);
    return `SCU ${scu.uid}, weight ${scu.weight}: ${scu.label}`;
  }

  changesFor(item, choice) {
    const units = (value) => (item.of === "unmatched" ? (value ?? []) : (value?.contributors ?? []));
    const both = units(item.a).length && units(item.b).length ? this.#joinUnits(units(item.a), units(item.b)) : [...units(item.a), ...units(item.b)];
    const mergedValue = item.of === "unmatched" ? both : { present: Boolean(item.a?.present || item.b?.present), contributors: both };
    const value = { a: item.a, b: item.b, merge: mergedValue, neither: undefined }[choice];
    return { [item.key]: { choice }, [item.of]: value ?? null };
  }

  /** Mentions of both: those that overlap become one. */
  #joinUnits(first, second) {
    const units = first.map((parts) => [...parts]);
    for (const parts of second) {
      const at = units.findIndex((one) => one.some(([start, end]) => parts.some(([from, to]) => from < end && start < to)));
      if (at < 0) units.push(parts);
      else units[at] = joined([...units[at], ...parts], this.page.text);
    }
    return units;
  }

  picked(item) {
    if (item.of !== "unmatched") this.page.pick(Number(item.of.replace("scu/", "")));
  }

  layers() {
    const { a, b, of } = this.current ?? {};
    const units = (value) => (of === "unmatched" ? (value ?? []) : (value?.contributors ?? [])).flat();
    return [{ parts: units(a), class: "of-a" }, { parts: units(b), class: "of-b" }];
  }
}

openPage(start);
