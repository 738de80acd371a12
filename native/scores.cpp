#include "scores.hpp"

namespace pyramidion {
namespace {

double ratio(double numerator, double denominator) { return denominator != 0 ? numerator / denominator : 0; }

}  // namespace

Scores scores_of(const Totals& totals, const ScoreRule& rule) {
  const double recall = ratio(totals.hits, totals.model), precision = ratio(totals.hits, totals.peer);
  const double f = rule.best_f ? ratio(2 * precision * recall, precision + recall)
                               : ratio(precision * recall, (1 - rule.alpha) * precision + rule.alpha * recall);
  return {recall, precision, f};
}

Totals total_of(const CountRows& counts, std::size_t first, std::size_t end, const ScoreRule& rule) {
  Totals total = counts[first];
  if (rule.best_f) {
    double best = end - first > 1 ? scores_of(total, rule).f : 0;
    for (std::size_t i = first + 1; i < end; ++i) {
      const double f = scores_of(counts[i], rule).f;
      if (!(f > best)) continue;
      best = f;
      total = counts[i];
    }
    return total;
  }
  for (std::size_t i = first + 1; i < end; ++i) {
    const Totals more = counts[i];
    total = {total.hits + more.hits, total.model + more.model, total.peer + more.peer};
  }
  return total;
}

}  // namespace pyramidion
