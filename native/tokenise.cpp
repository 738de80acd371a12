#include "tokenise.hpp"

namespace pyramidion {

namespace {

constexpr std::string_view kDottedI = "\xC4\xB0";         // U+0130 lowers to i and a combining dot, which separates
constexpr std::string_view kKelvinSign = "\xE2\x84\xAA";  // U+212A lowers to k

bool has_special(std::string_view text) {
  return text.find(kDottedI) != text.npos || text.find(kKelvinSign) != text.npos;
}

}  // namespace

bool lower_whole(Tokens kind, std::string_view text, std::string& buffer) {
  if (kind == Tokens::unicode) return false;
  return detail::lower_ascii(text, buffer) || kind == Tokens::rouge155 || !has_special(text);
}

void lower_for_rouge_score(std::string_view text, std::string& out) {
  if (detail::lower_ascii(text, out) || !has_special(text)) return;
  // The letter takes the place of the first byte; what a Kelvin sign had more is closed up.
  std::size_t shift = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kDottedI)) {
      out[at - shift] = 'i';
      out[at - shift + 1] = 0;
      ++at;
    } else if (text.substr(at).starts_with(kKelvinSign)) {
      out[at - shift] = 'k';
      at += 2;
      shift += 2;
    } else {
      out[at - shift] = out[at];
    }
  }
  std::memset(out.data() + (text.size() - shift), 0, shift);
}

}  // namespace pyramidion
