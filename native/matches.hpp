// Which tokens of a pair made its hits: for looking inside a score.
#pragma once

#include <cstdint>
#include <vector>

#include "documents.hpp"
#include "overlap.hpp"

namespace pyramidion {

struct Marks {
  std::vector<std::uint8_t> peer, model;  // 1 for each token that takes part in a hit
};

// For L and W the marks are of the texts as these two see them (Document::lcs_tokens). Of equal units the first
// ones are taken, until the other side has no more.
Marks mark_matches(const Document& peer, const Document& model, const Kind& kind, const Task& task);

}  // namespace pyramidion
