#include "arrow.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "unicode.hpp"

namespace pyramidion {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("Arrow data: " + what); }

std::string show(std::int64_t number) { return std::to_string(number); }

template <class Number>
std::int64_t number_at(const char* buffer, std::int64_t index) {
  Number value;
  std::memcpy(&value, buffer + index * static_cast<std::int64_t>(sizeof(Number)), sizeof(Number));
  if constexpr (sizeof(Number) == 8 && !std::numeric_limits<Number>::is_signed) {
    if (value > static_cast<Number>(std::numeric_limits<std::int64_t>::max())) refuse("an index above 2^63");
  }
  return static_cast<std::int64_t>(value);
}

bool bit_at(const std::uint8_t* bits, std::int64_t index) { return bits[index / 8] >> (index % 8) & 1; }

// Lengths and offsets of one array, before anything behind its pointers is read.
void check_array(const ArrowSchema& schema, const ArrowArray& array) {
  if (!array.release) refuse("the array was released before it was read");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;
  if (array.length < 0 || array.offset < 0 || array.length > most || array.offset > most) {
    refuse("an array of length " + show(array.length) + " at offset " + show(array.offset));
  }
  if (array.n_buffers < 0 || (array.n_buffers > 0 && !array.buffers)) refuse("an array without its buffers");
  if (array.n_children != schema.n_children || array.n_children < 0 || (array.n_children > 0 && !array.children)) {
    refuse("an array with " + show(array.n_children) + " children whose type has " + show(schema.n_children));
  }
  if ((array.dictionary == nullptr) != (schema.dictionary == nullptr)) refuse("an array whose dictionary is missing");
}

const char* buffer_of(const ArrowArray& array, std::int64_t index, bool needed) {
  if (index >= array.n_buffers) refuse("an array with " + show(array.n_buffers) + " buffers: too few for its type");
  const auto* buffer = static_cast<const char*>(array.buffers[index]);
  if (!buffer && needed) refuse("an array whose buffer " + show(index) + " is missing");
  return buffer;
}

const std::uint8_t* validity_of(const ArrowArray& array) {
  const auto* bits = reinterpret_cast<const std::uint8_t*>(buffer_of(array, 0, false));
  if (!bits && array.null_count > 0) refuse(show(array.null_count) + " nulls without a bitmap that says which");
  return array.null_count == 0 ? nullptr : bits;
}

// A part of a child that its parent's length and offset ask for.
void check_part(const ArrowArray& array, std::int64_t first, std::int64_t length, const char* what) {
  if (first < 0 || length < 0 || first > array.length || length > array.length - first) {
    refuse(std::string(what) + " asks for rows " + show(first) + " to " + show(first + length) + " of " +
           show(array.length));
  }
}

// Equal texts under one number: an open-addressing table of what was seen.
class DistinctTexts {
 public:
  explicit DistinctTexts(std::vector<Text>& texts) : texts_(texts), slots_(1024, Slot{0, kFree}) {}

