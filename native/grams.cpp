#include "grams.hpp"

#include <algorithm>

namespace pyramidion {

void PairTable::reset(std::size_t most_keys) {
  const std::size_t size = std::bit_ceil(most_keys + most_keys / 2 + 2);
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
  if (slots_.size() < size) slots_.resize(size);
  std::memset(slots_.data(), 0xFF, size * sizeof(Slot));
}

void NGrams::index(Ids model) {
  prefix_.assign(model.begin(), model.end());
  for (std::size_t level = 0; level < tables_.size(); ++level) {
    const std::size_t n = level + 2;
    const std::size_t count = model.size() < n ? 0 : model.size() - n + 1;
    tables_[level].reset(count);
    for (std::size_t i = 0; i < count; ++i) {
      prefix_[i] = tables_[level].add(PairTable::key(prefix_[i], model[i + n - 1]));
    }
  }
}

void NGrams::count(Ids peer, std::vector<std::uint64_t>& hits) {
  count(peer, hits, [](std::size_t, std::size_t) {});
}

void ShortNGrams::index(Ids model, std::size_t types) {
  words_ = model.size() <= 64 ? 1 : 2;
  types_ = types;
  places_.assign((types + 1) * words_, 0);
  for (std::size_t i = 0; i < model.size(); ++i) {
    places_[model[i] * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

void ShortNGrams::count(Ids peer, std::vector<std::uint64_t>& hits) {
  hits.assign(std::max<std::size_t>(longest_, 2), 0);
  with_bits(words_, [&]<class Bits>(Bits) { count_as<Bits>(peer, hits); });
}

template <class Bits>
void ShortNGrams::count_as(Ids peer, std::vector<std::uint64_t>& hits) {
  constexpr std::size_t words = sizeof(Bits) / 8;
  const bool longer = longest_ > 2;
  if (longer && ends_.size() < peer.size() * words) ends_.resize(peer.size() * words);
  // Unigrams and bigrams side by side: neither waits for the other.
  Bits before = 0, unigrams = 0, bigrams = 0;
  for (std::size_t j = 0; j < peer.size(); ++j) {
    const Bits here = load_bits<Bits>(&places_[std::min<std::size_t>(peer[j], types_) * words]);
    const Bits both = (before << 1) & here;
    take_free(here, unigrams);
    take_free(both, bigrams);
    if (longer) std::memcpy(&ends_[j * words], &both, sizeof(Bits));
    before = here;
  }
  hits[0] = count_bits(unigrams);
  hits[1] = count_bits(bigrams);
  for (std::size_t n = 3; n <= longest_ && hits[n - 2] > 0; ++n) {
    Bits taken = 0;
    before = 0;
    for (std::size_t j = 0; j < peer.size(); ++j) {
      const Bits here = load_bits<Bits>(&ends_[j * words]);
      const Bits both = (before << 1) & here;
      take_free(both, taken);
      std::memcpy(&ends_[j * words], &both, sizeof(Bits));
      before = here;
    }
    hits[n - 1] = count_bits(taken);
  }
}

}  // namespace pyramidion
