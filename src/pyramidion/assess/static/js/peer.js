// Opens the peer page.

import { PeerPage } from "./peer-page.js";
import { loadTask } from "./task.js";

export async function start(root) {
  new PeerPage(root, await loadTask(root));
}

const root = document.querySelector("#work");
if (root) start(root);