  std::int64_t number(std::string_view text) {
    const std::uint64_t hash = digest(text);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].text != kFree; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && texts_[static_cast<std::size_t>(slots_[at].text)].whole == text) {
        return slots_[at].text;
      }
    }
    const auto fresh = static_cast<std::int64_t>(texts_.size());
    texts_.push_back({text, {}, true});
    slots_[at] = {hash, fresh};
    if (2 * ++used_ > slots_.size()) grow();
    return fresh;
  }

 private:
  static constexpr std::int64_t kFree = -1;
  struct Slot {
    std::uint64_t hash;
    std::int64_t text;
  };

  // Two lanes of eight bytes; equality is always tested, so that the hash need not be strong.
  static std::uint64_t digest(std::string_view text) {
    std::uint64_t one = text.size() * 0x9E3779B97F4A7C15u, two = 0xD6E8FEB86659FD93u;
    const char* from = text.data();
    std::size_t left = text.size();
    for (; left >= 16; left -= 16, from += 16) {
      std::uint64_t words[2];
      std::memcpy(words, from, 16);
      one = (one ^ words[0]) * 0xBF58476D1CE4E5B9u;
      two = (two ^ words[1]) * 0x94D049BB133111EBu;
      one ^= one >> 32;
      two ^= two >> 32;
    }
    std::uint64_t words[2] = {};
    if (left > 0) std::memcpy(words, from, left);
    one = (one ^ words[0] ^ std::rotl(two, 23)) * 0xBF58476D1CE4E5B9u;
    one = (one ^ (one >> 29) ^ words[1]) * 0x94D049BB133111EBu;
    return one ^ (one >> 32);
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2, Slot{0, kFree});
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.text == kFree) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].text != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Text>& texts_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// Walks over the rows of a column, chunk by chunk.
class Cursor {
 public:
  explicit Cursor(const ArrowColumn& column) : chunk_(column.begin()), end_(column.end()) { skip_empty(); }
  const ArrowTexts& chunk() const { return *chunk_; }
  std::int64_t row() const { return row_; }
  bool at_end() const { return chunk_ == end_; }
  void next() {
    if (++row_ < chunk_->size()) return;
    ++chunk_;
    row_ = 0;
    skip_empty();
  }

 private:
  void skip_empty() {
    while (chunk_ != end_ && chunk_->size() == 0) ++chunk_;
  }
  ArrowColumn::const_iterator chunk_, end_;
  std::int64_t row_ = 0;
};

std::int64_t rows_of(const ArrowColumn& column) {
  std::int64_t rows = 0;
  for (const ArrowTexts& chunk : column) rows += chunk.size();
  return rows;
}

// A text that may be a list of its sentences.
class TextTaker {
 public:
  explicit TextTaker(std::vector<Text>& texts) : texts_(texts), distinct_(texts) {}

  std::int64_t take(const ArrowTexts& from, std::int64_t row) {
    if (!from.is_list()) return distinct_.number(from.text(row));
    Text out{{}, {}, false};
    const auto [first, count] = from.range(row);
    if (from.items().is_list()) refuse("lists within lists where a text, or a list of its sentences, was expected");
    for (std::int64_t i = first; i < first + count; ++i) {
      if (!from.items().is_null(i)) out.given.push_back(from.items().text(i));
    }
    texts_.push_back(std::move(out));
    return static_cast<std::int64_t>(texts_.size()) - 1;
  }

 private:
  std::vector<Text>& texts_;
  DistinctTexts distinct_;
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool has_more_words(std::string_view text, std::size_t most) {
  if (text.size() < 2 * most + 1) return false;
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = is_blank(c);
    words += !blank && !in_word;
    in_word = !blank;
    if (words > most) return true;
  }
  return false;
}

bool has_letters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text, at);
    const CharClass what = char_class(next.code_point);
    const bool is_ascii_digit = next.code_point >= '0' && next.code_point <= '9';
    if ((what == CharClass::word || what == CharClass::single) && !is_ascii_digit) return true;
    at += next.size;
  }
  return false;
}

