// Clauses and sentences of a text, step by step.

import { same } from "./task.js";
import { trimmed } from "./text.js";

/** Select the one at the cursor; if that is selected already, the one that is `step` further. */
export function selectClauseOrSentence(view, spans, step) {
  const { selection, text } = view;
  let index = spans.findIndex(([, end]) => end > view.place);
  if (index < 0) index = spans.length - 1;
  if (index < 0) return;
  const isSelected = selection.view === view && same(selection.parts, trimmed([spans[index]], text));
  const next = isSelected ? Math.min(spans.length - 1, Math.max(0, index + step)) : index;
  view.choose([spans[next]]);
}

/**
 * The next words of a clause that no part has, as a span; null if there are none. `afterCursor`: from the clause at the
 * cursor on, and beyond what is selected.
 */
export function openWords(view, clauses, parts, { afterCursor = false } = {}) {
  const { text, selection, place } = view;
  const taken = new Set(text.wordsIn(parts).map(([start]) => start));
  const isSelected = selection.view === view;
  for (const clause of clauses) {
    if (afterCursor && (isSelected ? clause[1] <= place + 1 : clause[1] <= place)) continue;
    const words = text.wordsIn([clause]).filter(([start]) => !afterCursor || !isSelected || start > place);
    const begin = words.findIndex(([start]) => !taken.has(start));
    if (begin < 0) continue;
    const next = words.findIndex(([start], index) => index > begin && taken.has(start));
    return [words[begin][0], words[next < 0 ? words.length - 1 : next - 1][1]];
  }
  return null;
}
