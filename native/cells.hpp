// The limit on the size of a pair's table, which is refused before it is allocated.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pyramidion {

[[noreturn]] inline void refuse_cells(const std::string& what, std::uint64_t cells, std::uint64_t max_cells) {
  throw std::length_error(what + " would need " + std::to_string(cells) + " cells, more than max_cells=" +
                          std::to_string(max_cells) + ": cut the texts (words=, bytes=) or raise max_cells");
}

// The table of a common subsequence has a cell for each pair of tokens. Texts are shorter than 2^32 tokens.
inline void check_subsequence_cells(std::uint64_t peer, std::uint64_t model, std::uint64_t max_cells) {
  if (model * peer <= max_cells) return;
  refuse_cells("the common subsequence of " + std::to_string(peer) + " and " + std::to_string(model) + " tokens",
               model * peer, max_cells);
}

}  // namespace pyramidion
