#include "be.hpp"

#include <algorithm>

namespace pyramidion {
namespace {

constexpr std::string_view kNil = "nil";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool has_alphanumeric(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

// Stems word by word. White space becomes one blank; what leads stays as a blank, what trails is dropped.
std::string stem_words(const std::string& text, const WordLists& lists) {
  if (text.size() <= 3) return text;
  std::string out;
  std::string_view rest = text;
  for (bool first = true; !rest.empty(); first = false) {
    const auto word_end = static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), is_blank) - rest.begin());
    const std::string_view word = rest.substr(0, word_end);
    rest.remove_prefix(word_end);
    rest.remove_prefix(static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_blank) - rest.begin()));
    if (!first) out += ' ';
    if (has_alphanumeric(word)) {
      out += morphological_stem(word, lists);
    } else {
      out += word;
    }
    if (first && word.empty() && rest.empty()) return "";
  }
  return out;
}

}  // namespace

BasicElement::BasicElement(std::string_view head, std::string_view modifier, std::string_view relation, bool stem,
                           const WordLists& lists)
    : head_(lower(head)), modifier_(lower(modifier)), relation_(lower(relation)), has_modifier_(modifier_ != kNil) {
  if (!stem) return;
  head_ = stem_words(head_, lists);
  modifier_ = stem_words(modifier_, lists);
}

bool BasicElement::write_key(BeMode mode, std::string& key) const {
  const bool counts = mode == BeMode::h      ? modifier_ == kNil
                      : mode == BeMode::hm   ? modifier_ != kNil
                      : mode == BeMode::hmr  ? relation_ != kNil
                      : mode == BeMode::hmr1 ? has_modifier_
                                             : true;
  if (!counts) return false;
  key = head_;
  if (mode == BeMode::h) return true;
  key.append("|").append(modifier_);
  if (mode == BeMode::hm || mode == BeMode::hm1) return true;
  key.append("|").append(relation_);
  return true;
}

}  // namespace pyramidion
