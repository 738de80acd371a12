// Texts that people select in: by mouse, by click on a word, by keys. Offsets count code points, as the files do.

import { counted, h, say, show } from "./dom.js";

const CLICK_MOVES = 3; // pixels that a hand moves while it clicks

// What Python's \s takes for white space, so that words are the same here and there.
const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** A text as code points, with its words: [start, end), maximal runs without white space. */
export class Text {
  constructor(text) {
    this.points = Array.from(text);
    this.words = [];
    let start = -1;
    for (let at = 0; at <= this.points.length; at++) {
      const blank = at === this.points.length || BLANK.test(this.points[at]);
      if (blank && start >= 0) this.words.push([start, at]);
      if (blank) start = -1;
      else if (start < 0) start = at;
    }
  }

  slice(start, end) {
    return this.points.slice(start, end).join("");
  }

  /** Characters as people see them: a letter with its marks and an emoji of several code points are one. */
  get characters() {
    const clusters = [];
    for (const [start, end] of this.words) {
      const word = this.slice(start, end);
      let at = start;
      for (const piece of typeof Intl.Segmenter === "function" ? [...new Intl.Segmenter().segment(word)].map((segment) => segment.segment) : Array.from(word)) {
        const length = Array.from(piece).length;
        clusters.push([at, at + length]);
        at += length;
      }
    }
    return clusters;
  }

  /** The words that parts touch. */
  wordsIn(parts) {
    return this.words.filter(([start, end]) => parts.some(([from, to]) => from < end && start < to));
  }

  /** Where a text occurs, whatever its case, accents and white space: [start, end). */
  find(searched) {
    const wanted = folded(Array.from(searched.trim()));
    if (!wanted.length) return [];
    const letters = folded(this.points);
    const text = letters.map(({ letter }) => letter).join("");
    const word = wanted.map(({ letter }) => letter).join("");
    const places = [];
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push([letters[at].at, letters[at + word.length - 1].at + 1]);
    return places;
  }

  /** Parts as one reads them: "the two Libyans … were handed over". */
  quote(parts) {
    return parts.map(([start, end]) => this.slice(start, end).replace(/\s+/g, " ")).join(" … ");
  }
}

/** The letters of a text as they are compared, each with the code point that it stands for. */
function folded(points) {
  const letters = [];
  points.forEach((point, at) => {
    if (!BLANK.test(point)) for (const letter of point.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()) letters.push({ letter, at });
    else if (letters.at(-1)?.letter !== " ") letters.push({ letter: " ", at });
  });
  return letters.flatMap(({ letter, at }) => letter.split("").map((unit) => ({ letter: unit, at })));
}

