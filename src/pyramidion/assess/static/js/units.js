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
