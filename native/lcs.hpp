// ROUGE-L: for each model sentence, the union of its longest common subsequences with all peer sentences.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "types.hpp"

namespace pyramidion {

// Bit-parallel LCS (Hyyrö 2004) of a whole model at once: its sentences lie side by side in one bit vector, and a
// spare bit after each stops the carry. The columns of the table are kept, and the traceback reads from it exactly the
// path that ROUGE-1.5.5's table gives: equal tokens take the diagonal; else up when that is no worse, else left.
class UnionLcs {
 public:
  // The tokens of the model are numbered 0 … types-1 and must outlive the index.
  void index(Ids model, Ends ends, std::size_t types);

  // Marks the model tokens in the union; ask each_marked for them.
  void mark(Ids peer, Ends peer_ends);
  // The same, slower; visit(model position, peer position) sees each diagonal step of each traceback.
  template <class Visit>
  void mark(Ids peer, Ends peer_ends, Visit&& visit);

  // Calls visit(model position) for each marked token, from left to right.
  template <class Visit>
  void each_marked(Visit&& visit) const;
  std::uint64_t marked_count() const;
  // How many marked tokens the peer has, too, if each of its tokens stands for one of them. Of short models only.
  std::uint64_t clipped_count(Ids peer) const;
  bool is_short() const { return words_ <= kWordsInMasks; }

  // The length of the LCS with one sequence, when the model is one sentence.
  std::uint64_t length(Ids peer);

  bool is_one_sentence() const { return sentences_.size() <= 1; }

 private:
  struct Sentence {
    std::size_t first_bit, end_bit;  // half open
    std::size_t first_token;
  };
  static constexpr std::size_t kWordsInMasks = kMostBits / 64;  // longer ones build the mask of a type when they meet it

  const std::uint64_t* match_of(Id type);
  void forget_match(Id type);
  void index_masks();
  void index_positions();
  template <class Visit>
  void each_bit(Visit&& visit) const;
  void advance(const std::uint64_t* match);
  void fill_columns(Ids peer);
  // Models of one or two words, where everything stays in registers.
  template <class Bits>
  void mark_short(Ids peer, Ends peer_ends);
  template <class Visit>
  void trace(const Sentence& sentence, Visit&& visit) const;

  Ids model_;
  std::size_t words_ = 0, types_ = 0;
  std::vector<Sentence> sentences_;
  std::vector<std::uint64_t> masks_;  // per type: the bits where the model has it; none for a token that it lacks, last
  std::vector<std::uint64_t> match_;  // one such mask, for long models
  std::vector<std::size_t> positions_, positions_begin_;
  std::vector<std::uint64_t> valid_;    // all bits that stand for tokens
  std::vector<std::uint64_t> state_;    // 1: the table does not grow between the row above and this one
  std::vector<std::uint64_t> columns_;  // per column: the rows where the traceback has to stop
  std::vector<Id> column_type_;
  std::vector<std::size_t> column_position_;
  std::vector<std::uint64_t> marks_;
};

template <class Visit>
void UnionLcs::trace(const Sentence& sentence, Visit&& visit) const {
  std::size_t bit = sentence.end_bit;  // the rows still to come are the bits below this one
  const std::size_t lowest_word = sentence.first_bit / 64;
  for (std::size_t column = column_type_.size(); column-- > 0 && bit > sentence.first_bit;) {
    const std::uint64_t* stops = &columns_[column * words_];
    std::size_t word = (bit - 1) / 64;
    std::uint64_t candidates = stops[word] & (~std::uint64_t{0} >> (63 - (bit - 1) % 64));
    while (candidates == 0 && word > lowest_word) candidates = stops[--word];
    if (candidates == 0) return;
    const std::size_t stop = word * 64 + 63 - static_cast<std::size_t>(std::countl_zero(candidates));
    if (stop < sentence.first_bit) return;
    const std::size_t token = sentence.first_token + stop - sentence.first_bit;
    const bool equal = model_[token] == column_type_[column];
    if (equal) visit(stop, token, column_position_[column]);
    bit = equal ? stop : stop + 1;
  }
}

template <class Visit>
void UnionLcs::mark(Ids peer, Ends peer_ends, Visit&& visit) {
  marks_.assign(words_, 0);
  std::size_t begin = 0;
  for (const std::size_t end : peer_ends) {
    fill_columns(peer.subspan(begin, end - begin));
    for (const Sentence& sentence : sentences_) {
      trace(sentence, [&](std::size_t bit, std::size_t model_position, std::size_t peer_position) {
        marks_[bit / 64] |= std::uint64_t{1} << (bit % 64);
        visit(model_position, begin + peer_position);
      });
    }
    begin = end;
  }
}

template <class Visit>
void UnionLcs::each_marked(Visit&& visit) const {
  auto sentence = sentences_.begin();
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::uint64_t bits = marks_[word]; bits != 0; bits &= bits - 1) {
      const std::size_t bit = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      while (bit >= sentence->end_bit) ++sentence;
      visit(sentence->first_token + bit - sentence->first_bit);
    }
  }
}

}  // namespace pyramidion
