#include "intern.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

namespace pyramidion {
namespace {

// A seed per process: nobody can prepare a text whose tokens all fall into one chain. Numbers never depend on it.
std::uint64_t draw_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) ^ device();
}

const std::uint64_t kSeed = draw_seed();

std::uint64_t digest(std::string_view text, std::uint64_t state) {
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    state = (state ^ word) * 0xBF58476D1CE4E5B9u;
    state ^= state >> 31;
  }
  return state;
}

}  // namespace

Key key_of(std::string_view text) {
  if (text.size() >= ~std::uint32_t{0}) throw std::length_error("a token is longer than 4 GB");
  Key key;
  key.size = static_cast<std::uint32_t>(text.size());
  if (text.size() <= 16) {
    char bytes[16] = {};
    if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
    std::memcpy(&key.low, bytes, 8);
    std::memcpy(&key.high, bytes + 8, 8);
  } else {
    key.low = digest(text, kSeed);
    key.high = digest(text, ~kSeed);
  }
  return key;
}

std::uint64_t Interner::seed() { return kSeed; }

Interner::Interner() : slots_(256, Slot{0, 0, kFree, kNone, 0}), mask_(255) {}

Interner::Slot& Interner::add(std::size_t at, const Key& key, const char* text) {
  if (2 * ++used_ > slots_.size()) {
    grow();
    for (at = hash(key) & mask_; slots_[at].size != kFree;) at = (at + 1) & mask_;
  }
  slots_[at] = Slot{key.low, key.high, key.size, kNone, pool_.size()};
  pool_.append(text, key.size);
  return slots_[at];
}

void Interner::grow() {
  std::vector<Slot> old(slots_.size() * 2, Slot{0, 0, kFree, kNone, 0});
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.size == kFree) continue;
    std::size_t at = hash(Key{slot.low, slot.high, slot.size}) & mask_;
    while (slots_[at].size != kFree) at = (at + 1) & mask_;
    slots_[at] = slot;
  }
}

Id Vocabulary::number(std::string_view form) {
  Interner::Slot& slot = interner_.slot(key_of(form), form.data());
  if (slot.value == kNone) {
    if (forms_.size() >= kNone) throw std::length_error("more than 4 billion distinct tokens");
    slot.value = static_cast<Id>(forms_.size());
    forms_.push_back({slot.offset, slot.size});
  }
  return slot.value;
}

}  // namespace pyramidion