bool has_ascii_word(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

ArrowTexts::ArrowTexts(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first, std::int64_t length) {
  check_array(schema, array);
  check_part(array, first, length, "a table or list");
  first_ = array.offset + first;
  length_ = length;
  take_kind(schema);
  if (kind_ == Kind::nothing) return;
  valid_ = validity_of(array);
  take_items(schema, array);
  const bool filled = length > 0;
  switch (kind_) {
    case Kind::nothing:
    case Kind::fixed_list: break;
    case Kind::text32:
    case Kind::text64:
      offsets_ = buffer_of(array, 1, filled);
      data_ = buffer_of(array, 2, false);
      break;
    case Kind::view:
      offsets_ = buffer_of(array, 1, filled);
      view_buffer_count_ = array.n_buffers - 3;
      if (view_buffer_count_ < 0) refuse("a column of string views without the sizes of its buffers");
      view_buffers_ = array.buffers + 2;
      view_sizes_ = buffer_of(array, array.n_buffers - 1, view_buffer_count_ > 0);
      break;
    case Kind::list32:
    case Kind::list64:
    case Kind::dictionary: offsets_ = buffer_of(array, 1, filled); break;
    case Kind::list_view32:
    case Kind::list_view64:
      offsets_ = buffer_of(array, 1, filled);
      data_ = buffer_of(array, 2, filled);
      break;
  }
}

void ArrowTexts::take_kind(const ArrowSchema& schema) {
  if (!schema.format) refuse("a column without a type");
  const std::string_view format = schema.format;
  if (schema.dictionary) {
    if (format.size() != 1 || std::string_view("cCsSiIlL").find(format[0]) == format.npos) {
      refuse("a dictionary with indices of type " + std::string(format));
    }
    kind_ = Kind::dictionary;
    index_ = format[0];
  } else if (format == "n") {
    kind_ = Kind::nothing;
  } else if (format == "u") {
    kind_ = Kind::text32;
  } else if (format == "U") {
    kind_ = Kind::text64;
  } else if (format == "vu") {
    kind_ = Kind::view;
  } else if (format == "+l") {
    kind_ = Kind::list32;
  } else if (format == "+L") {
    kind_ = Kind::list64;
  } else if (format == "+vl") {
    kind_ = Kind::list_view32;
  } else if (format == "+vL") {
    kind_ = Kind::list_view64;
  } else if (format.starts_with("+w:")) {
    kind_ = Kind::fixed_list;
    const std::string digits(format.substr(3));
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos) {
      refuse("a list type " + std::string(format));
    }
    fixed_size_ = std::stoll(digits);
  } else {
    refuse("a column of type '" + std::string(format) +
           "': expected strings (string, large_string, string_view), or lists of them");
  }
}

void ArrowTexts::take_items(const ArrowSchema& schema, const ArrowArray& array) {
  if (kind_ == Kind::dictionary) {
    items_ = std::make_shared<ArrowTexts>(*schema.dictionary, *array.dictionary, 0, array.dictionary->length);
    if (items_->is_list() || items_->kind_ == Kind::dictionary) refuse("a dictionary of lists: expected strings");
    return;
  }
  if (kind_ == Kind::text32 || kind_ == Kind::text64 || kind_ == Kind::view) return;
  if (array.n_children != 1 || !schema.children || !schema.children[0] || !array.children[0]) {
    refuse("a list with " + show(array.n_children) + " children");
  }
  items_ = std::make_shared<ArrowTexts>(*schema.children[0], *array.children[0], 0, array.children[0]->length);
}

bool ArrowTexts::is_null(std::int64_t row) const {
  if (kind_ == Kind::nothing) return true;
  if (valid_ && !bit_at(valid_, first_ + row)) return true;
  return kind_ == Kind::dictionary && items_->is_null(dictionary_index(row));
}

std::int64_t ArrowTexts::dictionary_index(std::int64_t row) const {
  const std::int64_t at = first_ + row;
  std::int64_t index = -1;
  switch (index_) {
    case 'c': index = number_at<std::int8_t>(offsets_, at); break;
    case 'C': index = number_at<std::uint8_t>(offsets_, at); break;
    case 's': index = number_at<std::int16_t>(offsets_, at); break;
    case 'S': index = number_at<std::uint16_t>(offsets_, at); break;
    case 'i': index = number_at<std::int32_t>(offsets_, at); break;
    case 'I': index = number_at<std::uint32_t>(offsets_, at); break;
    case 'l': index = number_at<std::int64_t>(offsets_, at); break;
    default: index = number_at<std::uint64_t>(offsets_, at); break;
  }
  if (index < 0 || index >= items_->size()) {
    refuse("row " + show(row) + " has the entry " + show(index) + " of a dictionary of " + show(items_->size()));
  }
  return index;
}

