#include "tokenise.hpp"

namespace pyramidion {

namespace {

constexpr std::string_view kDottedI = "\xC4\xB0";         // U+0130 lowers to i and a combining dot, which separates
constexpr std::string_view kKelvinSign = "\xE2\x84\xAA";  // U+212A lowers to k

}  // namespace

void lower_for_rouge_score(std::string_view text, std::string& out) {
  detail::lower_ascii(text, out);
  if (text.find(kDottedI) == text.npos && text.find(kKelvinSign) == text.npos) return;
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
