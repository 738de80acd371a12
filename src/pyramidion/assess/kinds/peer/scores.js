// Pyramid scores of a peer as it is annotated (Nenkova & Passonneau 2004, §3): what `pyramidion pyramid score` says of it.

/**
 * `scus` are [{uid, weight}], `decisions` a function uid → {present, contributors} or undefined, `unmatched` the number
 * of units that match nothing (null: not marked), `modelSize` X′. Undefined scores are null.
 */
export function pyramidScores(scus, decisions, unmatched, modelSize) {
  const weights = scus.map((scu) => scu.weight).sort((a, b) => b - a);
  const present = scus.filter((scu) => decisions(scu.uid)?.present === true);
  const matched = present.reduce((sum, scu) => sum + scu.weight, 0);
  const mentions = present.reduce((sum, scu) => sum + Math.max(1, decisions(scu.uid).contributors.length), 0);
  const size = unmatched === null ? null : mentions + unmatched;
  const best = size === null ? null : most(weights, size);
  const modelBest = most(weights, modelSize);
  const ratio = (of) => (of === null ? null : of > 0 ? matched / of : 0);
  return { D: matched, X: size, max: best, P: ratio(best), modified: ratio(modelBest), modelSize, modelBest };
}

/** Max(X): the sum of the X largest weights. */
function most(weights, size) {
  return weights.slice(0, size).reduce((sum, weight) => sum + weight, 0);
}
