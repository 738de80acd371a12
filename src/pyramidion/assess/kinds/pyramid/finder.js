// Finding text in the models: all places are marked while one types, Enter goes from one to the next.

import { h } from "../../static/js/dom.js";

/** `page` is a PyramidPage: models, views, showTexts(), goTo(model, parts), backToText(). */
export class Finder {
  #at = -1;

  constructor(page) {
    this.page = page;
    this.field = h("input", { type: "search", "aria-label": "Find text in the models", placeholder: "Find in the models", dir: "auto" });
    this.count = h("span", { class: "soft", role: "status" });
    this.element = h("label", { class: "finder" }, this.field, " ", h("kbd", {}, "F"), " ", this.count);
    this.field.addEventListener("input", () => this.#search());
    this.field.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The places of a model where the text occurs. */
  placesIn(handle) {
    return this.page.texts.get(handle).find(this.field.value);
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  get #places() {
    return this.page.models.flatMap(({ handle }) => this.placesIn(handle).map((span) => ({ handle, span })));
  }

  #search() {
    this.#at = -1;
    const { length } = this.#places;
    this.count.textContent = this.field.value.trim() ? `${length} found` : "";
    this.page.showTexts();
    const [first] = this.#places;
    if (first) this.page.views.get(first.handle).scrollTo(first.span[0]);
  }

  #key(event) {
    if (event.key === "Escape") {
      this.field.value = "";
      this.#search();
      this.page.backToText();
    } else if (event.key === "Enter") {
      const places = this.#places;
      if (places.length) {
        this.#at = (this.#at + (event.shiftKey ? -1 + places.length : 1)) % places.length;
        const { handle, span } = places[this.#at];
        this.count.textContent = `${this.#at + 1} of ${places.length}`;
        this.page.goTo(handle, [this.page.wholeWords(handle, span)]);
      }
    } else return;
    event.preventDefault();
  }
}
