#include "weighted_lcs.hpp"

#include <algorithm>
#include <cmath>

namespace pyramidion {

double WeightedLcs::f(double k) const { return std::pow(k, weight_); }

double WeightedLcs::weighted_length(Ends ends) const {
  double sum = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    sum += f(end - begin);
    begin = end;
  }
  return sum;
}

void WeightedLcs::prepare(std::size_t longest_run) {
  for (std::size_t k = powers_.size(); k <= longest_run + 1; ++k) powers_.push_back(f(static_cast<double>(k)));
}

// A match adds f(k+1) - f(k) to the diagonal, k being the run that ends there. The sums are taken in the order of
// ROUGE-1.5.5, because ties between up and left are decided by the last bit.
void WeightedLcs::fill_table(Ids model, Ids peer) {
  if (model.empty() || peer.empty()) return;
  prepare(std::min(model.size(), peer.size()));
  score_.assign(peer.size() + 1, 0);
  run_.assign(peer.size() + 1, 0);
  row_words_ = (peer.size() + 63) / 64;
  up_.assign(model.size() * row_words_, 0);
  for (std::size_t i = 0; i < model.size(); ++i) {
    double left = 0, diagonal = 0;
    std::uint32_t diagonal_run = 0;
    for (std::size_t j = 0; j < peer.size(); ++j) {
      const double above = score_[j + 1];
      const std::uint32_t above_run = run_[j + 1];
      if (model[i] == peer[j]) {
        left = diagonal + powers_[diagonal_run + 1] - powers_[diagonal_run];
        run_[j + 1] = diagonal_run + 1;
      } else {
        up_[i * row_words_ + j / 64] |= std::uint64_t{above >= left} << (j % 64);
        left = std::max(above, left);
        run_[j + 1] = 0;
      }
      score_[j + 1] = left;
      diagonal = above;
      diagonal_run = above_run;
    }
  }
}

}  // namespace pyramidion
