// What pages of judging and writing show: the request, summaries with what was cut, texts as paragraphs.

import { counted, h } from "./dom.js";

/** A text as paragraphs, each in its own direction. */
export function paragraphs(text) {
  return text.split("\n").map((line) => h("p", { dir: "auto" }, line));
}

/** What the topic asks for, always in sight; it replaces the short form of the frame. */
export function requestBox(root, { topic, title, narrative }) {
  root.querySelector(".heading details")?.remove();
  if (!title && !narrative) return null;
  return h("details", { class: "request", open: true }, h("summary", {}, `Request of topic ${topic}`), h("p", { dir: "auto" }, title ? h("b", {}, title) : null, title && narrative ? ". " : null, narrative));
}

/** How many words a summary has, and how many were cut. */
export function lengthSentence({ words, cut }, limit) {
  if (!limit) return counted(words, "word");
  return cut ? `Cut at the limit of ${counted(limit, "word")}: ${counted(cut, "word")} left out.` : `${counted(words, "word")}; the limit is ${limit}.`;
}