std::string_view ArrowTexts::text(std::int64_t row) const {
  const std::int64_t at = first_ + row;
  if (kind_ == Kind::dictionary) return items_->text(dictionary_index(row));
  if (kind_ == Kind::view) return view_text(at);
  const bool wide = kind_ == Kind::text64;
  const std::int64_t begin = wide ? number_at<std::int64_t>(offsets_, at) : number_at<std::int32_t>(offsets_, at);
  const std::int64_t end = wide ? number_at<std::int64_t>(offsets_, at + 1) : number_at<std::int32_t>(offsets_, at + 1);
  if (begin < 0 || end < begin) refuse("a string from byte " + show(begin) + " to " + show(end));
  if (begin == end) return {};
  if (!data_) refuse("strings without the buffer of their bytes");
  return {data_ + begin, static_cast<std::size_t>(end - begin)};
}

// A view: its length, then either the bytes themselves (up to 12), or four of them, the number of a buffer, and where
// in this buffer the string begins.
std::string_view ArrowTexts::view_text(std::int64_t at) const {
  const char* view = offsets_ + at * 16;
  const std::int64_t size = number_at<std::int32_t>(view, 0);
  if (size < 0) refuse("a string view of length " + show(size));
  if (size <= 12) return {view + 4, static_cast<std::size_t>(size)};
  const std::int64_t buffer = number_at<std::int32_t>(view, 2), begin = number_at<std::int32_t>(view, 3);
  if (buffer < 0 || buffer >= view_buffer_count_ || !view_buffers_[buffer]) {
    refuse("a string view into buffer " + show(buffer) + " of " + show(view_buffer_count_));
  }
  const std::int64_t there = number_at<std::int64_t>(view_sizes_, buffer);
  if (begin < 0 || begin > there || size > there - begin) {
    refuse("a string view of bytes " + show(begin) + " to " + show(begin + size) + " in a buffer of " + show(there));
  }
  const char* text = static_cast<const char*>(view_buffers_[buffer]) + begin;
  if (std::memcmp(text, view + 4, 4) != 0) refuse("a string view whose prefix is not that of its string");
  return {text, static_cast<std::size_t>(size)};
}

std::pair<std::int64_t, std::int64_t> ArrowTexts::range(std::int64_t row) const {
  const std::int64_t at = first_ + row;
  std::int64_t begin = 0, count = 0;
  switch (kind_) {
    case Kind::list32:
      begin = number_at<std::int32_t>(offsets_, at);
      count = number_at<std::int32_t>(offsets_, at + 1) - begin;
      break;
    case Kind::list64: {
      begin = number_at<std::int64_t>(offsets_, at);
      const std::int64_t end = number_at<std::int64_t>(offsets_, at + 1);
      if (begin < 0 || end < begin) refuse("a list from item " + show(begin) + " to " + show(end));
      count = end - begin;
      break;
    }
    case Kind::list_view32:
      begin = number_at<std::int32_t>(offsets_, at);
      count = number_at<std::int32_t>(data_, at);
      break;
    case Kind::list_view64:
      begin = number_at<std::int64_t>(offsets_, at);
      count = number_at<std::int64_t>(data_, at);
      break;
    default:
      if (fixed_size_ == 0) return {0, 0};
      if (at > items_->size()) refuse("a list beyond its items");
      begin = at * fixed_size_;
      count = fixed_size_;
      break;
  }
  if (begin < 0 || count < 0 || begin > items_->size() || count > items_->size() - begin) {
    refuse("a list of " + show(count) + " items from item " + show(begin) + " of " + show(items_->size()));
  }
  return {begin, count};
}

