// ROUGE-W: as ROUGE-L, with a table that favours runs of consecutive matches, weighted by f(k) = k^w.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "types.hpp"

namespace pyramidion {

class WeightedLcs {
 public:
  explicit WeightedLcs(double weight) : weight_(weight) {}

  // f(k) = k^w.
  double f(double k) const;

  // Σ over the sentences of f(length).
  double weighted_length(Ends ends) const;

  // marks[i] = 1 for each model token in the union. visit(model position, peer position) sees each diagonal step.
  template <class Visit>
  void mark(Ids model, Ends ends, Ids peer, Ends peer_ends, std::vector<std::uint8_t>& marks, Visit&& visit);

  // Pays for the marked runs. take(model position) says whether a marked token passes clipping. A run is paid f(run)
  // at a position that passed when the next one is unmarked or the sentence ends; a run whose last position is
  // clipped away goes on in the next run of the sentence, or is lost at its end.
  template <class Take>
  double pay(Ends ends, const std::vector<std::uint8_t>& marks, Take&& take) const;

 private:
  void prepare(std::size_t longest_run);
  void index_peer(Ids peer);
  void fill_table(Ids model, Ids peer);
  void fill_row(std::size_t row, std::span<const std::uint32_t> matches, std::size_t columns);
  bool is_up(std::size_t row, std::size_t column) const {
    return up_[row * row_words_ + column / 64] >> (column % 64) & 1;
  }

  // The run that ends in a cell; it is over when the row is not the one before.
  struct Run {
    std::uint64_t row = 0;
    std::uint32_t length = 0;
  };

  double weight_;
  std::vector<double> powers_;                        // f(0), f(1), …
  std::vector<double> score_;                         // a row of the table
  std::vector<std::uint32_t> dips_, next_dips_;       // columns of the row whose score is below that to their left
  std::vector<Run> runs_[2];                          // by column, for rows of even and odd number
  std::uint64_t row_ = 0;                             // rows filled since the beginning of time
  std::vector<std::uint32_t> places_, places_begin_;  // columns of each type, type after type
  std::vector<std::uint64_t> up_;                     // a bit per cell: up is no worse than left
  std::size_t row_words_ = 0;
};

template <class Visit>
void WeightedLcs::mark(Ids model, Ends ends, Ids peer, Ends peer_ends, std::vector<std::uint8_t>& marks,
                       Visit&& visit) {
  marks.assign(model.size(), 0);
  std::size_t peer_first = 0;
  for (const std::size_t peer_last : peer_ends) {
    const Ids other = peer.subspan(peer_first, peer_last - peer_first);
    index_peer(other);
    std::size_t first = 0;
    for (const std::size_t last : ends) {
      const Ids sentence = model.subspan(first, last - first);
      fill_table(sentence, other);
      for (std::size_t i = sentence.size(), j = other.size(); i > 0 && j > 0;) {
        if (sentence[i - 1] == other[j - 1]) {
          --i, --j;
          marks[first + i] = 1;
          visit(first + i, peer_first + j);
        } else if (is_up(i - 1, j - 1)) {
          --i;
        } else {
          --j;
        }
      }
      first = last;
    }
    peer_first = peer_last;
  }
}

template <class Take>
double WeightedLcs::pay(Ends ends, const std::vector<std::uint8_t>& marks, Take&& take) const {
  double paid = 0;
  std::size_t i = 0;
  for (const std::size_t end : ends) {
    std::uint32_t run = 0;
    for (; i < end; ++i) {
      if (!marks[i] || !take(i)) continue;
      ++run;
      if (i + 1 == end || !marks[i + 1]) {
        paid += f(run);
        run = 0;
      }
    }
  }
  return paid;
}

}  // namespace pyramidion
