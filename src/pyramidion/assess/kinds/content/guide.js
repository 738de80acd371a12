// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

const marked = (task) => Object.values(task.state).some((answer) => answer?.parts?.length);

export const STEPS = [
  { target: ".asked-scu", text: `${EXAMPLE}This is the content that is asked about, and how reference summaries put it.` },
  { target: ".content-text", text: "Read the summary. Does it say this, in whatever words? Press Y if it does, N if it does not. The next question follows by itself.", until: hasKeys("answer/") },
  { target: ".content-text", text: "Where is it? If you can, select the words that say it, by mouse, before you press Y. Try it with one of the next summaries.", until: marked },
  { target: ".asked-list", text: "The list shows what is answered. Click a question, or press P, to go back. An answer can be changed until you hand in." },
  { target: ".asking", text: "Press U if you are unsure: the question stays open until you decide. Answer all that are left.", until: hasKeys("answer/", 9) },
  HAND_IN,
  END,
];
