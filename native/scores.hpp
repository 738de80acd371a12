// Recall, precision and F of a row's counts: the operations of pyramidion.scores.overlap, in their order.
#pragma once

#include <cstddef>

namespace pyramidion {

struct ScoreRule {
  bool best_f = false;  // the pair with the best F, the first of equals, as in rouge-score; else all pairs together
  double alpha = 0.5;
};

struct Scores {
  double recall, precision, f;
};

struct Totals {
  double hits, model, peer;
};

// Counts of pairs, each a row of numbers that begins with hits, model count and peer count. Steps are in numbers.
struct CountRows {
  const double* first;
  std::ptrdiff_t row_step, column_step;
  Totals operator[](std::size_t row) const {
    const double* at = first + static_cast<std::ptrdiff_t>(row) * row_step;
    return {at[0], at[column_step], at[2 * column_step]};
  }
};

Scores scores_of(const Totals& totals, const ScoreRule& rule);

// What the pairs first … end-1 come to; there is at least one.
Totals total_of(const CountRows& counts, std::size_t first, std::size_t end, const ScoreRule& rule);

}  // namespace pyramidion