ArrowTable::ArrowTable(ArrowArrayStream& stream) {
  const Owned<ArrowArrayStream> owned(stream);
  auto& own = const_cast<ArrowArrayStream&>(*owned);
  const auto failed = [&](const char* what) {
    const char* message = own.get_last_error ? own.get_last_error(&own) : nullptr;
    refuse(std::string(what) + (message ? std::string(": ") + message : ""));
  };
  if (!own.release || !own.get_schema || !own.get_next) refuse("the stream was read before");
  if (own.get_schema(&own, &*schema_) != 0) failed("the stream has no schema");
  while (true) {
    Owned<ArrowArray> chunk;
    if (own.get_next(&own, &*chunk) != 0) failed("the stream broke off");
    if (!(*chunk).release) break;
    chunks_.push_back(std::move(chunk));
  }
  check();
}

ArrowTable::ArrowTable(ArrowSchema& schema, ArrowArray& array) : schema_(schema) {
  chunks_.emplace_back(array);
  check();
}

void ArrowTable::check() const {
  if (!(*schema_).release || !(*schema_).format) refuse("a schema without a type");
  for (const auto& chunk : chunks_) {
    check_array(*schema_, *chunk);
    if (is_struct() && (*chunk).null_count > 0) refuse("a struct with rows that are null: expected a table");
  }
}

std::vector<std::string> ArrowTable::names() const {
  std::vector<std::string> names;
  if (!is_struct()) return names;
  for (std::int64_t i = 0; i < (*schema_).n_children; ++i) {
    const char* name = (*schema_).children[i] ? (*schema_).children[i]->name : nullptr;
    names.emplace_back(name ? name : "");
  }
  return names;
}

std::int64_t ArrowTable::rows() const {
  std::int64_t rows = 0;
  for (const auto& chunk : chunks_) rows += (*chunk).length;
  return rows;
}

ArrowColumn ArrowTable::column(std::string_view name) const {
  ArrowColumn column;
  if (!is_struct()) {
    for (const auto& chunk : chunks_) column.emplace_back(*schema_, *chunk, 0, (*chunk).length);
    return column;
  }
  const std::vector<std::string> known = names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) refuse("there is no column '" + std::string(name) + "'");
  const auto index = found - known.begin();
  for (const auto& chunk : chunks_) {
    if (!(*chunk).children[index]) refuse("a table whose column '" + std::string(name) + "' is missing");
    column.emplace_back(*(*schema_).children[index], *(*chunk).children[index], (*chunk).offset, (*chunk).length);
  }
  return column;
}

PairedRows pair_rows(const ArrowColumn& summaries, const ArrowColumn& references) {
  const std::int64_t rows = rows_of(summaries);
  if (rows_of(references) != rows) {
    refuse(show(rows) + " summaries and " + show(rows_of(references)) + " rows of references");
  }
  PairedRows out;
  out.starts.reserve(static_cast<std::size_t>(rows) + 1);
  TextTaker taker(out.texts);
  Cursor summary(summaries), reference(references);
  for (std::int64_t row = 0; row < rows; ++row, summary.next(), reference.next()) {
    out.starts.push_back(static_cast<std::int64_t>(out.pairs.size()));
    if (summary.chunk().is_null(summary.row()) || reference.chunk().is_null(reference.row())) continue;
    const std::int64_t peer = taker.take(summary.chunk(), summary.row());
    const ArrowTexts& given = reference.chunk();
    if (!given.is_list()) {
      out.pairs.push_back({peer, taker.take(given, reference.row())});
      continue;
    }
    const auto [first, count] = given.range(reference.row());
    for (std::int64_t i = first; i < first + count; ++i) {
      if (!given.items().is_null(i)) out.pairs.push_back({peer, taker.take(given.items(), i)});
    }
  }
  out.starts.push_back(static_cast<std::int64_t>(out.pairs.size()));
  return out;
}

bool has_long_line(const std::vector<Text>& texts, std::size_t most) {
  return std::any_of(texts.begin(), texts.end(), [most](const Text& text) {
    return text.is_whole && text.whole.find('\n') == text.whole.npos && has_more_words(text.whole, most);
  });
}

