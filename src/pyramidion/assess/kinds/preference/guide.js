// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".request", text: `${EXAMPLE}This is what the summaries were asked for.` },
  { target: ".pair-sides", text: "Read both summaries. Which one stands on the left is random." },
  { target: ".question", text: "Which is the better answer to the request? Press A, B or T for a tie, or click.", until: hasKeys("choice/") },
  { target: "#reason", text: "A reason helps to understand your choice. It is optional." },
  { target: ".question", text: "Choose for the second pair, too.", until: hasKeys("choice/", 2) },
  HAND_IN,
  END,
];
