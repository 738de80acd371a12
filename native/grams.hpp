// Clipped overlap of n-grams with one model.
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "bits.hpp"
#include "types.hpp"

namespace pyramidion {

// Counts of two-part keys in one model, and how many of them a peer has used up. Sized once per model.
class PairTable {
 public:
  struct Slot {
    std::uint64_t key;
    std::uint32_t count, used;
  };

  static std::uint64_t key(Id first, Id second) { return (std::uint64_t{first} << 32) | second; }

  void reset(std::size_t most_keys);

  // Counts a key of the model; gives its slot, which is also the number of the pair.
  Id add(std::uint64_t key) {
    std::size_t at = home(key);
    while (slots_[at].key != key) {
      if (slots_[at].key == kFree) {
        slots_[at] = {key, 0, 0};
        break;
      }
      at = (at + 1) & mask_;
    }
    ++slots_[at].count;
    return static_cast<Id>(at);
  }

  // The slot of a key, or kNone.
  Id find(std::uint64_t key) const {
    std::size_t at = home(key);
    while (slots_[at].key != key) {
      if (slots_[at].key == kFree) return kNone;
      at = (at + 1) & mask_;
    }
    return static_cast<Id>(at);
  }

  // Takes one occurrence for the peer: true while the model has one left.
  bool use(Id slot) { return slots_[slot].used++ < slots_[slot].count; }
  void restore(Id slot) { slots_[slot].used = 0; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no pair: both parts would be kNone

  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift_);
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 63;
};

// n-grams of all lengths up to the longest asked for. An n-gram is the pair (its first n-1 tokens, its last token),
// so that keys are exact for every n.
class NGrams {
 public:
  explicit NGrams(std::size_t longest) : tables_(longest < 2 ? 0 : longest - 1) {}

  void index(Ids model);

  // hits[n-2] for n = 2 … longest. Tokens of the peer that the model lacks are kNone. `visit(n, start)`, if asked
  // for, is called for each n-gram of the peer that counts.
  void count(Ids peer, std::vector<std::uint64_t>& hits);
  template <class Visit>
  void count(Ids peer, std::vector<std::uint64_t>& hits, Visit&& visit);

 private:
  std::vector<PairTable> tables_;
  std::vector<Id> prefix_;
  std::vector<Id> touched_;
};

// The same for short models, as bits: those of a token say where the model has it. An n-gram ends at a place if its first
// n-1 tokens end at the place before, and its last n-1 tokens end here. Each n-gram of the peer takes a place of its own,
// as long as there are any. Nothing here branches on what the texts have in common.
class ShortNGrams {
 public:
  static constexpr std::size_t kMostTokens = kMostBits;

  explicit ShortNGrams(std::size_t longest) : longest_(longest) {}

  // The tokens of the model are numbered 0 … types-1, and there are at most kMostTokens.
  void index(Ids model, std::size_t types);

  // hits[n-1] for n = 1 … longest. Tokens of the peer that the model lacks are kNone.
  void count(Ids peer, std::vector<std::uint64_t>& hits);

 private:
  template <class Bits>
  void count_as(Ids peer, std::vector<std::uint64_t>& hits);

  std::size_t longest_, words_ = 1, types_ = 0;
  std::vector<std::uint64_t> places_;  // by type, and last those of a token that the model lacks: none
  std::vector<std::uint64_t> ends_;    // by token of the peer: where the n-gram that ends with it ends in the model
};

template <class Visit>
void NGrams::count(Ids peer, std::vector<std::uint64_t>& hits, Visit&& visit) {
  hits.assign(tables_.size(), 0);
  prefix_.assign(peer.begin(), peer.end());
  for (std::size_t level = 0; level < tables_.size(); ++level) {
    PairTable& table = tables_[level];
    const std::size_t n = level + 2;
    touched_.clear();
    for (std::size_t i = 0; i + n <= peer.size(); ++i) {
      const Id last = peer[i + n - 1];
      if (prefix_[i] == kNone || last == kNone) {
        prefix_[i] = kNone;
        continue;
      }
      const Id slot = prefix_[i] = table.find(PairTable::key(prefix_[i], last));
      if (slot == kNone) continue;
      touched_.push_back(slot);
      if (table.use(slot)) {
        ++hits[level];
        visit(n, i);
      }
    }
    for (Id slot : touched_) table.restore(slot);
  }
}

}  // namespace pyramidion
