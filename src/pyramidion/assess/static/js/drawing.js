// The pyramid as a drawing: a row for each tier, a block for each SCU.

import { counted, svg } from "./dom.js";
import { tiersOf } from "./scus.js";

const BLOCK = 26;
const HIGH = 18;
const GAP = 3;
const LEFT = 42;

/** `look(scu)` gives a block's class; `on` has over(scu), out(), pick(scu). */
export function drawPyramid(scus, order, { look = () => "", on = {} } = {}) {
  const tiers = tiersOf(scus, Math.max(order, ...scus.map((scu) => scu.weight ?? 0)));
  const widest = Math.max(1, ...tiers.map((tier) => tier.scus.length));
  const perRow = Math.min(widest, 14);
  const width = LEFT + perRow * (BLOCK + GAP);
  const drawn = [];
  let top = 0;
  for (const { weight, scus: here } of tiers) {
    const rows = Math.max(1, Math.ceil(here.length / perRow));
    drawn.push(svg("text", { x: 0, y: top + HIGH - 5, class: "tier" }, `${weight} ×${here.length}`));
    here.forEach((scu, index) => {
      const row = Math.floor(index / perRow);
      const inRow = Math.min(perRow, here.length - row * perRow);
      const x = LEFT + ((perRow - inRow) * (BLOCK + GAP)) / 2 + (index % perRow) * (BLOCK + GAP);
      const y = top + row * (HIGH + GAP);
      drawn.push(
        svg(
          "g",
          { class: `block ${look(scu)}`, "data-uid": scu.uid, onpointerenter: () => on.over?.(scu), onpointerleave: () => on.out?.(), onclick: () => on.pick?.(scu) },
          svg("title", {}, `${scu.uid}: ${scu.label}`),
          svg("rect", { x, y, width: BLOCK, height: HIGH, rx: 3 }),
          svg("text", { x: x + BLOCK / 2, y: y + HIGH - 5, "text-anchor": "middle" }, String(scu.uid)),
        ),
      );
    });
    top += rows * (HIGH + GAP) + GAP;
  }
  const description = tiers.map(({ weight, scus: here }) => `${counted(here.length, "SCU")} of weight ${weight}`).join(", ");
  return svg("svg", { class: "pyramid", viewBox: `0 0 ${width} ${Math.max(top, HIGH)}`, width, height: Math.max(top, HIGH), role: "img", "aria-label": `The pyramid: ${description}` }, drawn);
}
