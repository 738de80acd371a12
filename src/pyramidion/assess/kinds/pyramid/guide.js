// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

const scusIn = (task) => Object.entries(task.state).filter(([key]) => key.startsWith("scu/")).map(([, scu]) => scu);

export const STEPS = [
  { target: ".side-by-side", text: `${EXAMPLE}Two model summaries of one topic. You look for content that they express: summary content units (SCUs). The more models express an SCU, the more it weighs.` },
  { target: "#model-1", text: "Select words that say that a ferry burned: drag with the mouse, or press 1 and then Shift with the arrow keys. Then press N for a new SCU.", until: hasKeys("scu/") },
  { target: "#model-2", text: "Select the words of the other model that say the same, and press A to add them. A model contributes once to an SCU; words that stand apart are parts (hold Ctrl, or press P).", until: (task) => scusIn(task).some((scu) => scu.contributors.length > 1) },
  { target: ".scus", text: "Press L and write a label: a short sentence that says what both say. Enter goes back to the text.", until: (task) => task.history.some((event) => event.action === "label") },
  { target: ".drawn", text: "The pyramid grows as you work. Point at a block to see its words in every model." },
  { target: ".findings", text: "Grey words are in no SCU yet. The checks lead you to them. Make one more SCU: all people were saved.", until: hasKeys("scu/", 2) },
  { target: ".tools-bar", text: "M merges two SCUs, S splits one, Del removes. Press Ctrl-Z to take a step back: undo has no limit.", until: (task) => task.history.some((event) => event.action === "undo") },
  HAND_IN,
  END,
];
