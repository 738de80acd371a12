#include "stem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <utility>

namespace pyramidion {
namespace {

struct Rule {
  std::string_view suffix, replacement;
};

// Longer suffixes stand before the shorter ones that they end in.
constexpr std::array kStep2{
    Rule{"ational", "ate"}, Rule{"tional", "tion"}, Rule{"enci", "ence"},   Rule{"anci", "ance"},
    Rule{"izer", "ize"},    Rule{"bli", "ble"},     Rule{"alli", "al"},     Rule{"entli", "ent"},
    Rule{"eli", "e"},       Rule{"ousli", "ous"},   Rule{"ization", "ize"}, Rule{"ation", "ate"},
    Rule{"ator", "ate"},    Rule{"alism", "al"},    Rule{"iveness", "ive"}, Rule{"fulness", "ful"},
    Rule{"ousness", "ous"}, Rule{"aliti", "al"},    Rule{"iviti", "ive"},   Rule{"biliti", "ble"}};

constexpr std::array kStep3{Rule{"icate", "ic"}, Rule{"ative", ""}, Rule{"alize", "al"}, Rule{"iciti", "ic"},
                            Rule{"ical", "ic"},  Rule{"ful", ""},   Rule{"ness", ""}};

constexpr std::array<std::string_view, 16> kStep4{"al",  "ance",  "ence", "er",  "ic",  "able", "ible", "ant",
                                                  "ement", "ou", "ism",  "ate", "iti", "ous",  "ive",  "ize"};

// NLTK's irregular forms.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNltkIrregular{{
    {"sky", "sky"},         {"skies", "sky"},       {"dying", "die"},      {"lying", "lie"},
    {"tying", "tie"},       {"news", "news"},       {"innings", "inning"}, {"inning", "inning"},
    {"outings", "outing"},  {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},       {"proceed", "proceed"}, {"exceed", "exceed"},  {"succeed", "succeed"},
}};

bool is_plain_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// One word on its way through the steps.
class Word {
 public:
  Word(std::string_view word, Porter dialect) : text_(word), dialect_(dialect) {}

  std::string stem() && {
    step_1a();
    step_1b();
    step_1c();
    step_2();
    step_3();
    step_4();
    step_5();
    return std::move(text_);
  }

 private:
  bool nltk() const { return dialect_ == Porter::nltk; }

  bool ends(std::string_view suffix) const { return std::string_view(text_).ends_with(suffix); }

  // How many bytes stand before a suffix.
  std::size_t before(std::string_view suffix) const { return text_.size() - suffix.size(); }

  void replace(std::string_view suffix, std::string_view replacement) {
    text_.resize(before(suffix));
    text_.append(replacement);
  }

  struct Shape {
    std::size_t measure = 0;
    bool has_vowel = false;
    std::array<bool, 3> last{};  // consonants at the end: last[0] is the last byte
  };

  // The shape [C](VC)^m[V] of the first `length` bytes. y is a vowel after a consonant, never at the start.
  Shape shape(std::size_t length) const {
    Shape shape;
    bool consonant = false;
    for (std::size_t i = 0; i < length; ++i) {
      const bool previous = consonant;
      consonant = text_[i] == 'y' ? (i == 0 || !previous) : !is_plain_vowel(text_[i]);
      shape.has_vowel |= !consonant;
      shape.measure += i > 0 && consonant && !previous;
      shape.last = {consonant, shape.last[0], shape.last[1]};
    }
    return shape;
  }

  std::size_t measure(std::size_t length) const { return shape(length).measure; }

  // Porter's *o: consonant, vowel, consonant at the end, the last one not w, x or y. NLTK adds vowel, consonant.
  bool ends_cvc(std::size_t length, const Shape& shape) const {
    if (length >= 3 && shape.last[0] && !shape.last[1] && shape.last[2]) {
      const char c = text_[length - 1];
      return c != 'w' && c != 'x' && c != 'y';
    }
    return nltk() && length == 2 && shape.last[0] && !shape.last[1];
  }

  void step_1a() {
    if (nltk() && text_.size() == 4 && ends("ies")) return replace("ies", "ie");
    if (ends("sses")) return replace("sses", "ss");
    if (ends("ies")) return replace("ies", "i");
    if (ends("s") && !ends("ss") && text_.size() > 1) replace("s", "");
  }

  void step_1b() {
    if (nltk() && ends("ied")) return replace("ied", text_.size() == 4 ? "ie" : "i");
    if (ends("eed")) {
      if (measure(before("eed")) > 0) text_.pop_back();
      return;
    }
    for (std::string_view suffix : {"ed", "ing"}) {
      if (!ends(suffix)) continue;
      if (shape(before(suffix)).has_vowel) {
        replace(suffix, "");
        tidy_1b();
      }
      return;
    }
  }

