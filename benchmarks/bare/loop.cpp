// A bare loop over pairs, written from the definitions without pyramidion's counting kernels and without Python: what
// one thread can do at best with plain data structures. Only the stemmer is shared with the package.
//
//   loop PROFILE ITEMS STOP_WORDS EXCEPTIONS ROUNDS RESULT
//
// PROFILE rouge_score, R-Lsum with NLTK's stems. rouge155: R-1 … R-4, R-L, R-W-1.2, R-SU4 with the stems of
// ROUGE-1.5.5. The result holds hits, target count and prediction count for each pair and measure.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "items.hpp"
#include "stem.hpp"

namespace {

using Id = std::uint32_t;
constexpr Id kNone = ~Id{0};
constexpr double kWeight = 1.2;
constexpr std::size_t kGap = 4;

// Surface tokens to the numbers of their stems.
class Lexicon {
 public:
  Lexicon(pyramidion::Stems stems, const pyramidion::WordLists& lists) : stems_(stems), lists_(lists), slots_(1 << 12) {}

  Id number(std::string_view token, std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].id != kNone; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && slots_[at].token == token) return slots_[at].id;
    }
    const std::string stem = pyramidion::stem_token(token, stems_, lists_);
    const Id id = forms_.try_emplace(stem, static_cast<Id>(forms_.size())).first->second;
    slots_[at] = {hash, std::string(token), id};
    if (2 * ++used_ > slots_.size()) grow();
    return id;
  }

  std::size_t size() const { return forms_.size(); }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::string token;
    Id id = kNone;
  };

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.id == kNone) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].id != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = std::move(slot);
    }
  }

  pyramidion::Stems stems_;
  const pyramidion::WordLists& lists_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::unordered_map<std::string, Id> forms_;
};

struct Text {
  std::vector<Id> tokens;
  std::vector<std::size_t> ends;  // of the sentences
};

