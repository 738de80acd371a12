#include "lcs.hpp"

namespace pyramidion {

void UnionLcs::index(Ids model, Ends ends, std::size_t types) {
  model_ = model;
  sentences_.clear();
  token_bit_.clear();
  std::size_t bit = 0, token = 0;
  for (const std::size_t end : ends) {
    if (end == token) continue;
    sentences_.push_back({bit, bit + end - token, token});
    for (; token < end; ++token) token_bit_.push_back(bit++);
    ++bit;
  }
  words_ = bit / 64 + 1;
  valid_.assign(words_, 0);
  bit_token_.resize(words_ * 64);
  for (token = 0; token < token_bit_.size(); ++token) {
    valid_[token_bit_[token] / 64] |= std::uint64_t{1} << (token_bit_[token] % 64);
    bit_token_[token_bit_[token]] = static_cast<std::uint32_t>(token);
  }
  if (words_ > kWordsInMasks) return index_positions(types);
  masks_.assign(types * words_, 0);
  for (token = 0; token < token_bit_.size(); ++token) {
    masks_[model[token] * words_ + token_bit_[token] / 64] |= std::uint64_t{1} << (token_bit_[token] % 64);
  }
}

// Bits of each type, type after type.
void UnionLcs::index_positions(std::size_t types) {
  positions_begin_.assign(types + 1, 0);
  for (std::size_t token = 0; token < token_bit_.size(); ++token) ++positions_begin_[model_[token] + 1];
  for (std::size_t type = 0; type < types; ++type) positions_begin_[type + 1] += positions_begin_[type];
  positions_.resize(token_bit_.size());
  std::vector<std::size_t> next(positions_begin_.begin(), positions_begin_.end() - 1);
  for (std::size_t token = 0; token < token_bit_.size(); ++token) {
    positions_[next[model_[token]]++] = token_bit_[token];
  }
  match_.assign(words_, 0);
}

const std::uint64_t* UnionLcs::match_of(Id type) {
  if (words_ <= kWordsInMasks) return &masks_[type * words_];
  for (std::size_t i = positions_begin_[type]; i < positions_begin_[type + 1]; ++i) {
    match_[positions_[i] / 64] |= std::uint64_t{1} << (positions_[i] % 64);
  }
  return match_.data();
}

void UnionLcs::forget_match(Id type) {
  if (words_ <= kWordsInMasks) return;
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

// The same for models of one word, where everything stays in registers.
void UnionLcs::fill_narrow_columns(Ids peer) {
  if (columns_.size() < peer.size()) columns_.resize(peer.size());
  if (column_match_.size() < peer.size()) column_match_.resize(peer.size());
  const std::uint64_t valid = valid_[0];
  std::uint64_t v = valid;
  for (std::size_t column = 0; column < peer.size(); ++column) {
    const std::uint64_t match = peer[column] == kNone ? 0 : masks_[peer[column]];
    v = ((v + (v & match)) | (v & ~match)) & valid;
    columns_[column] = (~v & valid) | match;
    column_match_[column] = match;
  }
  narrow_columns_ = peer.size();
}

std::uint64_t UnionLcs::trace_narrow(const Sentence& sentence) const {
  const std::uint64_t rows = (~std::uint64_t{0} >> (64 - (sentence.end_bit - sentence.first_bit)))
                             << sentence.first_bit;
  std::uint64_t left = rows, marks = 0;
  for (std::size_t column = narrow_columns_; column-- > 0;) {
    const std::uint64_t candidates = columns_[column] & left;
    if (candidates == 0) break;
    const std::uint64_t stop = std::bit_floor(candidates);
    const std::uint64_t equal = stop & column_match_[column];
    marks |= equal;
    left = rows & ((stop - 1) | (stop ^ equal));
  }
  return marks;
}

void UnionLcs::mark(Ids peer, Ends peer_ends) {
  if (words_ > 1) return mark(peer, peer_ends, [](std::size_t, std::size_t) {});
  marks_.assign(1, 0);
  std::size_t begin = 0;
  for (const std::size_t end : peer_ends) {
    fill_narrow_columns(peer.subspan(begin, end - begin));
    for (const Sentence& sentence : sentences_) marks_[0] |= trace_narrow(sentence);
    begin = end;
  }
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
