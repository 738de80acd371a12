#include "unicode.hpp"

#include <algorithm>
#include <iterator>

namespace pyramidion {
namespace {

struct ClassRange {
  char32_t first, last;
  CharClass value;
};

struct Folding {
  char32_t code_point;
  const char* folded;
};

#include "unicode_tables.inc"

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

}  // namespace

const char* const kUnicodeVersion = kTablesVersion;

CharClass char_class(char32_t code_point) {
  const auto* after = std::upper_bound(std::begin(kClassRanges), std::end(kClassRanges), code_point,
                                       [](char32_t c, const ClassRange& range) { return c < range.first; });
  if (after == std::begin(kClassRanges)) return CharClass::separator;
  const ClassRange& range = *std::prev(after);
  return code_point <= range.last ? range.value : CharClass::separator;
}

void append_folded(std::string& out, char32_t code_point) {
  const auto* found = std::lower_bound(std::begin(kFoldings), std::end(kFoldings), code_point,
                                       [](const Folding& folding, char32_t c) { return folding.code_point < c; });
  if (found != std::end(kFoldings) && found->code_point == code_point) {
    out += found->folded;
  } else {
    append_utf8(out, code_point);
  }
}

Decoded decode(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::uint32_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + size > text.size()) return {0xFFFD, 1};
  char32_t code_point = lead & (0x7Fu >> size);
  for (std::uint32_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return {0xFFFD, 1};
    code_point = (code_point << 6) | (byte & 0x3F);
  }
  return {code_point, size};
}

}  // namespace pyramidion
