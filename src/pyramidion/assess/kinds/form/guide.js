// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".request", text: `${EXAMPLE}This is what the summaries were asked for. It stays in sight.` },
  { target: ".summary-text", text: "Read the summary. You never learn who wrote it, and people's summaries are among them." },
  { target: ".question", text: "Answer the marked question: press a number from 1 to 5, or click. The next question follows by itself.", until: hasKeys("answer/") },
  { target: ".asking", text: "Go on until all questions of all three summaries are answered.", until: hasKeys("answer/", 6) },
  { target: ".items", text: "You can go back to any summary: click its number, or press P and N. An answer can be changed until you hand in." },
  { target: "#comment", text: "If something needs explaining, comment on the summary. This is optional." },
  HAND_IN,
  END,
];
