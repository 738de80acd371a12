// Words, or pairs of words, as numbers from 0, for one input at a time.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "types.hpp"

namespace pyramidion {

// The words (or pairs of words) of one input, numbered from 0; those that only its summaries have come after them.
class Numbering {
 public:
  Numbering(std::size_t vocabulary, bool pairs) : pairs_(pairs), dense_(pairs ? 0 : vocabulary, kNone) {}

  void clear() {
    if (pairs_) {
      sparse_.clear();
    } else {
      for (const std::uint64_t key : keys_) dense_[key] = kNone;
    }
    keys_.clear();
  }

  template <class Take>
  void each(Ids tokens, Take&& take) {
    if (pairs_) {
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::uint64_t key = (std::uint64_t{tokens[i]} << 32) | tokens[i + 1];
        take(number(sparse_.try_emplace(key, kNone).first->second, key));
      }
    } else {
      for (const Id id : tokens) take(number(dense_[id], id));
    }
  }

  std::size_t size() const { return keys_.size(); }
  std::uint64_t key(Id local) const { return keys_[local]; }

 private:
  Id number(Id& place, std::uint64_t key) {
    if (place == kNone) {
      if (keys_.size() >= kNone) throw std::length_error("an input has more than 4 billion distinct words");
      place = static_cast<Id>(keys_.size());
      keys_.push_back(key);
    }
    return place;
  }

  struct Mix {
    std::size_t operator()(std::uint64_t key) const {
      key = (key ^ (key >> 32)) * 0x9E3779B97F4A7C15u;
      return static_cast<std::size_t>(key ^ (key >> 29));
    }
  };

  bool pairs_;
  std::vector<Id> dense_;
  std::unordered_map<std::uint64_t, Id, Mix> sparse_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace pyramidion
