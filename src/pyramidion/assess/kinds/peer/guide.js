// The guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

import { END, EXAMPLE, HAND_IN, hasKeys } from "../../static/js/guide.js";

const scusIn = (task) => Object.entries(task.state).filter(([key]) => key.startsWith("scu/")).map(([, scu]) => scu);

export const STEPS = [
  { target: "#summary", text: `${EXAMPLE}A summary, and the SCUs of the models by weight. Which of them does it express?` },
  { target: ".tiers", text: "The current SCU is marked; J and K go to the next and the previous one. Select the words of the summary that express it, and press A.", until: (task) => scusIn(task).some((scu) => scu.present) },
  { target: ".detail", text: "If the summary says it once more, select those words and press R. O shows the models." },
  { target: "#summary", text: "Mark a second SCU that the summary expresses.", until: hasKeys("scu/", 2) },
  { target: "#summary", text: "Select words that match no SCU, for example “On Monday”, and press U.", until: (task) => Boolean(task.state.unmatched) },
  { target: ".drawn", text: "The pyramid shows what the summary has; scores follow every change, if the organiser shows them." },
  HAND_IN,
  END,
];
