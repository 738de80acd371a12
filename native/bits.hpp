// Bit vectors of one or two machine words: what a short text is to the kernels, so that all of it stays in registers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace pyramidion {

#ifdef __SIZEOF_INT128__
__extension__ using TwoWords = unsigned __int128;
inline constexpr std::size_t kMostBits = 128;
#else
inline constexpr std::size_t kMostBits = 64;
#endif

template <class Bits>
Bits load_bits(const std::uint64_t* words) {
  Bits bits;
  std::memcpy(&bits, words, sizeof(Bits));
  return bits;
}

template <class Bits>
std::uint64_t count_bits(Bits bits) {
  std::uint64_t words[sizeof(Bits) / 8];
  std::memcpy(words, &bits, sizeof(Bits));
  std::uint64_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

// Takes the first of some places that is free, if there is one.
template <class Bits>
void take_free(Bits places, Bits& taken) {
  const Bits free = places & ~taken;
  taken |= free & (~free + 1);
}

// Calls work with a vector of the type that so many words fill.
template <class Work>
auto with_bits(std::size_t words, Work&& work) {
#ifdef __SIZEOF_INT128__
  if (words == 2) return work(TwoWords{0});
#endif
  static_cast<void>(words);
  return work(std::uint64_t{0});
}

}  // namespace pyramidion
