#include "limits.hpp"

namespace pyramidion {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Walks over the fields of a split on white space; stops after `most` of them.
struct Fields {
  std::int64_t count = 0;
  std::size_t end = 0;  // where the last field ends
};

Fields fields(std::string_view text, std::int64_t most, bool leading_blank_is_word) {
  Fields found;
  std::size_t at = 0;
  bool leading = leading_blank_is_word && !text.empty() && is_blank(text[0]);
  while (at < text.size() && found.count < most) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at == text.size()) break;
    if (leading) {
      // The empty field counts only because another one follows.
      leading = false;
      if (++found.count == most) break;
    }
    while (at < text.size() && !is_blank(text[at])) ++at;
    ++found.count;
    found.end = at;
  }
  return found;
}

Sentences cut_words(const Sentences& sentences, const Limit& limit) {
  Sentences kept;
  std::int64_t left = limit.words;
  for (std::string_view sentence : sentences) {
    const Fields taken = fields(sentence, left, limit.leading_blank_is_word);
    if (taken.count >= left) {
      kept.push_back(sentence.substr(0, taken.end));
      break;
    }
    kept.push_back(sentence);
    left -= taken.count;
  }
  return kept;
}

Sentences cut_bytes(const Sentences& sentences, std::int64_t limit, bool use_up) {
  Sentences kept;
  auto left = static_cast<std::size_t>(limit);
  for (std::string_view sentence : sentences) {
    kept.push_back(sentence.substr(0, left));
    if (sentence.size() >= left) break;
    if (use_up) left -= sentence.size();
  }
  return kept;
}

}  // namespace

Sentences cut(const Sentences& sentences, const Limit& limit) {
  if (limit.words > 0) return cut_words(sentences, limit);
  if (limit.bytes > 0) return cut_bytes(sentences, limit.bytes, true);
  return sentences;
}

Sentences cut_for_lcs(const Sentences& sentences, const Limit& limit) {
  return limit.splits_readings() ? cut_bytes(sentences, limit.bytes, false) : cut(sentences, limit);
}

}  // namespace pyramidion
