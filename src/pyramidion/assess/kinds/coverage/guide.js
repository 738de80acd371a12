// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".units", text: `${EXAMPLE}The clauses of a model are on the left, the sentences of a summary on the right.` },
  { target: ".sentences", text: "For the marked clause: which sentences express some of it? Click them, or press their letters.", until: hasKeys("unit/") },
  { target: ".percents", text: "How much of the clause do they express together? Press 0 to 5 for 0 %, 20 % … 100 %.", until: (task) => Object.values(task.state).some((unit) => unit.percent > 0) },
  { target: ".units", text: "Go on until every clause has its share; 0 if nothing of it is there.", until: (task) => task.material.model.units.every((_, index) => (task.state[`unit/${index + 1}`]?.percent ?? null) !== null) },
  HAND_IN,
  END,
];
