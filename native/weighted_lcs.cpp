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

// The columns where the peer has each type, from left to right.
void WeightedLcs::index_peer(Ids peer) {
  std::size_t types = 0;
  for (const Id id : peer) {
    if (id != kNone) types = std::max<std::size_t>(types, id + 1);
  }
  places_begin_.assign(types + 2, 0);
  for (const Id id : peer) {
    if (id != kNone) ++places_begin_[id + 2];
  }
  for (std::size_t type = 2; type < places_begin_.size(); ++type) places_begin_[type] += places_begin_[type - 1];
  places_.resize(places_begin_.back());
  for (std::uint32_t j = 0; j < peer.size(); ++j) {
    if (peer[j] != kNone) places_[places_begin_[peer[j] + 1]++] = j;
  }
}

// Most cells of a row are those of the row above: only a match changes the score, up or down, and what it changes goes
// on to the right until the row above is no worse. Rows are kept in one array, and only such cells are visited.
void WeightedLcs::fill_table(Ids model, Ids peer) {
  if (model.empty() || peer.empty()) return;
  prepare(std::min(model.size(), peer.size()));
  score_.assign(peer.size() + 1, 0);
  for (auto& runs : runs_) {
    if (runs.size() < peer.size() + 1) runs.resize(peer.size() + 1);
  }
  row_words_ = (peer.size() + 63) / 64;
  up_.assign(model.size() * row_words_, ~std::uint64_t{0});
  dips_.clear();
  ++row_;  // runs of another table are over
  const std::size_t types = places_begin_.size() - 2;
  for (std::size_t i = 0; i < model.size(); ++i) {
    ++row_;
    const Id type = model[i];
    if (type >= types) {
      fill_row(i, {}, peer.size());
    } else {
      const std::uint32_t begin = places_begin_[type], end = places_begin_[type + 1];
      fill_row(i, std::span<const std::uint32_t>(places_).subspan(begin, end - begin), peer.size());
    }
  }
}

// A match adds f(k+1) - f(k) to the diagonal, k being the run that ends there. The sums are taken in the order of
// ROUGE-1.5.5, because ties between up and left are decided by the last bit.
void WeightedLcs::fill_row(std::size_t row, std::span<const std::uint32_t> matches, std::size_t columns) {
  std::vector<Run>& runs = runs_[row_ % 2];
  const std::vector<Run>& runs_above = runs_[(row_ + 1) % 2];
  std::uint64_t* up = &up_[row * row_words_];
  next_dips_.clear();
  std::size_t changed = ~std::size_t{0};  // the last column that was changed, and what the row above has there
  double above_changed = 0;
  const auto change = [&](std::size_t column, double value) {
    changed = column;
    above_changed = score_[column + 1];
    score_[column + 1] = value;
  };
  auto match = matches.begin();
  auto dip = dips_.begin();
  for (std::size_t j = 0;;) {
    const std::size_t next_match = match == matches.end() ? columns : *match;
    while (dip != dips_.end() && *dip < j) ++dip;
    j = std::min(next_match, dip == dips_.end() ? columns : std::size_t{*dip});
    if (j >= columns) break;
    if (j == next_match) {
      ++match;
      const double diagonal = j > 0 && changed == j - 1 ? above_changed : score_[j];
      const std::uint32_t run = j > 0 && runs_above[j - 1].row == row_ - 1 ? runs_above[j - 1].length : 0;
      change(j, diagonal + powers_[run + 1] - powers_[run]);
      runs[j] = {row_, run + 1};
      if (score_[j + 1] < score_[j]) next_dips_.push_back(static_cast<std::uint32_t>(j));
      ++j;
    }
    for (const std::size_t stop = match == matches.end() ? columns : *match; j < stop; ++j) {
      const double above = score_[j + 1], left = score_[j];
      if (above >= left) break;
      up[j / 64] &= ~(std::uint64_t{1} << (j % 64));
      change(j, left);
    }
  }
  dips_.swap(next_dips_);
}

}  // namespace pyramidion