/** Parts in order, those that overlap or touch joined. */
export function joined(parts, text) {
  const merged = [];
  for (const [start, end] of [...parts].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = merged.at(-1);
    const gap = before && text ? text.slice(before[1], start) : "";
    if (before && (start <= before[1] || (text && Array.from(gap).every((point) => BLANK.test(point))))) before[1] = Math.max(before[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** Parts without some others. */
export function without(parts, removed) {
  let left = parts.map((part) => [...part]);
  for (const [from, to] of removed) {
    left = left.flatMap(([start, end]) =>
      to <= start || end <= from ? [[start, end]] : [[start, Math.min(end, from)], [Math.max(start, to), end]].filter(([a, b]) => a < b),
    );
  }
  return left;
}

/** Parts without white space at their edges; a part of white space alone goes. */
export function trimmed(parts, text) {
  return parts
    .map(([start, end]) => {
      while (start < end && BLANK.test(text.points[start])) start++;
      while (end > start && BLANK.test(text.points[end - 1])) end--;
      return [start, end];
    })
    .filter(([start, end]) => start < end);
}

/**
 * Several texts of which one at a time has a selection. Watchers get (view, parts) when it changes; view is null when
 * nothing is selected.
 */
export class Selection {
  #watchers = new Set();
  view = null;
  parts = [];
  snap = true;
  views = [];

  watch(watcher) {
    this.#watchers.add(watcher);
  }

  set(view, parts) {
    const old = this.view;
    this.view = parts.length ? view : null;
    this.parts = parts;
    if (old && old !== view) old.paint();
    view?.paint();
    for (const watcher of this.#watchers) watcher(this.view, this.parts);
    if (this.view) say(`Selected in ${view.name}: ${view.text.quote(parts)}${parts.length > 1 ? ` (${counted(parts.length, "part")})` : ""}`);
  }

  clear() {
    if (this.view) this.set(this.view, []);
  }

  /** Snap to words, or take single characters. */
  setSnap(snap) {
    this.snap = snap;
    this.clear();
    for (const view of this.views) view.build();
  }
}

/**
 * One text in the page. `name` is what screen readers say. Marks (see `mark`) are layers of parts with a class. Each
 * word is an option of a listbox: arrows move, Shift extends, Ctrl keeps what is selected, Space takes one word.
 */
export class TextView {
  #units = [];
  #nodes = [];
  #gaps = [];
  #cursor = 0;
  #anchor = null;
  #kept = [];
  #layers = [];

  constructor(text, { name, selection = null, onenter = null, id = `text-${Math.random().toString(36).slice(2, 8)}` }) {
    this.text = text instanceof Text ? text : new Text(text);
    this.name = name;
    this.selection = selection;
    this.onenter = onenter;
    this.id = id;
    const chosen = selection
      ? { role: "listbox", "aria-multiselectable": "true", tabindex: "0", "aria-label": `${name}: text` }
      : { role: "region", "aria-label": `${name}: text`, tabindex: "0" };
    this.element = h("div", { class: selection ? "text selectable" : "text", dir: "auto", id, ...chosen });
    if (selection) {
      selection.views.push(this);
      this.#listen();
    }
    this.build();
  }

  /** Make the elements anew: a span for each word (or character), one for each gap. */
  build() {
    this.#units = this.selection && !this.selection.snap ? this.text.characters : this.text.words;
    this.#cursor = Math.min(this.#cursor, Math.max(0, this.#units.length - 1));
    this.#anchor = null;
    this.#kept = [];
    const children = [];
    this.#nodes = [];
    this.#gaps = [];
    let at = 0;
    this.#units.forEach(([start, end], index) => {
      if (at < start) children.push(this.#gap(at, start));
      const node = h("span", { id: `${this.id}-${index}`, ...(this.selection ? { role: "option", "aria-selected": "false" } : {}) }, this.text.slice(start, end));
      node.dataset.unit = index;
      this.#nodes.push({ node, start, end, look: null });
      children.push(node);
      at = end;
    });
    if (at < this.text.points.length) children.push(this.#gap(at, this.text.points.length));
    show(this.element, children);
    this.paint();
  }

  #gap(start, end) {
    const node = h("span", this.selection ? { role: "presentation" } : {}, this.text.slice(start, end));
    this.#gaps.push({ node, start, end, look: null });
    return node;
  }

  /** Show layers [{parts, class}]; a class may be a function of how many layers with `count` cover a character. */
  mark(layers) {
    this.#layers = layers;
    this.paint();
  }

  /** Put the classes on the spans, and only where they changed. */
  paint() {
    const size = this.text.points.length;
    const looks = Array.from({ length: size }, () => "");
    const counts = new Uint16Array(size);
    for (const { parts, class: name, count } of this.#layers) {
      for (const [start, end] of parts) {
        for (let at = Math.max(0, start); at < Math.min(size, end); at++) {
          if (count) counts[at]++;
          if (name) looks[at] += ` ${name}`;
        }
      }
    }
    const counting = this.#layers.some((layer) => layer.count);
    const selected = this.selection?.view === this ? this.selection.parts : [];
    const chosen = new Uint8Array(size);
    for (const [start, end] of selected) chosen.fill(1, start, end);
    const look = (at, word) => {
      const covered = counting && word ? (counts[at] === 0 ? " none" : counts[at] > 1 ? " twice" : " once") : "";
      return `${looks[at]}${covered}${chosen[at] ? " chosen" : ""}`;
    };
    this.#nodes.forEach((unit, index) => {
      const cursor = this.selection && index === this.#cursor ? " cursor" : "";
      const points = Array.from({ length: unit.end - unit.start }, (_, offset) => look(unit.start + offset, true));
      const key = points.join("|") + cursor;
      if (unit.look === key) return;
      unit.look = key;
      const whole = points.every((point) => point === points[0]);
      unit.node.className = (whole ? points[0] : "").trim() + cursor;
      if (whole) unit.node.textContent = this.text.slice(unit.start, unit.end);
      else show(unit.node, runs(points).map(([from, to]) => h("span", { class: points[from].trim() }, this.text.slice(unit.start + from, unit.start + to))));
      if (this.selection) unit.node.setAttribute("aria-selected", String(Boolean(chosen[unit.start])));
    });
    for (const unit of this.#gaps) {
      const key = this.#across(unit.start);
      if (unit.look === key) continue;
      unit.look = key;
      unit.node.className = key;
    }
    if (this.selection && this.#nodes.length) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.#cursor}`);
  }

  /** What a gap looks like: all that goes on across it. */
  #across(start) {
    const names = this.#layers.filter(({ parts }) => parts.some(([from, to]) => from <= start && start < to)).map((layer) => layer.class);
    const chosen = this.selection?.view === this && this.selection.parts.some(([from, to]) => from <= start && start < to);
    return [...names.filter(Boolean), chosen ? "chosen" : ""].join(" ");
  }

  focus() {
    this.element.focus();
  }

  /** Bring a place into sight. */
  scrollTo(offset) {
    this.#nodes.find(({ end }) => end > offset)?.node.scrollIntoView({ block: "nearest" });
  }

  #listen() {
    const unit = (event) => {
      const node = event.target.closest?.("[data-unit]");
      return node && this.element.contains(node) ? Number(node.dataset.unit) : null;
    };
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.offsetX > this.element.clientWidth) return; // the scroll bar is no text
      const index = unit(event) ?? this.#nearest(event);
      if (index === null) return;
      event.preventDefault();
      this.element.focus({ preventScroll: true });
      const keep = event.ctrlKey || event.metaKey;
      if (event.shiftKey) this.#extend(index);
      else this.#start(index, keep);
      if (this.#anchor !== null) this.#follow(event);
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focus", () => this.paint());
  }

  /** Extend the selection while the pointer is down; a fast drag may leave the text, and its end may be its only move. */
  #follow({ clientX, clientY }) {
    const drag = (event) => {
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) <= CLICK_MOVES) return;
      const index = this.#nearest(event);
      if (index !== null && index !== this.#cursor) this.#extend(index);
    };
    const end = (event) => {
      if (event.type === "pointerup") drag(event);
      for (const [name, act] of [["pointermove", drag], ["pointerup", end], ["pointercancel", end]]) window.removeEventListener(name, act);
    };
    for (const [name, act] of [["pointermove", drag], ["pointerup", end], ["pointercancel", end]]) window.addEventListener(name, act);
  }

  /** The unit at or nearest to a point: first the nearest line, then the nearest in it. */
  #nearest({ clientX, clientY }) {
    let best = null;
    this.#nodes.forEach(({ node }, index) => {
      for (const box of node.getClientRects()) {
        const down = Math.max(box.top - clientY, clientY - box.bottom, 0);
        const across = Math.max(box.left - clientX, clientX - box.right, 0);
        if (!best || down < best.down || (down === best.down && across < best.across)) best = { index, down, across };
      }
    });
    return best?.index ?? null;
  }

  /** Select parts of the text by its offsets; Shift with the arrows then moves the end of the last one. */
  choose(parts) {
    const chosen = trimmed(parts, this.text);
    const [low, high] = this.#unitsOf(chosen.at(-1) ?? parts.at(-1));
    this.#anchor = low;
    this.#cursor = high;
    this.#kept = chosen.slice(0, -1);
    this.element.focus({ preventScroll: true });
    this.selection.set(this, chosen);
    this.scrollTo(parts[0][0]);
  }

  /** Let the part that was selected last begin some words later, or earlier. */
  moveStart(by) {
    if (this.selection.view !== this) return;
    const [low, high] = this.#anchor === null ? this.#unitsOf(this.selection.parts.at(-1)) : [Math.min(this.#anchor, this.#cursor), Math.max(this.#anchor, this.#cursor)];
    if (this.#anchor === null) this.#kept = this.selection.parts.slice(0, -1);
    this.#anchor = Math.min(high, Math.max(0, low + by));
    this.#extend(high);
    this.#nodes[this.#anchor].node.scrollIntoView({ block: "nearest" });
  }

  /** The first and the last unit of a part. */
  #unitsOf([start, end]) {
    const low = this.#units.findIndex((unit) => unit[1] > start);
    const high = this.#units.findLastIndex((unit) => unit[0] < end);
    return low < 0 ? [this.#cursor, this.#cursor] : [low, Math.max(low, high)];
  }

  /** What stands at the top of the text, and how far below the edge: `bringBack` shows the same there again. */
  get topInSight() {
    const { top } = this.element.getBoundingClientRect();
    const index = this.#nodes.findIndex(({ node }) => node.getBoundingClientRect().bottom > top + 1);
    return index < 0 ? null : { index, below: this.#nodes[index].node.getBoundingClientRect().top - top };
  }

  bringBack({ index, below }) {
    const node = this.#nodes[index]?.node;
    if (node) this.element.scrollTop += node.getBoundingClientRect().top - this.element.getBoundingClientRect().top - below;
  }

  /** Where the cursor is, as an offset. */
  get place() {
    return this.#units[this.#cursor]?.[0] ?? 0;
  }

  /** Begin a part at a unit; Ctrl on a chosen one takes it away. */
  #start(index, keep) {
    const before = this.selection.view === this ? this.selection.parts : [];
    const span = this.#units[index];
    this.#cursor = index;
    if (keep && before.some(([start, end]) => start <= span[0] && span[1] <= end)) {
      this.#anchor = null;
      this.#kept = [];
      this.selection.set(this, trimmed(without(before, [span]), this.text));
      return;
    }
    this.#kept = keep ? before : [];
    this.#anchor = index;
    this.#extend(index);
  }

  #extend(index) {
    if (this.#anchor === null) {
      this.#kept = this.selection.view === this ? this.selection.parts : [];
      this.#anchor = this.#cursor;
    }
    if (this.selection.view !== this) this.#kept = [];
    const [low, high] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
    this.#cursor = index;
    const parts = joined([...this.#kept, [this.#units[low][0], this.#units[high][1]]]);
    this.selection.set(this, parts);
  }

  #key(event) {
    const keepsSelection = event.ctrlKey || event.metaKey;
    const to = this.#target(event.key);
    if (event.altKey || !this.#units.length) return;
    if (to !== null) {
      event.preventDefault();
      if (event.shiftKey) {
        if (this.selection.view !== this) this.#anchor = null; // what was selected has become an SCU, or was cleared
        if (this.#anchor === null) this.#kept = this.selection.view === this ? this.selection.parts : [];
        this.#anchor ??= this.#cursor;
        this.#extend(this.#begun() ? to : this.#cursor);
      } else {
        this.#anchor = null;
        this.#cursor = to;
        if (keepsSelection) this.paint();
        else if (this.selection.view) this.selection.clear();
        this.paint();
      }
      this.#nodes[this.#cursor].node.scrollIntoView({ block: "nearest" });
    } else if (event.key === " ") {
      event.preventDefault();
      this.#start(this.#cursor, true);
    } else if (event.key === "Enter" && this.onenter && !keepsSelection) {
      event.preventDefault();
      this.onenter(this.#units[this.#cursor]);
    }
  }

  /** Whether the word under the cursor is in the part that is being made: the first Shift-arrow takes just this word. */
  #begun() {
    const [start] = this.#units[this.#cursor];
    return this.selection.view === this && this.selection.parts.some(([from, to]) => from <= start && start < to);
  }

  #target(key) {
    const last = this.#units.length - 1;
    const rtl = getComputedStyle(this.element).direction === "rtl";
    const step = { ArrowLeft: rtl ? 1 : -1, ArrowRight: rtl ? -1 : 1 }[key];
    if (step) return Math.min(last, Math.max(0, this.#cursor + step));
    if (key === "Home") return 0;
    if (key === "End") return last;
    if (key === "ArrowUp" || key === "ArrowDown") return this.#line(key === "ArrowDown" ? 1 : -1);
    return null;
  }

  /** The nearest unit one line up or down. */
  #line(direction) {
    const here = this.#nodes[this.#cursor].node.getBoundingClientRect();
    const middle = (here.left + here.right) / 2;
    let best = null;
    for (let index = this.#cursor + direction; index >= 0 && index < this.#nodes.length; index += direction) {
      const box = this.#nodes[index].node.getBoundingClientRect();
      const away = direction > 0 ? box.top - here.top : here.top - box.top;
      if (away < here.height / 2) continue;
      if (best && Math.abs(box.top - best.top) > here.height / 2) break;
      const distance = Math.abs((box.left + box.right) / 2 - middle);
      if (!best || distance < best.distance) best = { index, distance, top: box.top };
    }
    return best?.index ?? this.#cursor;
  }
}

function runs(points) {
  const spans = [];
  points.forEach((point, at) => {
    if (at && point === points[at - 1]) spans.at(-1)[1] = at + 1;
    else spans.push([at, at + 1]);
  });
  return spans;
}
