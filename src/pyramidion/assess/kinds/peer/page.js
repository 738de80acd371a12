// Opens the peer page.

import { STEPS } from "./guide.js";
import { PeerPage } from "./peer-page.js";
import { openPage } from "../../static/js/task.js";

openPage((root, task) => new PeerPage(root, task, { steps: STEPS }));
