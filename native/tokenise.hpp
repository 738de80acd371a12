// Text to tokens. A token is handed over as its form (lower-cased or folded), its key, and where it stands.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "intern.hpp"
#include "unicode.hpp"

namespace pyramidion {

enum class Tokens {
  rouge155,     // runs of a-z and 0-9 after lower-casing ASCII; every other byte separates
  rouge_score,  // the same after Python's lower(), which finds an ASCII letter in U+0130 and U+212A
  unicode,      // words of any script
};

struct Token {
  std::string_view form;
  Key key;
  std::size_t begin, end;  // bytes in the sentence
};

namespace detail {

inline constexpr std::size_t kBlock = 64;  // bytes that each_run looks at together

// Lower-case letters and digits as they are, upper-case letters lowered, zero for everything else; whether all of it is
// ASCII. Written without branches, for the vectoriser. Zero bytes follow, so that blocks and keys can be read whole.
inline bool lower_ascii(std::string_view text, std::string& out) {
  const std::size_t padded = text.size() + kBlock + 16;
  if (out.size() < padded) out.resize(padded);
  const char* from = text.data();
  char* to = out.data();
  unsigned char seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    seen = static_cast<unsigned char>(seen | c);
    c = static_cast<unsigned char>(c | (static_cast<unsigned char>(c - 'A') < 26 ? 0x20 : 0));
    const bool keep = static_cast<unsigned char>(c - 'a') < 26 || static_cast<unsigned char>(c - '0') < 10;
    to[i] = static_cast<char>(keep ? c : 0);
  }
  std::memset(to + text.size(), 0, kBlock + 16);
  return seen < 0x80;
}

// A bit for each of 64 lowered bytes: whether it belongs to a word. The bytes are below 0x80.
inline std::uint64_t word_bits(const char* block) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, block + 8 * i, 8);
    const std::uint64_t flags = ((eight + 0x7F7F7F7F7F7F7F7Fu) & 0x8080808080808080u) >> 7;
    bits |= (flags * 0x0102040810204080u >> 56) << (8 * i);
  }
  return bits;
}

inline std::uint64_t low_bytes(std::size_t count) {
  return count >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
}

// The key of a word in lowered text: as key_of, read in whole words.
inline Key run_key(const char* word, std::size_t size) {
  if (size > 16) return key_of({word, size});
  Key key;
  std::memcpy(&key.low, word, 8);
  std::memcpy(&key.high, word + 8, 8);
  key.low &= low_bytes(size);
  key.high &= size <= 8 ? 0 : low_bytes(size - 8);
  key.size = static_cast<std::uint32_t>(size);
  return key;
}

// Tokens of a text that lower_ascii has made.
template <class Sink>
void each_run(const std::string& lowered, std::size_t size, Sink&& sink) {
  const char* base = lowered.data();
  std::size_t begin = 0;
  std::uint64_t open = 0;  // 1: a word goes on from the block before
  for (std::size_t block = 0; block < size || open; block += kBlock) {
    // Beyond the text there is one block of zeros at most, which closes a word that is open.
    const std::uint64_t bits = block < size ? word_bits(base + block) : 0;
    // A bit where a word begins, and one where it has ended.
    for (std::uint64_t edges = bits ^ (bits << 1 | open); edges != 0; edges &= edges - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(edges));
      open ^= 1;
      if (open) {
        begin = at;
      } else {
        sink(Token{{base + begin, at - begin}, run_key(base + begin, at - begin), begin, at});
      }
    }
  }
}

}  // namespace detail

// As lower_ascii, with the two code points outside ASCII that Python lowers into it.
void lower_for_rouge_score(std::string_view text, std::string& out);

// Collects folded words of any script; calls the sink for each.
template <class Sink>
void each_unicode_token(std::string_view text, std::string& form, Sink&& sink) {
  std::size_t begin = 0, end = 0;
  bool open = false, single = false;
  const auto close = [&] {
    if (open) sink(Token{form, key_of(form), begin, end});
    open = single = false;
    form.clear();
  };
  form.clear();
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    const CharClass what = char_class(next.code_point);
    if (what == CharClass::separator || what == CharClass::single || (what == CharClass::word && single)) close();
    const bool starts = what == CharClass::word || what == CharClass::single;
    if (starts || (what == CharClass::mark && open)) {
      if (!open) begin = at;
      open = true;
      single = single || what == CharClass::single;
      append_folded(form, next.code_point);
      end = at + next.size;
    }
    at += next.size;
  }
  close();
}

// Lowers a text of several lines for detail::each_run, byte for byte. False where that can't be done.
bool lower_whole(Tokens kind, std::string_view text, std::string& buffer);

// Calls sink(const Token&) for each token of a sentence, in order. The form lives until the sink returns.
template <class Sink>
void each_token(Tokens kind, std::string_view text, std::string& buffer, Sink&& sink) {
  switch (kind) {
    case Tokens::rouge155:
      detail::lower_ascii(text, buffer);
      return detail::each_run(buffer, text.size(), sink);
    case Tokens::rouge_score:
      lower_for_rouge_score(text, buffer);
      return detail::each_run(buffer, text.size(), sink);
    case Tokens::unicode:
      return each_unicode_token(text, buffer, sink);
  }
}

}  // namespace pyramidion