constexpr std::array<char, 256> kLower = [] {
  std::array<char, 256> table{};
  for (int c = 0; c < 26; ++c) table['a' + c] = table['A' + c] = static_cast<char>('a' + c);
  for (int c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
  return table;
}();

void read_text(std::string_view text, Lexicon& lexicon, Text& out) {
  thread_local std::string token;
  out.tokens.clear();
  out.ends.clear();
  token.clear();
  std::uint64_t hash = 0;
  const auto close = [&] {
    if (!token.empty()) out.tokens.push_back(lexicon.number(token, hash ^ (hash >> 32)));
    token.clear();
    hash = 0;
  };
  for (const char byte : text) {
    if (const char c = kLower[static_cast<unsigned char>(byte)]) {
      token += c;
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15u;
    } else {
      close();
      if (byte == '\n') out.ends.push_back(out.tokens.size());
    }
  }
  close();
  out.ends.push_back(out.tokens.size());
}

// Counts of 64-bit keys. Clearing it is free: a slot counts only when it has the number of the last clearing.
class Bag {
 public:
  void clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    if (slots_.size() < size) slots_.assign(size, {});
    ++round_;
  }
  std::uint32_t& operator[](std::uint64_t key) {
    Slot& slot = find(key);
    if (slot.round != round_) slot = {key, round_, 0};
    return slot.count;
  }
  // Takes one of a key out, if there is one.
  bool take(std::uint64_t key) {
    Slot& slot = find(key);
    return slot.round == round_ && slot.count > 0 && slot.count-- > 0;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t round = 0, count = 0;
  };
  Slot& find(std::uint64_t key) {
    std::uint64_t h = key * 0x9E3779B97F4A7C15u;
    std::size_t at = (h ^ (h >> 32)) & (slots_.size() - 1);
    while (slots_[at].round == round_ && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  std::vector<Slot> slots_;
  std::uint32_t round_ = 0;
};

std::uint64_t pair_key(std::uint64_t a, Id b) { return a << 32 | b; }

// An n-gram as one number: exact for n up to 2, else a digest of 64 bits.
std::uint64_t gram_key(const Id* tokens, std::size_t n) {
  if (n <= 2) return n == 1 ? tokens[0] : pair_key(tokens[0], tokens[1]);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < n; ++i) {
    key = (key ^ (tokens[i] + 1)) * 0xD6E8FEB86659FD93u;
    key ^= key >> 32;
  }
  return key;
}

struct Counts {
  double hits, target, prediction;
};

class Counter {
 public:
  Counts count_grams(const Text& target, const Text& prediction, std::size_t n) {
    const auto total = [n](const Text& text) { return text.tokens.size() < n ? 0 : text.tokens.size() - n + 1; };
    const std::size_t in_target = total(target), in_prediction = total(prediction);
    bag_.clear(in_target);
    for (std::size_t i = 0; i < in_target; ++i) ++bag_[gram_key(&target.tokens[i], n)];
    std::size_t hits = 0;
    for (std::size_t i = 0; i < in_prediction; ++i) hits += bag_.take(gram_key(&prediction.tokens[i], n));
    return {double(hits), double(in_target), double(in_prediction)};
  }

  // Skip-bigrams with at most kGap tokens between, and unigrams without the last token.
  Counts count_skip_bigrams(const Text& target, const Text& prediction) {
    std::size_t totals[2] = {}, hits = 0;
    bag_.clear(target.tokens.size() * (kGap + 2));
    each_skip_bigram(target.tokens, [&](std::uint64_t key) { ++bag_[key], ++totals[0]; });
    each_skip_bigram(prediction.tokens, [&](std::uint64_t key) { hits += bag_.take(key), ++totals[1]; });
    return {double(hits), double(totals[0]), double(totals[1])};
  }

  Counts count_lcs(const Text& target, const Text& prediction) {
    mark(target, prediction, [&](auto... spans) { mark_lcs(spans...); });
    fill_unigrams(target, prediction);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < marks_.size(); ++i) hits += marks_[i] && take_unigram(target.tokens[i]);
    return {double(hits), double(target.tokens.size()), double(prediction.tokens.size())};
  }

  Counts count_weighted_lcs(const Text& target, const Text& prediction) {
    mark(target, prediction, [&](auto... spans) { mark_weighted(spans...); });
    fill_unigrams(target, prediction);
    double hits = 0, weighted_length = 0;
    std::size_t i = 0;
    for (const std::size_t end : target.ends) {
      weighted_length += std::pow(double(end - i), kWeight);
      std::size_t run = 0;
      for (; i < end; ++i) {
        if (!marks_[i] || !take_unigram(target.tokens[i])) continue;
        ++run;
        if (i + 1 == end || !marks_[i + 1]) {
          hits += std::pow(double(run), kWeight);
          run = 0;
        }
      }
    }
    return {hits, std::pow(weighted_length, kWeight), std::pow(double(prediction.tokens.size()), kWeight)};
  }

  void set_vocabulary(std::size_t size) {
    if (masks_at_.size() < size) masks_at_.resize(size * 2, kNone);
  }

 private:
  template <class Visit>
  void each_skip_bigram(const std::vector<Id>& tokens, Visit&& visit) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      visit(pair_key(kNone, tokens[i]));
      for (std::size_t j = i + 1; j < tokens.size() && j <= i + kGap + 1; ++j) visit(pair_key(tokens[i], tokens[j]));
    }
  }

  // Calls one(target sentence, its length, prediction sentence, its length, where to mark) for all pairs of sentences.
  template <class One>
  void mark(const Text& target, const Text& prediction, One&& one) {
    marks_.assign(target.tokens.size(), 0);
    std::size_t first = 0;
    for (const std::size_t end : target.ends) {
      std::size_t other = 0;
      for (const std::size_t other_end : prediction.ends) {
        if (end > first && other_end > other) {
          one(&target.tokens[first], end - first, &prediction.tokens[other], other_end - other, &marks_[first]);
        }
        other = other_end;
      }
      first = end;
    }
  }

  // Bit-parallel (Hyyrö 2004). A bit of a column is 0 where the table grows from the row above.
  void mark_lcs(const Id* rows, std::size_t m, const Id* columns, std::size_t n, std::uint8_t* marks) {
    const std::size_t words = (m + 63) / 64;
    masks_.assign(words, 0);  // the first mask is that of tokens which the rows lack
    for (std::size_t i = 0; i < m; ++i) {
      Id& at = masks_at_[rows[i]];
      if (at == kNone) {
        at = static_cast<Id>(masks_.size());
        masks_.resize(masks_.size() + words, 0);
      }
      masks_[at + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    table_.resize((n + 1) * words);
    std::fill_n(table_.begin(), words, ~std::uint64_t{0});
    for (std::size_t j = 0; j < n; ++j) {
      const Id at = masks_at_[columns[j]];
      const std::uint64_t *match = &masks_[at == kNone ? 0 : at], *v = &table_[j * words];
      std::uint64_t *next = &table_[(j + 1) * words], carry = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t partial = v[w] + (v[w] & match[w]), sum = partial + carry;
        carry = (partial < v[w]) | (sum < partial);
        next[w] = sum | (v[w] & ~match[w]);
      }
    }
    for (std::size_t i = m, j = n; i > 0 && j > 0;) {
      if (rows[i - 1] == columns[j - 1]) {
        marks[--i] = 1;
        --j;
      } else if (table_[j * words + (i - 1) / 64] >> ((i - 1) % 64) & 1) {
        --i;  // up is no worse
      } else {
        --j;
      }
    }
    for (std::size_t i = 0; i < m; ++i) masks_at_[rows[i]] = kNone;
  }

  void mark_weighted(const Id* rows, std::size_t m, const Id* columns, std::size_t n, std::uint8_t* marks) {
    for (std::size_t k = powers_.size(); k <= std::min(m, n) + 1; ++k) powers_.push_back(std::pow(double(k), kWeight));
    score_.assign((m + 1) * (n + 1), 0);
    run_.assign((m + 1) * (n + 1), 0);
    const std::size_t width = n + 1;
    for (std::size_t i = 1; i <= m; ++i) {
      for (std::size_t j = 1; j <= n; ++j) {
        const std::size_t at = i * width + j;
        if (rows[i - 1] == columns[j - 1]) {
          const std::uint32_t k = run_[at - width - 1];
          score_[at] = score_[at - width - 1] + (powers_[k + 1] - powers_[k]);
          run_[at] = k + 1;
        } else {
          score_[at] = std::max(score_[at - width], score_[at - 1]);
        }
      }
    }
    for (std::size_t i = m, j = n; i > 0 && j > 0;) {
      if (rows[i - 1] == columns[j - 1]) {
        marks[--i] = 1;
        --j;
      } else if (score_[(i - 1) * width + j] >= score_[i * width + j - 1]) {
        --i;
      } else {
        --j;
      }
    }
  }

  void fill_unigrams(const Text& target, const Text& prediction) {
    in_target_.clear(target.tokens.size());
    for (const Id id : target.tokens) ++in_target_[id];
    in_prediction_.clear(prediction.tokens.size());
    for (const Id id : prediction.tokens) ++in_prediction_[id];
  }
  bool take_unigram(Id id) { return in_prediction_.take(id) && in_target_.take(id); }

  Bag bag_, in_target_, in_prediction_;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint64_t> masks_, table_;
  std::vector<Id> masks_at_;
  std::vector<double> powers_, score_;
  std::vector<std::uint32_t> run_;
};

