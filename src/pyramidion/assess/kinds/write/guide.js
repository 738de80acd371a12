// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

export const STEPS = [
  { target: ".request", text: `${EXAMPLE}This is what your summary should answer.` },
  { target: ".documents", text: "Read the documents, oldest first. Mark one as read with the button or the key R.", until: hasKeys("read/") },
  { target: "#search", text: "Search finds words in all documents." },
  { target: "#editor", text: "Write your summary here; write some words now. It is saved while you type.", until: (task) => Boolean(task.state.text) },
  { target: "#words", text: "The number of words and the limit. A text above the limit can't be handed in." },
  HAND_IN,
  END,
];
