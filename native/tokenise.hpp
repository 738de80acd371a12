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

// Lower-case letters and digits as they are, upper-case letters lowered, zero for everything else. Written
// without branches, for the vectoriser. Sixteen zero bytes follow, so that keys can be read in whole words.
inline void lower_ascii(std::string_view text, std::string& out) {
  out.resize(text.size() + 16);
  const char* from = text.data();
  char* to = out.data();
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(from[i]);
    c = static_cast<unsigned char>(c | (static_cast<unsigned char>(c - 'A') < 26 ? 0x20 : 0));
    const bool keep = static_cast<unsigned char>(c - 'a') < 26 || static_cast<unsigned char>(c - '0') < 10;
    to[i] = static_cast<char>(keep ? c : 0);
  }
  std::memset(to + text.size(), 0, 16);
}

// How many bytes of the word stand before the first zero byte (8 if there is none).
inline std::uint32_t bytes_before_zero(std::uint64_t word) {
  const std::uint64_t zero = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
  return zero == 0 ? 8 : static_cast<std::uint32_t>(std::countr_zero(zero)) / 8;
}

inline std::uint64_t first_bytes(std::uint64_t word, std::uint32_t count) {
  return count == 8 ? word : word & ((std::uint64_t{1} << (8 * count)) - 1);
}

// Tokens of a text that lower_ascii has made.
template <class Sink>
void each_run(const std::string& lowered, std::size_t size, Sink&& sink) {
  const char* base = lowered.data();
  std::size_t at = 0;
  while (at < size) {
    if (base[at] == 0) {
      ++at;
      continue;
    }
    Token token{{}, {}, at, 0};
    std::memcpy(&token.key.low, base + at, 8);
    std::uint32_t length = bytes_before_zero(token.key.low);
    token.key.low = first_bytes(token.key.low, length);
    if (length == 8) {
      std::memcpy(&token.key.high, base + at + 8, 8);
      const std::uint32_t more = bytes_before_zero(token.key.high);
      token.key.high = first_bytes(token.key.high, more);
      length += more;
    }
    token.key.size = length;
    token.form = {base + at, length};
    if (length == 16) {
      token.form = {base + at, std::strlen(base + at)};
      token.key = key_of(token.form);
    }
    token.end = at + token.form.size();
    sink(token);
    at = token.end + 1;
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
