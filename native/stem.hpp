// Porter's algorithm for suffix stripping (Program 14(3), 1980) in the dialects that summary evaluation uses,
// and ROUGE-1.5.5's stemmer, which asks a table of exceptions first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pyramidion {

enum class Porter {
  rouge155,  // Martin Porter's, with step 4 as four tests in a row
  martin,    // as Martin Porter distributes it: bli→ble, logi→log, words of up to two letters untouched
  nltk,      // the default mode of NLTK
};

// The stem of a lower-case word. Works on bytes; whatever is not a, e, i, o, u or y is a consonant.
std::string porter_stem(std::string_view word, Porter dialect);

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// The stop words and the exceptions to stemming, read once from the package's data files.
class WordLists {
 public:
  // stop_words: one a line. exceptions: "inflected form<TAB>base form", one a line.
  WordLists(std::string_view stop_words, std::string_view exceptions);

  bool is_stop_word(std::string_view token) const { return stop_.contains(token); }
  const std::string* exception(std::string_view word) const;

  // Another number for each object that ever was; never 0.
  std::uint64_t identity() const { return identity_; }

 private:
  std::uint64_t identity_;
  std::unordered_set<std::string, StringHash, std::equal_to<>> stop_;
  std::unordered_map<std::string, std::string, StringHash, std::equal_to<>> exceptions_;
};

enum class Stems { none, rouge155, martin, nltk };

// A token as it is compared: what the dialect leaves of it. The shortest tokens stay as they are
// (up to three bytes; up to two for martin).
std::string stem_token(std::string_view token, Stems stems, const WordLists& lists);

// ROUGE-1.5.5's stemmer without its limit on length: the exceptions, else Porter.
std::string morphological_stem(std::string_view word, const WordLists& lists);

}  // namespace pyramidion
