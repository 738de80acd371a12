#include "grams.hpp"

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

}  // namespace pyramidion
