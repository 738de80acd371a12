// SCUs of a state: weights, words they cover, what deserves a look. Nothing here touches the page.

import { joined } from "./text.js";

const KEY = "scu/";
const ALIKE = 0.75;

export const keyOf = (uid) => `${KEY}${uid}`;

/** The SCUs of a state, by number. */
export function scusOf(state) {
  return Object.entries(state)
    .filter(([key]) => key.startsWith(KEY))
    .map(([key, scu]) => ({ uid: Number(key.slice(KEY.length)), ...scu }))
    .sort((a, b) => a.uid - b.uid);
}

/** What a state holds of an SCU. */
export function valueOf({ label, comment, contributors }) {
  return { label, comment: comment ?? "", contributors };
}

export function newUid(state) {
  return Math.max(0, ...scusOf(state).map((scu) => scu.uid)) + 1;
}

/** The number of distinct models that contribute. */
export function weightOf(scu) {
  return new Set(scu.contributors.map((contributor) => contributor.model)).size;
}

export function contributorOf(scu, model) {
  return scu.contributors.find((contributor) => contributor.model === model);
}

/** The parts of a model that an SCU has. */
export function partsOf(scu, model) {
  return scu.contributors.filter((contributor) => contributor.model === model).flatMap((contributor) => contributor.parts);
}

/** The SCU with other parts of a model; without any, the model contributes no longer. */
export function withParts(scu, model, parts, text) {
  const made = parts.length ? { ...contributorOf(scu, model), model, parts: joined(parts, text) } : null;
  const contributors = scu.contributors.filter((contributor) => contributor.model !== model);
  const at = scu.contributors.findIndex((contributor) => contributor.model === model);
  if (made) contributors.splice(at < 0 ? contributors.length : Math.min(at, contributors.length), 0, made);
  return { ...valueOf(scu), contributors };
}

/** Two SCUs as one: the label of the first, what both say of a model joined. */
export function merged(first, second, texts) {
  let scu = { ...valueOf(first), label: first.label || second.label, comment: [first.comment, second.comment].filter(Boolean).join("\n") };
  for (const { model, parts } of second.contributors) scu = withParts(scu, model, [...partsOf(scu, model), ...parts], texts.get(model));
  return scu;
}

/** The SCU with a contributor that comes from another one; what it has of the same model already is joined with it. */
export function moved(scu, contributor, text) {
  const { model, parts } = contributor;
  if (contributorOf(scu, model)) return withParts(scu, model, [...partsOf(scu, model), ...parts], text);
  return { ...valueOf(scu), contributors: [...scu.contributors, contributor] };
}

/** Words as they are compared: small letters and digits, without the shortest. */
export function contentWords(text) {
  return (text.toLowerCase().normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter((word) => word.length > 2 || /\p{N}|\p{Lo}/u.test(word));
}

/** Pairs of SCUs whose labels nearly say the same: Jaccard of their words. */
export function nearDuplicates(scus) {
  const sets = scus.map((scu) => new Set(contentWords(scu.label)));
  const duplicates = [];
  scus.forEach((scu, index) => {
    for (let other = index + 1; other < scus.length; other++) {
      const [a, b] = [sets[index], sets[other]];
      const both = [...a].filter((word) => b.has(word)).length;
      const either = a.size + b.size - both;
      if (either && both / either >= ALIKE) duplicates.push([scu, scus[other]]);
    }
  });
  return duplicates;
}

/** Tiers, the heaviest first: [{weight, scus}]. */
export function tiersOf(scus, order) {
  const tiers = [];
  for (let weight = order; weight >= 1; weight--) tiers.push({ weight, scus: scus.filter((scu) => (scu.weight ?? weightOf(scu)) === weight) });
  return tiers;
}

/**
 * Sentences that resemble each other across texts: rows of at most one sentence of each text, the most alike first.
 * `texts` are [{handle, text: Text, sentences: [[start, end], …]}]; likeness is the idf-weighted cosine of words.
 */
export function alikeSentences(texts, least = 0.12) {
  const all = texts.flatMap(({ handle, text, sentences }) =>
    sentences.map((span) => ({ handle, span, words: new Set(contentWords(text.slice(...span))) })),
  );
  const frequency = new Map();
  for (const { words } of all) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const idf = (word) => Math.log(1 + all.length / frequency.get(word));
  const weight = (words) => [...words].reduce((sum, word) => sum + idf(word) ** 2, 0);
  const pairs = [];
  all.forEach((one, index) => {
    for (const other of all.slice(index + 1)) {
      if (other.handle === one.handle) continue;
      const both = weight([...one.words].filter((word) => other.words.has(word)));
      const alike = both / Math.sqrt(weight(one.words) * weight(other.words) || 1);
      if (alike >= least) pairs.push({ one, other, alike });
    }
  });
  pairs.sort((a, b) => b.alike - a.alike);
  const rowOf = new Map();
  const rows = new Set();
  for (const { one, other, alike } of pairs) {
    const [a, b] = [rowOf.get(one) ?? new Set([one]), rowOf.get(other) ?? new Set([other])];
    const handles = [...a, ...b].map((sentence) => sentence.handle);
    if (a === b || new Set(handles).size < handles.length) continue; // one sentence of each text
    for (const sentence of b) a.add(sentence);
    a.alike = Math.max(a.alike ?? 0, b.alike ?? 0, alike);
    rows.delete(b);
    rows.add(a);
    for (const sentence of a) rowOf.set(sentence, a);
  }
  return [...rows].map((row) => ({ alike: row.alike, sentences: [...row].map(({ handle, span }) => ({ handle, span })) })).sort((a, b) => b.sentences.length - a.sentences.length || b.alike - a.alike);
}
