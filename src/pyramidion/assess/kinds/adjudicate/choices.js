// The consensus of two annotators: what both have, side by side, disagreements first; keep A, keep B, merge, edit.

import { h, say, show } from "../../static/js/dom.js";
import { openPage } from "../../static/js/task.js";

const STATUSES = ["annotated", "reviewed", "final"];
const WAIT = 400;
const CHOSEN = { a: "A kept", b: "B kept", merge: "merged", neither: "left out" };

/** Open the page of a consensus as soon as there is something to compare. */
export function openConsensus(start) {
  openPage((root, task) => {
    if ((task.material.sources ?? []).length >= 2) start(root, task);
    else show(root, h("h1", {}, "Consensus"), h("p", {}, "Both annotators have to begin first. Come back when their work is there."));
  });
}

/** What both kinds of adjudication share: items, the current one, choices, agreement, status. */
export class Choices {
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
    this.table = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Agreement" });
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
    this.task.queue.watch(() => this.#askAgreementSoon());
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
    if (!this.items.length) this.about.textContent = "Both did the same: there is nothing to decide";
    else this.about.textContent = open ? `${open} of ${this.items.length} open, the least alike first` : `All ${this.items.length} decided`;
    this.status.value = this.task.state.status ?? "annotated";
    this.status.disabled = this.task.done;
    this.#askAgreementSoon();
  }

  /** The server computes agreement from what it has stored: it is asked once that is what the page shows. */
  #askAgreementSoon() {
    const { queue, version } = this.task;
    if (this.#asked === version || queue.status.state !== "saved") return;
    this.#asked = version;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#askAgreement(version), WAIT);
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
    if (this.task.done) return void this.page.tell(this.task.closedReason, { warn: true });
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

  async #askAgreement(version) {
    if (document.getElementById("task-data")) return;
    try {
      const answer = await fetch(`/api/task/${encodeURIComponent(this.task.id)}/agreement`, { credentials: "same-origin" });
      const rows = answer.ok ? await answer.json() : null;
      if (rows && version === this.#asked) this.showAgreement(rows);
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
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Between"), columns.map(([, name]) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, "Largest difference of P′"))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.between.join(" and ")), columns.map(([key]) => h("td", { "data-alpha": key }, number(row.alpha[key]))), h("td", {}, number(row.difference))))),
      ),
    );
  }
}