bool has_unread_letters(const std::vector<Text>& texts, const Documents& documents) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!documents[i].tokens.empty()) continue;
    Sentences lines;
    const Sentences& sentences = sentences_of(texts[i], lines);
    if (std::any_of(sentences.begin(), sentences.end(), has_letters) &&
        std::none_of(sentences.begin(), sentences.end(), has_ascii_word)) {
      return true;
    }
  }
  return false;
}

namespace {

using Values = std::shared_ptr<const std::vector<double>>;  // shared by the columns of a table

struct ArrayParts {
  Values values;
  std::vector<std::uint8_t> valid;  // a bit for each row
  const void* buffers[2] = {nullptr, nullptr};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

struct SchemaParts {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

template <class Struct, class Parts>
void release(Struct* given) {
  for (std::int64_t i = 0; i < given->n_children; ++i) {
    if (given->children[i]->release) given->children[i]->release(given->children[i]);
  }
  delete static_cast<Parts*>(given->private_data);
  given->release = nullptr;
}

void make_schema(const std::string& format, const std::string& name, std::size_t children, ArrowSchema* out) {
  auto parts = std::make_unique<SchemaParts>();
  parts->format = format;
  parts->name = name;
  parts->children.resize(children);
  for (ArrowSchema& child : parts->children) parts->pointers.push_back(&child);
  constexpr std::int64_t nullable = 2;
  *out = {parts->format.c_str(), parts->name.c_str(), nullptr, nullable, static_cast<std::int64_t>(children),
          parts->pointers.data(), nullptr, release<ArrowSchema, SchemaParts>, nullptr};
  out->private_data = parts.release();
}

void make_doubles(const Values& values, std::size_t rows, std::size_t column, ArrowArray* out) {
  auto parts = std::make_unique<ArrayParts>();
  parts->values = values;
  parts->valid.assign((rows + 7) / 8, 0);
  const double* from = values->data() + column * rows;
  std::int64_t nulls = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool valid = !std::isnan(from[row]);
    parts->valid[row / 8] = static_cast<std::uint8_t>(parts->valid[row / 8] | unsigned{valid} << (row % 8));
    nulls += !valid;
  }
  parts->buffers[0] = nulls > 0 ? parts->valid.data() : nullptr;
  parts->buffers[1] = from;
  *out = {static_cast<std::int64_t>(rows), nulls, 0, 2, 0, parts->buffers, nullptr, nullptr,
          release<ArrowArray, ArrayParts>, nullptr};
  out->private_data = parts.release();
}

}  // namespace

void export_type(const std::string& name, ArrowSchema* schema) { make_schema("g", name, 0, schema); }

void export_column(const std::string& name, std::vector<double> values, ArrowSchema* schema, ArrowArray* array) {
  const std::size_t rows = values.size();
  export_type(name, schema);
  make_doubles(std::make_shared<const std::vector<double>>(std::move(values)), rows, 0, array);
}

void export_columns(const std::vector<std::string>& names, std::vector<double> values, std::size_t rows,
                    ArrowSchema* schema, ArrowArray* array) {
  make_schema("+s", "", names.size(), schema);
  schema->flags = 0;
  const auto shared = std::make_shared<const std::vector<double>>(std::move(values));
  auto parts = std::make_unique<ArrayParts>();
  parts->children.resize(names.size());
  for (std::size_t column = 0; column < names.size(); ++column) {
    make_schema("g", names[column], 0, schema->children[column]);
    make_doubles(shared, rows, column, &parts->children[column]);
    parts->pointers.push_back(&parts->children[column]);
  }
  *array = {static_cast<std::int64_t>(rows), 0, 0, 1, static_cast<std::int64_t>(names.size()), parts->buffers,
            parts->pointers.data(), nullptr, release<ArrowArray, ArrayParts>, nullptr};
  array->private_data = parts.release();
}

}  // namespace pyramidion