std::vector<double> score_all(const std::vector<Item>& items, bool rouge155, const pyramidion::WordLists& lists) {
  Lexicon lexicon(rouge155 ? pyramidion::Stems::rouge155 : pyramidion::Stems::nltk, lists);
  Counter counter;
  Text target, prediction;
  std::vector<double> out;
  const auto add = [&](const Counts& counts) { out.insert(out.end(), {counts.hits, counts.target, counts.prediction}); };
  for (const Item& item : items) {
    read_text(item.prediction, lexicon, prediction);
    for (const std::string_view text : item.targets) {
      read_text(text, lexicon, target);
      counter.set_vocabulary(lexicon.size());
      for (std::size_t n = 1; n <= (rouge155 ? 4 : 2); ++n) add(counter.count_grams(target, prediction, n));
      add(counter.count_lcs(target, prediction));
      if (rouge155) {
        add(counter.count_weighted_lcs(target, prediction));
        add(counter.count_skip_bigrams(target, prediction));
      }
    }
  }
  return out;
}

}  // namespace

int main(int, char** arguments) {
  const std::string bytes = read_file(arguments[2]);
  const std::vector<Item> items = parse_items(bytes);
  const pyramidion::WordLists lists(read_file(arguments[3]), read_file(arguments[4]));
  const bool rouge155 = std::strcmp(arguments[1], "rouge155") == 0;
  write_result(arguments[6], time_rounds(std::atoi(arguments[5]), [&] { return score_all(items, rouge155, lists); }));
}
