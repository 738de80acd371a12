// The consensus of two pyramids: SCUs of both annotators, paired by the words that they share.

import { h } from "../../static/js/dom.js";
import { keyOf, merged, newUid, partsOf, valueOf } from "../../static/js/scus.js";
import { PyramidPage } from "../pyramid/pyramid-page.js";
import { Choices, openConsensus } from "./choices.js";
import { STEPS } from "./guide.js";

class PyramidChoices extends Choices {
  /** The changes that take over what both have alike. */
  agreed() {
    const changes = {};
    for (const item of this.items.filter((candidate) => candidate.alike && !this.task.state[candidate.key])) Object.assign(changes, this.changesFor(item, "a", { ...this.task.state, ...changes }));
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

openConsensus((root, task) => new PyramidPage(root, task, { steps: STEPS, panel: (page) => new PyramidChoices(page) }));
