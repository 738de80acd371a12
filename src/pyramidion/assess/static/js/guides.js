// The steps of each guide: what to read, what to try (`until` says when it was tried), and what of the page it is about.

const some = (start) => (task) => Object.keys(task.state).some((key) => key.startsWith(start));
const number = (start, least) => (task) => Object.keys(task.state).filter((key) => key.startsWith(start)).length >= least;
const units = (task) => Object.entries(task.state).filter(([key]) => key.startsWith("scu/")).map(([, scu]) => scu);
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
  pyramid: [
    { target: ".side-by-side", text: `${EXAMPLE}Two model summaries of one topic. You look for content that they express: summary content units (SCUs). The more models express an SCU, the more it weighs.` },
    { target: "#model-1", text: "Select words that say that a ferry burned: drag with the mouse, or press 1 and then Shift with the arrow keys. Then press N for a new SCU.", until: some("scu/") },
    { target: "#model-2", text: "Select the words of the other model that say the same, and press A to add them. A model contributes once to an SCU; words that stand apart are parts (hold Ctrl, or press P).", until: (task) => units(task).some((scu) => scu.contributors.length > 1) },
    { target: ".scus", text: "Press L and write a label: a short sentence that says what both say. Enter goes back to the text.", until: (task) => task.history.some((event) => event.action === "label") },
    { target: ".drawn", text: "The pyramid grows as you work. Point at a block to see its words in every model." },
    { target: ".findings", text: "Grey words are in no SCU yet. The checks lead you to them. Make one more SCU: all people were saved.", until: number("scu/", 2) },
    { target: ".tools-bar", text: "M merges two SCUs, S splits one, Del removes. Press Ctrl-Z to take a step back: undo has no limit.", until: (task) => task.history.some((event) => event.action === "undo") },
    HAND_IN,
    END,
  ],
  peer: [
    { target: "#summary", text: `${EXAMPLE}A summary, and the SCUs of the models by weight. Which of them does it express?` },
    { target: ".tiers", text: "The current SCU is marked; J and K go to the next and the previous one. Select the words of the summary that express it, and press A.", until: (task) => units(task).some((scu) => scu.present) },
    { target: ".detail", text: "If the summary says it once more, select those words and press R. O shows the models." },
    { target: "#summary", text: "Mark a second SCU that the summary expresses.", until: number("scu/", 2) },
    { target: "#summary", text: "Select words that match no SCU, for example “On Monday”, and press U.", until: (task) => Boolean(task.state.unmatched) },
    { target: ".drawn", text: "The pyramid shows what the summary has; scores follow every change, if the organiser shows them." },
    HAND_IN,
    END,
  ],
  coverage: [
    { target: ".units", text: `${EXAMPLE}The clauses of a model are on the left, the sentences of a summary on the right.` },
    { target: ".sentences", text: "For the marked clause: which sentences express some of it? Click them, or press their letters.", until: some("unit/") },
    { target: ".percents", text: "How much of the clause do they express together? Press 0 to 5 for 0 %, 20 % … 100 %.", until: (task) => Object.values(task.state).some((unit) => unit.percent > 0) },
    { target: ".units", text: "Go on until every clause has its share; 0 if nothing of it is there.", until: (task) => task.material.model.units.every((_, index) => (task.state[`unit/${index + 1}`]?.percent ?? null) !== null) },
    HAND_IN,
    END,
  ],
  adjudicate: [
    { target: ".pairs", text: `${EXAMPLE}Two people annotated the same models. Their SCUs are paired by the words they share, the least alike first.` },
    { target: ".pairs", text: "Look at the first pair. Q keeps what A has, W what B has, B merges both, X leaves it out. Decide.", until: some("pair/") },
    { target: ".agreement", text: "How far both agree (Krippendorff's α), and how far each agrees with the consensus." },
    { target: ".pairs", text: "Decide about all pairs. What both have alike can be taken over with one button.", until: (task) => task.material.pairs.every(({ first, second }) => task.state[`pair/${first ?? ""}-${second ?? ""}`]) },
    { target: ".scus", text: "The consensus is an ordinary pyramid: edit labels and words as you like." },
    HAND_IN,
    END,
  ],
  "adjudicate-peer": [
    { target: ".pairs", text: `${EXAMPLE}Two people matched the same summary against a pyramid. You see where they differ.` },
    { target: ".pairs", text: "Q keeps what A has, W what B has, B merges both, X leaves it out. Decide about all differences.", until: number("pair/", 2) },
    { target: ".agreement", text: "How far both agree: on which SCUs are present, and on the words." },
    HAND_IN,
    END,
  ],
};
