// Counts for pairs of a peer and a model: hits, model count, peer count, and W's single-weighted model count.
#pragma once

#include <cstdint>
#include <vector>

#include "documents.hpp"
#include "grams.hpp"
#include "lcs.hpp"
#include "skip.hpp"
#include "types.hpp"
#include "weighted_lcs.hpp"

namespace pyramidion {

enum class Family { n, l, w, s, su, flat_l };

inline constexpr double kLongestGram = 1000;  // a table for each length up to the longest: more serves nobody

struct Kind {
  Family family;
  double parameter;  // n of n-grams, the weight of W, the gap of S and SU (negative: unlimited)
};

// Throws std::invalid_argument for a parameter that the family can't have: the kernels rely on it.
void check_kind(const Kind& kind);

// What ROUGE-1.5.5 does and users may wish it did not (the quirks of length limits are in Limit).
struct Quirks {
  bool su_drops_last_unigram = true;    // the unigram of the last token is never counted
  bool w_weights_model_twice = true;    // the model count of W is (Σ length^w)^w
};

struct Task {
  std::vector<Kind> kinds;
  Quirks quirks;
  std::uint64_t max_cells;
};

struct Counts {
  double hits = 0, model = 0, peer = 0, single = 0;
};

// Both tables of remaining unigrams, for the clipping of L and W: a marked token counts only while both hold it.
class Clipping {
 public:
  void start(const std::vector<std::uint32_t>& model, const std::vector<std::uint32_t>& peer) {
    model_ = model;
    peer_ = peer;
  }
  bool take(Id type) {
    if (model_[type] == 0 || peer_[type] == 0) return false;
    --model_[type];
    --peer_[type];
    return true;
  }

 private:
  std::vector<std::uint32_t> model_, peer_;
};

// Counts one model against any number of peers. One for each thread, on texts that outlive it.
class PairCounter {
 public:
  PairCounter(const Task& task, std::size_t vocabulary);
  ~PairCounter();
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;

  void set_model(const Document& model);
  void count(const Document& peer, Counts* out);

 private:
  // Numbers the tokens of a model by themselves: 0, 1, 2, … in the order they appear.
  void number_model(const Document& model);
  void forget_model();
  void localise(Ids tokens, std::vector<Id>& out) const;
  void read_peer(const Document& peer);
  // Counts the unigrams of both texts by type, which only some kinds need.
  void count_unigrams();
  void count_grams();
  std::uint64_t unigram_hits_without_last();

  Counts count_n(std::size_t n) const;
  Counts count_l();
  Counts count_flat_l();
  Counts count_w(WeightedLcs& table);
  Counts count_s(SkipBigrams& pairs, bool unigrams);

  const Task& task_;
  bool needs_lcs_ = false, needs_flat_ = false;

  Document model_, peer_;
  std::vector<Id>& local_;                      // number of a token in the model, by its number in the call
  std::vector<Id> model_tokens_, model_lcs_tokens_;
  std::size_t types_ = 0;
  bool model_lcs_differs_ = false, model_is_short_ = false;

  std::vector<Id> peer_tokens_, peer_lcs_tokens_;
  bool peer_lcs_differs_ = false;

  std::vector<std::uint32_t> model_counts_, peer_counts_;  // unigrams, by local number
  bool model_is_counted_ = false, peer_is_counted_ = false;

  NGrams grams_;
  ShortNGrams short_grams_;
  std::vector<std::uint64_t> gram_hits_;  // by n - 1
  UnionLcs union_lcs_, flat_lcs_;
  Clipping clipping_;
  std::vector<std::uint8_t> marks_;
  std::vector<WeightedLcs> weighted_;           // by kind, in order
  std::vector<SkipBigrams> skips_;
};

struct Pair {
  std::int64_t peer, model;
};

// Counts all pairs. out: pairs × kinds × 4 numbers. Throws std::length_error when a pair needs more than max_cells.
void count_pairs(const Documents& documents, const std::vector<Pair>& pairs, const Task& task, std::size_t threads,
                 double* out);

}  // namespace pyramidion
