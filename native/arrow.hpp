// Columns of texts in Arrow's memory layout, read where they lie, and tables of numbers handed over in it.
// The three structs are the ABI of Arrow's C data interface and C stream interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "overlap.hpp"
#include "types.hpp"

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace pyramidion {

// Owns one of the structs above: taken from its producer, released once.
template <class Struct>
class Owned {
 public:
  Owned() : value_{} {}
  explicit Owned(Struct& given) : value_(given) { given.release = nullptr; }
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, Struct{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Owned() {
    if (value_.release) value_.release(&value_);
  }
  Struct& operator*() { return value_; }
  const Struct& operator*() const { return value_; }

 private:
  Struct value_;
};

// One array of texts (string, large_string, string_view, or a dictionary of them), or of lists of such arrays. What
// the interface lets one check is checked where it is read: std::invalid_argument says what is wrong. The size of a
// string's data buffer is not among it: the interface does not carry it.
class ArrowTexts {
 public:
  // Rows first … first + length - 1 of the array, counted from the array's own offset.
  ArrowTexts(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first, std::int64_t length);

  std::int64_t size() const { return length_; }
  bool is_list() const { return items_ != nullptr && kind_ != Kind::dictionary; }
  bool is_null(std::int64_t row) const;
  // Of a row that is not null.
  std::string_view text(std::int64_t row) const;
  // The rows of items() that a list holds: first and count.
  std::pair<std::int64_t, std::int64_t> range(std::int64_t row) const;
  const ArrowTexts& items() const { return *items_; }

 private:
  enum class Kind { nothing, text32, text64, view, list32, list64, fixed_list, list_view32, list_view64, dictionary };

  void take_kind(const ArrowSchema& schema);
  void take_items(const ArrowSchema& schema, const ArrowArray& array);
  std::int64_t dictionary_index(std::int64_t row) const;
  std::string_view view_text(std::int64_t at) const;

  Kind kind_ = Kind::nothing;
  std::int64_t first_ = 0, length_ = 0;  // in the buffers
  const std::uint8_t* valid_ = nullptr;
  // Offsets, views, or indices of a dictionary, and the bytes of strings or sizes of list views. Numbers are copied out,
  // because nobody promises that they are aligned.
  const char* offsets_ = nullptr;
  const char* data_ = nullptr;
  const void* const* view_buffers_ = nullptr;
  const char* view_sizes_ = nullptr;
  std::int64_t view_buffer_count_ = 0;
  std::int64_t fixed_size_ = 0;
  char index_ = 0;
  std::shared_ptr<const ArrowTexts> items_;
};

// Chunks of one column. The arrays must outlive it.
using ArrowColumn = std::vector<ArrowTexts>;

// Batches with named columns, or chunks of a single column without a name.
class ArrowTable {
 public:
  explicit ArrowTable(ArrowArrayStream& stream);
  ArrowTable(ArrowSchema& schema, ArrowArray& array);

  std::vector<std::string> names() const;
  std::int64_t rows() const;
  // The column of this name; the table itself if it has only one, without a name.
  ArrowColumn column(std::string_view name) const;

 private:
  bool is_struct() const { return std::string_view((*schema_).format) == "+s"; }
  void check() const;

  Owned<ArrowSchema> schema_;
  std::vector<Owned<ArrowArray>> chunks_;
};

// The rows of two columns as pairs of a summary with each of its references. Equal texts are read once. A row without
// a summary, or without references, has no pairs; a null among references or sentences counts as not there.
struct PairedRows {
  std::vector<Text> texts;
  std::vector<Pair> pairs;
  std::vector<std::int64_t> starts;  // the first pair of each row, and one more at the end
};

// A row of summaries is a text, or a list of sentences; one of references a text, a list of texts, or a list of lists
// of sentences.
PairedRows pair_rows(const ArrowColumn& summaries, const ArrowColumn& references);

// Whether some text is a single line with more than `most` words.
bool has_long_line(const std::vector<Text>& texts, std::size_t most);

// Whether some text without tokens has letters, of a script that its tokenizer does not read.
bool has_unread_letters(const std::vector<Text>& texts, const Documents& documents);

// Hands over columns of doubles, one after another in `values`, as a struct array; NaN becomes null.
void export_columns(const std::vector<std::string>& names, std::vector<double> values, std::size_t rows,
                    ArrowSchema* schema, ArrowArray* array);
// The same for a single column, without the struct around it.
void export_column(const std::string& name, std::vector<double> values, ArrowSchema* schema, ArrowArray* array);
// The type of such a column alone.
void export_type(const std::string& name, ArrowSchema* schema);

}  // namespace pyramidion
