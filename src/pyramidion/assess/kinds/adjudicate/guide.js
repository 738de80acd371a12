// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".pairs", text: `${EXAMPLE}Two people annotated the same models. Their SCUs are paired by the words they share, the least alike first.` },
  { target: ".pairs", text: "Look at the first pair. Q keeps what A has, W what B has, B merges both, X leaves it out. Decide.", until: hasKeys("pair/") },
  { target: ".agreement", text: "How far both agree (Krippendorff's α), and how far each agrees with the consensus." },
  { target: ".pairs", text: "Decide about all pairs. What both have alike can be taken over with one button.", until: (task) => task.material.pairs.every(({ first, second }) => task.state[`pair/${first ?? ""}-${second ?? ""}`]) },
  { target: ".scus", text: "The consensus is an ordinary pyramid: edit labels and words as you like." },
  HAND_IN,
  END,
];
