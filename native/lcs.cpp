#include "lcs.hpp"

#include <cstring>

namespace pyramidion {

void UnionLcs::index(Ids model, Ends ends, std::size_t types) {
  model_ = model;
  types_ = types;
  sentences_.clear();
  std::size_t bit = 0, token = 0;
  for (const std::size_t end : ends) {
    if (end == token) continue;
    sentences_.push_back({bit, bit + end - token, token});
    bit += end - token + 1;
    token = end;
  }
  words_ = bit / 64 + 1;
  valid_.assign(words_, 0);
  if (is_short()) {
    index_masks();
  } else {
    index_positions();
  }
}

// Calls visit(type, bit) for each token.
template <class Visit>
void UnionLcs::each_bit(Visit&& visit) const {
  for (const Sentence& sentence : sentences_) {
    const Id* type = model_.data() + sentence.first_token;
    for (std::size_t bit = sentence.first_bit; bit < sentence.end_bit; ++bit) visit(*type++, bit);
  }
}

void UnionLcs::index_masks() {
  masks_.assign((types_ + 1) * words_, 0);
  each_bit([&](Id type, std::size_t bit) {
    const std::uint64_t one = std::uint64_t{1} << (bit % 64);
    masks_[type * words_ + bit / 64] |= one;
    valid_[bit / 64] |= one;
  });
}

// Bits of each type, type after type.
void UnionLcs::index_positions() {
  positions_begin_.assign(types_ + 1, 0);
  for (const Id type : model_) ++positions_begin_[type + 1];
  for (std::size_t type = 0; type < types_; ++type) positions_begin_[type + 1] += positions_begin_[type];
  positions_.resize(model_.size());
  std::vector<std::size_t> next(positions_begin_.begin(), positions_begin_.end() - 1);
  each_bit([&](Id type, std::size_t bit) {
    positions_[next[type]++] = bit;
    valid_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  });
  match_.assign(words_, 0);
}

const std::uint64_t* UnionLcs::match_of(Id type) {
  if (is_short()) return &masks_[type * words_];
  for (std::size_t i = positions_begin_[type]; i < positions_begin_[type + 1]; ++i) {
    match_[positions_[i] / 64] |= std::uint64_t{1} << (positions_[i] % 64);
  }
  return match_.data();
}

void UnionLcs::forget_match(Id type) {
  if (is_short()) return;
  for (std::size_t i = positions_begin_[type]; i < positions_begin_[type + 1]; ++i) match_[positions_[i] / 64] = 0;
}

// One column of the table: V' = (V + (V & M)) | (V & ~M).
void UnionLcs::advance(const std::uint64_t* match) {
  std::uint64_t carry = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t v = state_[w];
    const std::uint64_t partial = v + (v & match[w]), sum = partial + carry;
    carry = (partial < v) | (sum < partial);
    state_[w] = (sum | (v & ~match[w])) & valid_[w];
  }
}

// A run of tokens that the model lacks needs one column: the table stays as it is, but the traceback may climb there.
void UnionLcs::fill_columns(Ids peer) {
  column_type_.clear();
  column_position_.clear();
  for (std::size_t j = 0; j < peer.size(); ++j) {
    if (peer[j] == kNone && j > 0 && peer[j - 1] == kNone) continue;
    column_type_.push_back(peer[j]);
    column_position_.push_back(j);
  }
  columns_.resize(column_type_.size() * words_);
  state_ = valid_;
  for (std::size_t column = 0; column < column_type_.size(); ++column) {
    const Id type = column_type_[column];
    std::uint64_t* stops = &columns_[column * words_];
    if (type == kNone) {
      for (std::size_t w = 0; w < words_; ++w) stops[w] = ~state_[w] & valid_[w];
      continue;
    }
    const std::uint64_t* match = match_of(type);
    advance(match);
    for (std::size_t w = 0; w < words_; ++w) stops[w] = (~state_[w] & valid_[w]) | match[w];
    forget_match(type);
  }
}

namespace {

#ifdef __SIZEOF_INT128__
TwoWords highest_bit(TwoWords bits) {
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return high != 0 ? TwoWords{std::bit_floor(high)} << 64 : TwoWords{std::bit_floor(static_cast<std::uint64_t>(bits))};
}
#endif

std::uint64_t highest_bit(std::uint64_t bits) { return std::bit_floor(bits); }

}  // namespace

template <class Bits>
void UnionLcs::mark_short(Ids peer, Ends peer_ends) {
  constexpr std::size_t words = sizeof(Bits) / 8;
  constexpr std::size_t most = sizeof(Bits) * 8;
  // Per column: the rows where the traceback has to stop, and those whose token is that of the column.
  if (columns_.size() < 2 * words * peer.size()) columns_.resize(2 * words * peer.size());
  const Bits valid = load_bits<Bits>(valid_.data());
  Bits marks = 0;
  std::size_t begin = 0;
  for (const std::size_t end : peer_ends) {
    Bits v = valid;
    std::uint64_t* column = columns_.data();
    for (std::size_t j = begin; j < end; ++j, column += 2 * words) {
      const Bits match = load_bits<Bits>(&masks_[std::min<std::size_t>(peer[j], types_) * words]);
      v = ((v + (v & match)) | (v & ~match)) & valid;
      const Bits stops = (~v & valid) | match;
      std::memcpy(column, &stops, sizeof(Bits));
      std::memcpy(column + words, &match, sizeof(Bits));
    }
    for (const Sentence& sentence : sentences_) {
      const Bits rows = (~Bits{0} >> (most - (sentence.end_bit - sentence.first_bit))) << sentence.first_bit;
      Bits left = rows;
      for (const std::uint64_t* at = column; at != columns_.data();) {
        at -= 2 * words;
        const Bits candidates = load_bits<Bits>(at) & left;
        if (candidates == 0) break;
        const Bits stop = highest_bit(candidates);
        const Bits equal = stop & load_bits<Bits>(at + words);
        marks |= equal;
        left = rows & ((stop - 1) | (stop ^ equal));
      }
    }
    begin = end;
  }
  std::memcpy(marks_.data(), &marks, sizeof(Bits));
}

void UnionLcs::mark(Ids peer, Ends peer_ends) {
  marks_.assign(words_, 0);
  if (is_short()) return with_bits(words_, [&]<class Bits>(Bits) { mark_short<Bits>(peer, peer_ends); });
  mark(peer, peer_ends, [](std::size_t, std::size_t) {});
}

std::uint64_t UnionLcs::clipped_count(Ids peer) const {
  return with_bits(words_, [&]<class Bits>(Bits) {
    const Bits marks = load_bits<Bits>(marks_.data());
    Bits taken = 0;
    for (const Id id : peer) {
      take_free(load_bits<Bits>(&masks_[std::min<std::size_t>(id, types_) * sizeof(Bits) / 8]) & marks, taken);
    }
    return count_bits(taken);
  });
}

std::uint64_t UnionLcs::marked_count() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : marks_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

std::uint64_t UnionLcs::length(Ids peer) {
  state_ = valid_;
  for (const Id id : peer) {
    if (id == kNone) continue;
    advance(match_of(id));
    forget_match(id);
  }
  std::uint64_t length = 0;
  for (std::size_t w = 0; w < words_; ++w) length += static_cast<std::uint64_t>(std::popcount(~state_[w] & valid_[w]));
  return length;
}

}  // namespace pyramidion
