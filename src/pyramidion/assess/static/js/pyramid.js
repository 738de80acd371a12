// Opens the pyramid page.

import { PyramidPage } from "./pyramid-page.js";
import { loadTask } from "./task.js";

export async function start(root) {
  new PyramidPage(root, await loadTask(root));
}

const root = document.querySelector("#work");
if (root) start(root);
