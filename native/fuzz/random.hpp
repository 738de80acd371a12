// Random numbers, bytes and words for the fuzzers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace fuzz {

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

// SplitMix64: quick, and repeatable on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((bits() >> 32) * n >> 32); }
  bool coin() { return bits() >> 63; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& one_of(const T (&items)[N]) { return items[below(N)]; }

 private:
  std::uint64_t state_;
};

// A beginning of some consonants and vowels, and endings that Porter's steps are about.
inline void random_word(Random& random, std::string& out) {
  static constexpr std::string_view endings[] = {
      "sses", "ies", "ied", "s", "ss", "eed", "ed", "ing", "at", "bl", "iz", "y", "ational", "tional", "enci", "anci",
      "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness",
      "ousness", "aliti", "iviti", "biliti", "logi", "fulli", "ogi", "icate", "ative", "alize", "iciti", "ical", "ful",
      "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion",
      "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll", "tt", "ff", "zz", "w", "x"};
  static constexpr std::string_view whole[] = {"sky", "skies", "dying", "lying", "tying", "news", "innings", "inning",
                                               "outings", "outing", "cannings", "canning", "howe", "proceed", "exceed",
                                               "succeed", "told", "barking", "ies", "ied", "ed", "ing", "dies", "died"};
  out.clear();
  if (random.one_in(16)) {
    out = random.one_of(whole);
    return;
  }
  static constexpr char letters[] = {'a', 'e', 'i', 'o', 'u', 'y', 'b', 't', 'l', 's', 'z', 'w', 'x', 'n', 'g', 'm'};
  for (std::size_t i = random.below(6); i > 0; --i) out += random.one_of(letters);
  for (std::size_t i = random.below(3); i > 0; --i) out += random.one_of(endings);
}

// Up to `most` pieces: words, separators, letters of other scripts, and bytes that are no text at all.
inline std::string random_text(Random& random, std::size_t most) {
  static constexpr std::string_view pieces[] = {
      "the", "The ", "a ", "b ", "told ", "barking ", " ", "\t", "\n", "\xC4\xB0", "\xE2\x84\xAA", "\xC3\xA9",
      "\xE6\xBC\xA2", "\xCC\x81", "\xE2\x80\x8D", "\xF0\x9F\x98\x80", "\xE6", "\xFF", "averyveryverylongtoken",
      "x", "relational ", "agreements ", "-", "1999 ", "sixteen-letters1 ", "seventeenletters1 "};
  std::string text, word;
  for (std::size_t i = random.below(most); i > 0; --i) {
    const std::size_t what = random.below(16);
    if (what == 0) {
      text += static_cast<char>(random.below(256));
    } else if (what == 1) {
      random_word(random, word);
      text += word;
      text += ' ';
    } else {
      text += random.one_of(pieces);
    }
  }
  return text;
}

}  // namespace fuzz
