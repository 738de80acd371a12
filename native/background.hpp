// A large collection of texts, beside which the words of an input stand out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "stem.hpp"

namespace pyramidion {

// What a large collection says of words: how often each occurs, and its weight (idf). Keys are words as they are
// compared, or pairs of them with a blank between.
class Background {
 public:
  struct Word {
    double count, weight;
  };

  // forms: one a line, as many as there are counts and weights. Words that are not listed have the weight `unseen`.
  Background(std::string_view forms, const double* counts, const double* weights, std::size_t size, double total,
             double unseen);

  Word operator[](std::string_view form) const {
    const auto found = words_.find(form);
    return found == words_.end() ? Word{0, unseen_} : found->second;
  }
  double total() const { return total_; }
  bool has_pairs() const { return has_pairs_; }

 private:
  std::unordered_map<std::string, Word, StringHash, std::equal_to<>> words_;
  double total_, unseen_;
  bool has_pairs_ = false;
};

// −2 log λ that a word is as likely in the first collection (k1 of n1) as in the second (Dunning 1993).
double likelihood_ratio(double k1, double n1, double k2, double n2);

}  // namespace pyramidion
