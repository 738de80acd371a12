// Names that every kernel uses.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pyramidion {

using Id = std::uint32_t;             // a token, numbered within a call, or within one model
inline constexpr Id kNone = ~Id{0};   // no such token: dropped as a stop word, or absent from the model
using Ids = std::span<const Id>;
using Ends = std::span<const std::uint32_t>;  // where each sentence ends, counted in tokens
using Sentences = std::vector<std::string_view>;

// A text as it came: whole, to be split at line breaks by whoever reads it, or its sentences.
struct Text {
  std::string_view whole;
  Sentences given;
  bool is_whole = true;
};

}  // namespace pyramidion
