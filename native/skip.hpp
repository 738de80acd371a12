// Clipped overlap of skip-bigrams: ordered pairs of tokens with at most `gap` tokens between them.
#pragma once

#include <cstdint>
#include <vector>

#include "grams.hpp"
#include "types.hpp"

namespace pyramidion {

class SkipBigrams {
 public:
  // gap < 0: no limit.
  explicit SkipBigrams(std::int64_t gap) : gap_(gap) {}

  // How many pairs a text of this length has.
  std::uint64_t total(std::size_t length) const;

  void index(Ids model, std::size_t types);

  // Tokens of the peer that the model lacks are kNone. Throws std::length_error when the work passes max_cells.
  std::uint64_t count(Ids peer, std::uint64_t max_cells);

 private:
  // The furthest distance within a pair, for a text of this length.
  std::size_t reach(std::size_t length) const;
  std::uint64_t count_listed(Ids peer);
  std::uint64_t count_by_first_type(Ids peer);
  std::size_t shared_types(Ids peer);
  template <class Visit>
  void each_pair(Ids text, Visit&& visit) const;

  std::int64_t gap_;
  Ids model_;
  std::vector<std::uint8_t> in_peer_;
  std::vector<Id> model_shared_, peer_shared_;
  std::vector<std::uint64_t> model_pairs_, peer_pairs_;
  PairTable table_;
  bool listed_ = false;  // whether the table holds all pairs of the model
  std::vector<Id> touched_;
};

}  // namespace pyramidion
