// Strings to dense numbers: an open-addressing table that compares the first 16 bytes in registers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "types.hpp"

namespace pyramidion {

static_assert(std::endian::native == std::endian::little, "Key reads the bytes of a string as little-endian words");

// What identifies a string: its length and its first 16 bytes (zero-padded), or a 128-bit digest when it is longer.
struct Key {
  std::uint64_t low = 0, high = 0;
  std::uint32_t size = 0;
};

Key key_of(std::string_view text);

class Interner {
 public:
  struct Slot {
    std::uint64_t low, high;
    std::uint32_t size;
    Id value;
    std::uint64_t offset;  // of the string in the pool
  };

  Interner();

  // The slot of a string; a fresh one has the value kNone, for the caller to fill. Valid until the next call.
  Slot& slot(const Key& key, const char* text) {
    std::size_t at = hash(key) & mask_;
    while (slots_[at].size != kFree) {
      if (matches(slots_[at], key, text)) return slots_[at];
      at = (at + 1) & mask_;
    }
    return add(at, key, text);
  }

  std::size_t size() const { return used_; }

  std::string_view text(std::uint64_t offset, std::uint32_t size) const { return {pool_.data() + offset, size}; }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::uint32_t kInline = 16;

  static std::size_t hash(const Key& key) {
    std::uint64_t h = (key.low ^ seed()) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h = (h ^ key.high ^ key.size) * 0xD6E8FEB86659FD93u;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
  static std::uint64_t seed();

  bool matches(const Slot& slot, const Key& key, const char* text) const {
    return slot.low == key.low && slot.high == key.high && slot.size == key.size &&
           (key.size <= kInline || std::memcmp(pool_.data() + slot.offset, text, key.size) == 0);
  }

  Slot& add(std::size_t at, const Key& key, const char* text);
  void grow();

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::size_t used_ = 0;
  std::string pool_;
};

// Numbers distinct strings 0, 1, 2, … and gives them back.
class Vocabulary {
 public:
  Id number(std::string_view form);
  std::string_view form(Id id) const { return interner_.text(forms_[id].offset, forms_[id].size); }
  std::size_t size() const { return forms_.size(); }

 private:
  struct Form {
    std::uint64_t offset;
    std::uint32_t size;
  };
  Interner interner_;
  std::vector<Form> forms_;
};

}  // namespace pyramidion
