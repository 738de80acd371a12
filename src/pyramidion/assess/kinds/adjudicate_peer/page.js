// The consensus of two annotations of a summary: what both decided differently.

import { h } from "../../static/js/dom.js";
import { keyOf } from "../../static/js/scus.js";
import { same } from "../../static/js/task.js";
import { joined } from "../../static/js/text.js";
import { Choices, openConsensus } from "../adjudicate/choices.js";
import { PeerPage } from "../peer/peer-page.js";
import { STEPS } from "./guide.js";

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
    const presence = item.of === "unmatched" ? "" : value.present ? "present: " : "absent";
    return [presence, h("span", { dir: "auto" }, units.map((parts) => `“${this.page.text.quote(parts)}”`).join(", "))];
  }

  likeness(item) {
    if (item.of === "unmatched") return "words that match no SCU";
    const scu = this.page.scus.find((candidate) => keyOf(candidate.uid) === item.of);
    return [`SCU ${scu.uid}, weight ${scu.weight}: `, h("span", { dir: "auto" }, scu.label)];
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
      const at = units.findIndex((unit) => unit.some(([start, end]) => parts.some(([from, to]) => from < end && start < to)));
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

openConsensus((root, task) => new PeerPage(root, task, { steps: STEPS, panel: (page) => new PeerChoices(page) }));
