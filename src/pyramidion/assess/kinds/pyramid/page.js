// Opens the pyramid page.

import { PyramidPage } from "./pyramid-page.js";
import { openPage } from "../../static/js/task.js";

openPage((root, task) => new PyramidPage(root, task));