  void tidy_1b() {
    if (ends("at") || ends("bl") || ends("iz")) {
      text_ += 'e';
      return;
    }
    const Shape now = shape(text_.size());
    const char last = text_.back();
    if (text_.size() >= 2 && text_[text_.size() - 2] == last && now.last[0]) {
      if (last != 'l' && last != 's' && last != 'z') text_.pop_back();
      return;
    }
    if (now.measure == 1 && ends_cvc(text_.size(), now)) text_ += 'e';
  }

  void step_1c() {
    if (!ends("y")) return;
    const std::size_t length = before("y");
    const Shape stem = shape(length);
    if (nltk() ? (length > 1 && stem.last[0]) : stem.has_vowel) text_.back() = 'i';
  }

  void step_2() {
    if (nltk() && ends("alli") && measure(before("alli")) > 0) {
      replace("alli", "al");
      return step_2();
    }
    if (apply(kStep2)) return;
    if (nltk() && ends("fulli")) {
      if (measure(before("fulli")) > 0) replace("fulli", "ful");
    } else if (ends("logi")) {
      // NLTK measures what stands before "ogi".
      if (measure(before(nltk() ? "ogi" : "logi")) > 0) text_.pop_back();
    }
  }

  void step_3() { apply(kStep3); }

  // The first rule whose suffix is there, if something measurable stands before it.
  bool apply(std::span<const Rule> rules) {
    for (const Rule& rule : rules) {
      if (!ends(rule.suffix)) continue;
      if (measure(before(rule.suffix)) > 0) replace(rule.suffix, rule.replacement);
      return true;
    }
    return false;
  }

  void step_4() {
    if (dialect_ == Porter::rouge155) return step_4_in_a_row();
    for (std::string_view suffix : kStep4) {
      if (ends(suffix)) return drop(suffix);
    }
    for (std::string_view suffix : {"ment", "ent"}) {
      if (ends(suffix)) return drop(suffix);
    }
    drop_ion();
  }

  // ROUGE-1.5.5 tries the four groups one after the other, each on what the one before has left.
  void step_4_in_a_row() {
    for (std::string_view suffix : kStep4) {
      if (ends(suffix)) {
        drop(suffix);
        break;
      }
    }
    if (ends("ment")) drop("ment");
    if (ends("ent")) {
      drop("ent");
    } else {
      drop_ion();
    }
  }

  void drop(std::string_view suffix) {
    if (measure(before(suffix)) > 1) replace(suffix, "");
  }

  void drop_ion() {
    if ((ends("sion") || ends("tion"))) drop("ion");
  }

  void step_5() {
    if (ends("e")) {
      const std::size_t length = before("e");
      const Shape stem = shape(length);
      if (stem.measure > 1 || (stem.measure == 1 && !ends_cvc(length, stem))) text_.pop_back();
    }
    if (ends("ll") && measure(text_.size()) > 1) text_.pop_back();
  }

  std::string text_;
  Porter dialect_;
};

template <class Take>
void each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

std::string porter_stem(std::string_view word, Porter dialect) {
  if (dialect == Porter::nltk) {
    for (const auto& [form, base] : kNltkIrregular) {
      if (form == word) return std::string(base);
    }
  }
  if (word.size() <= 2) return std::string(word);
  return Word(word, dialect).stem();
}

WordLists::WordLists(std::string_view stop_words, std::string_view exceptions) : identity_(next_identity()) {
  each_line(stop_words, [&](std::string_view line) { stop_.emplace(line); });
  each_line(exceptions, [&](std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) return;
    exceptions_.insert_or_assign(std::string(line.substr(0, tab)), std::string(line.substr(tab + 1)));
  });
}

const std::string* WordLists::exception(std::string_view word) const {
  const auto found = exceptions_.find(word);
  return found == exceptions_.end() ? nullptr : &found->second;
}

std::string morphological_stem(std::string_view word, const WordLists& lists) {
  if (const std::string* base = lists.exception(word)) return *base;
  return porter_stem(word, Porter::rouge155);
}

std::string stem_token(std::string_view token, Stems stems, const WordLists& lists) {
  if (stems == Stems::martin) return porter_stem(token, Porter::martin);
  if (stems == Stems::none || token.size() <= 3) return std::string(token);
  if (stems == Stems::nltk) return porter_stem(token, Porter::nltk);
  return morphological_stem(token, lists);
}

}  // namespace pyramidion
