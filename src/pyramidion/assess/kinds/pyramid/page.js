// Opens the pyramid page.

import { STEPS } from "./guide.js";
import { PyramidPage } from "./pyramid-page.js";
import { openPage } from "../../static/js/task.js";

openPage((root, task) => new PyramidPage(root, task, { steps: STEPS }));
