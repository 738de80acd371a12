// The steps of each guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

const some = (start) => (task) => Object.keys(task.state).some((key) => key.startsWith(start));
const number = (start, least) => (task) => Object.keys(task.state).filter((key) => key.startsWith(start)).length >= least;
const done = (task) => task.done;
const HAND_IN = { target: ".tools-bar", text: "Every change is saved at once: the bar says so. When you have finished, press Hand in. Try it now.", until: done };
const END = { text: "That is all. Until the organiser says otherwise, you can open work again after handing it in. The key ? lists all keys." };
const EXAMPLE = "This is an example to try; nothing of it is kept. ";

export const STEPS = {
  form: [
    { target: ".request", text: `${EXAMPLE}This is what the summaries were asked for. It stays in sight.` },
    { target: ".summary-text", text: "Read the summary. You never learn who wrote it, and people's summaries are among them." },
    { target: ".question", text: "Answer the marked question: press a number from 1 to 5, or click. The next question follows by itself.", until: some("answer/") },
    { target: ".asking", text: "Go on until all questions of all three summaries are answered.", until: number("answer/", 6) },
    { target: ".items", text: "You can go back to any summary: click its number, or press P and N. An answer can be changed until you hand in." },
    { target: "#comment", text: "If something needs explaining, comment on the summary. This is optional." },
    HAND_IN,
    END,
  ],
  preference: [
    { target: ".request", text: `${EXAMPLE}This is what the summaries were asked for.` },
    { target: ".pair-sides", text: "Read both summaries. Which one stands on the left is random." },
    { target: ".question", text: "Which is the better answer to the request? Press A, B or T for a tie, or click.", until: some("choice/") },
    { target: "#reason", text: "A reason helps to understand your choice. It is optional." },
    { target: ".question", text: "Choose for the second pair, too.", until: number("choice/", 2) },
    HAND_IN,
    END,
  ],
  write: [
    { target: ".request", text: `${EXAMPLE}This is what your summary should answer.` },
    { target: ".documents", text: "Read the documents, oldest first. Mark one as read with the button or the key R.", until: some("read/") },
    { target: "#search", text: "Search finds words in all documents." },
    { target: "#editor", text: "Write your summary here; write some words now. It is saved while you type.", until: (task) => Boolean(task.state.text) },
    { target: "#words", text: "The number of words and the limit. A text above the limit can't be handed in." },
    HAND_IN,
    END,
  ],
};
