// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".pairs", text: `${EXAMPLE}Two people matched the same summary against a pyramid. You see where they differ.` },
  { target: ".pairs", text: "Q keeps what A has, W what B has, B merges both, X leaves it out. Decide about all differences.", until: hasKeys("pair/", 2) },
  { target: ".agreement", text: "How far both agree: on which SCUs are present, and on the words." },
  HAND_IN,
  END,
];
