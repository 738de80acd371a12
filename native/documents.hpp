// Texts as numbers: tokens made, stop words dropped, stems taken, everything numbered, each distinct text once.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "intern.hpp"
#include "limits.hpp"
#include "stem.hpp"
#include "tokenise.hpp"
#include "types.hpp"

namespace pyramidion {

// How a text becomes tokens.
struct Reading {
  Tokens tokens = Tokens::rouge155;
  Stems stems = Stems::none;
  bool stop = false;
  Limit limit;
};

// Surface tokens to numbers of what is compared. Remembers each surface token, so that it is stemmed once.
class Lexicon {
 public:
  Lexicon(const Reading& reading, const WordLists& lists)
      : stems_(reading.stems), stop_(reading.stop), lists_(&lists), identity_(lists.identity()) {}

  // The number of a token, or kNone for a stop word.
  Id number(const Token& token) {
    Interner::Slot& slot = surfaces_.slot(token.key, token.form.data());
    if (slot.value == kNone) slot.value = prepare(token.form);
    return slot.value == kStop ? kNone : slot.value;
  }

  Vocabulary& forms() { return forms_; }
  const Vocabulary& forms() const { return forms_; }

  // Whether it has the numbers that another reading needs, and then the word lists by which it goes on.
  bool adopt(const Reading& reading, const WordLists& lists);
  std::size_t size() const { return surfaces_.size(); }

 private:
  static constexpr Id kStop = kNone - 1;
  Id prepare(std::string_view surface);

  Stems stems_;
  bool stop_;
  const WordLists* lists_;
  std::uint64_t identity_;
  Interner surfaces_;
  Vocabulary forms_;
};

// The numbers of many texts, one after the other.
struct TokenStore {
  std::vector<Id> tokens;
  std::vector<std::uint32_t> ends;
};

// What one worker reads with: words that it has met, and room for numbers.
struct Reader {
  Reader(const Reading& reading, const WordLists& lists) : lexicon(reading, lists) {}
  Lexicon lexicon;
  TokenStore store;
  std::string buffer;
  Sentences lines;
};

// Where numbers come from: words of this call alone, numbered in the order in which they appear, or words that earlier
// calls have met, too. That is quicker, and enough for whoever only asks which tokens are equal.
enum class Words { of_this_call, remembered };

// One text; sentences without tokens are left out. L and W may see another cut of it than the rest
// (Limit::lcs_forgets_bytes).
struct Document {
  Ids tokens;
  Ends ends;
  Ids lcs_tokens;
  Ends lcs_ends;
};

// The sentences of a text; a whole one is split into `lines`, which must outlive the result.
inline const Sentences& sentences_of(const Text& text, Sentences& lines) {
  if (!text.is_whole) return text.given;
  lines.clear();
  std::string_view rest = text.whole;
  for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
    lines.push_back(rest.substr(0, end));
  }
  lines.push_back(rest);
  return lines;
}

// All texts of a call.
class Documents {
 public:
  explicit Documents(std::size_t size) : documents_(size) {}
  ~Documents();
  Documents(const Documents&) = delete;
  Documents& operator=(const Documents&) = delete;

  // Reads all texts with up to `threads` threads.
  void read(const std::vector<Text>& texts, const Reading& reading, const WordLists& lists, std::size_t threads,
            Words words = Words::of_this_call);

  // Takes a text whose tokens are numbered already; vocabulary is one more than the largest number.
  void take(std::size_t index, std::vector<Id> tokens, std::vector<std::uint32_t> ends);
  void set_vocabulary(std::size_t size) { vocabulary_ = size; }

  const Document& operator[](std::size_t index) const { return documents_[index]; }
  std::size_t size() const { return documents_.size(); }
  std::size_t vocabulary() const { return vocabulary_; }
  // The forms behind the numbers, of texts that were read.
  const Vocabulary& forms() const { return readers_.empty() ? none_ : readers_[0]->lexicon.forms(); }

 private:
  std::vector<Document> documents_;
  std::deque<TokenStore> taken_;  // a deque: documents point into them
  std::vector<std::unique_ptr<Reader>> readers_;
  Words words_ = Words::of_this_call;
  std::size_t vocabulary_ = 0;
  Vocabulary none_;
};

}  // namespace pyramidion
