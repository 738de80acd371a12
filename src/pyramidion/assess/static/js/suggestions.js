// Suggestions, if the organiser turned them on: what the server offers, what the annotator makes of it (both are logged).

import { h, show } from "./dom.js";

const PREFIX = "suggestion/";

/**
 * A panel of suggestions. `page` has task, tell and what `offers` needs: ask() → what is asked (see the server), or null;
 * name(item) → how a suggestion reads; take(item) → what choosing it does.
 */
export class Suggestions {
  #offered = null;

  constructor(page, offers) {
    this.page = page;
    this.offers = offers;
    this.element = h("section", { class: "suggestions", "aria-label": "Suggestions", hidden: true });
    this.tools = page.task.settings.suggestions
      ? [{ key: "h", text: "Suggest", what: "Suggestions: for the selected words, similar SCUs; else for the current SCU, words that may express it", run: () => this.ask() }]
      : [];
  }

  async ask(asked = this.offers.ask()) {
    if (!asked || this.page.task.done) return;
    this.close();
    this.page.task.flush();
    let found;
    try {
      const answer = await fetch(`/api/task/${encodeURIComponent(this.page.task.id)}/suggestions`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": document.querySelector('meta[name="csrf"]')?.content ?? "" },
        credentials: "same-origin",
        body: JSON.stringify(asked),
      });
      if (!answer.ok) throw new Error((await answer.json()).detail);
      found = await answer.json();
    } catch (error) {
      this.page.tell(`No suggestions: ${error.message}`, { warn: true });
      return;
    }
    if (!found.length) {
      this.page.tell("Nothing similar was found.");
      return;
    }
    this.#offered = { about: asked.about, found };
    show(
      this.element,
      h("h2", {}, "Suggestions"),
      h("ol", {}, found.map((item, index) => h("li", {}, h("button", { type: "button", class: "sentence", dir: "auto", onclick: () => this.#take(index) }, this.offers.name(item)), h("span", { class: "soft" }, ` ${Math.round(100 * item.similarity)} % alike`)))),
      h("button", { type: "button", class: "small", onclick: () => this.close() }, "None of these"),
    );
    this.element.hidden = false;
    this.element.querySelector("button").focus();
  }

  /** Put the suggestions away; if none was taken, that is logged. */
  close() {
    if (this.#offered) this.#log(null);
    this.#offered = null;
    this.element.hidden = true;
  }

  #take(index) {
    const item = this.#offered.found[index];
    this.#log(index);
    this.#offered = null;
    this.element.hidden = true;
    this.offers.take(item);
  }

  #log(taken) {
    const { task } = this.page;
    const number = Object.keys(task.state).filter((key) => key.startsWith(PREFIX)).length + 1;
    const offered = this.#offered.found.map(({ uid, model, parts, contributors, similarity }) => ({ uid, model, parts, contributors, similarity: Math.round(similarity * 1000) / 1000 }));
    task.change(taken === null ? "suggestion-refused" : "suggestion-taken", { [`${PREFIX}${number}`]: { about: this.#offered.about, offered: JSON.parse(JSON.stringify(offered)), taken } });
  }
}
