// Random Arrow columns in every layout that is read, and lies about them that the interface lets a reader find.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../arrow.hpp"
#include "random.hpp"

namespace fuzz {

using namespace pyramidion;

// One array with its children. Buffers are exactly as long as they must be, so that the sanitizer sees every step
// beyond them.
class Node {
 public:
  // `values` are the rows that one sees; before them lie `skipped` others.
  Node(Random& random, const std::vector<std::optional<std::string>>& values, bool may_skip) {
    skipped_ = may_skip ? random.below(3) : 0;
    std::vector<std::optional<std::string>> all;
    for (std::size_t i = 0; i < skipped_; ++i) all.push_back(random_text(random, 4));
    all.insert(all.end(), values.begin(), values.end());
    length_ = values.size();
    const bool only_null = std::none_of(values.begin(), values.end(), [](const auto& one) { return one.has_value(); });
    if (only_null && random.one_in(4)) {
      format_ = "n";
      return;
    }
    take_nulls(random, all.size(), [&](std::size_t i) { return all[i].has_value(); });
    const std::size_t kind = random.below(8);
    if (kind < 2) {
      take_offsets<std::int32_t>("u", all);
    } else if (kind < 4) {
      take_offsets<std::int64_t>("U", all);
    } else if (kind < 7) {
      take_views(random, all);
    } else {
      take_dictionary(random, all);
    }
  }

  // A list over the rows of another array: ends[i] is where row i ends.
  Node(Random& random, std::unique_ptr<Node> items, const std::vector<std::uint32_t>& ends, const std::vector<bool>& valid) {
    length_ = ends.size();
    take_nulls(random, ends.size(), [&](std::size_t i) { return valid[i]; });
    const auto begin = [&](std::size_t i) { return i == 0 ? 0u : ends[i - 1]; };
    switch (random.below(4)) {
      case 0: list_offsets<std::int32_t>("+l", ends); break;
      case 1: list_offsets<std::int64_t>("+L", ends); break;
      case 2: list_views<std::int32_t>("+vl", ends, begin); break;
      default: list_views<std::int64_t>("+vL", ends, begin); break;
    }
    children_.push_back(std::move(items));
  }

  // Changes one number that a reader can check.
  void lie(Random& random) {
    if (!children_.empty() && random.coin()) return children_[0]->lie(random);
    const auto odd = [&]() -> std::int64_t {
      static constexpr std::int64_t numbers[] = {-1, -2, 1, 7, 1000, INT32_MAX, INT64_MAX, INT64_MIN, INT64_MAX / 16};
      return random.one_of(numbers);
    };
    switch (random.below(8)) {
      case 0: lie_buffers_ = format_ != "vu"; break;  // of views, the last buffer would be taken for their sizes
      case 1: lie_children_ = odd(); break;
      case 2: lie_null_count_ = true; break;
      case 3: lie_length_ = random.coin() ? -1 : INT64_MIN; break;
      case 4: lie_offset_ = random.coin() ? -1 : INT64_MAX; break;
      case 5: format_ = random.coin() && !dictionary_ ? "i" : "+w:x"; break;
      case 6: missing_ = true; break;
      default: lie_in_numbers(random, odd()); break;
    }
  }

  void fill(ArrowSchema* schema, ArrowArray* array) {
    pointers_.clear();
    schema_children_.clear();
    array_children_.clear();
    schema_store_.resize(children_.size());
    array_store_.resize(children_.size());
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i]->fill(&schema_store_[i], &array_store_[i]);
      schema_children_.push_back(&schema_store_[i]);
      array_children_.push_back(&array_store_[i]);
    }
    for (const auto& buffer : buffers_) pointers_.push_back(buffer.empty() ? nullptr : buffer.data());
    if (missing_ && pointers_.size() > 1) pointers_[1] = nullptr;
    if (dictionary_) dictionary_->fill(&dictionary_schema_, &dictionary_array_);
    const auto nothing = []<class Struct>(Struct* given) { given->release = nullptr; };
    const auto children = static_cast<std::int64_t>(children_.size());
    *schema = {format_.c_str(), "", nullptr, 2, children, schema_children_.data(),
               dictionary_ ? &dictionary_schema_ : nullptr, nothing, nullptr};
    *array = {lie_length_ ? lie_length_ : static_cast<std::int64_t>(length_),
              lie_null_count_ ? 5 : nulls_,
              lie_offset_ ? lie_offset_ : static_cast<std::int64_t>(skipped_),
              static_cast<std::int64_t>(pointers_.size()) - (lie_buffers_ && !pointers_.empty()),
              lie_children_ ? lie_children_ : children,
              pointers_.data(),
              array_children_.data(),
              dictionary_ ? &dictionary_array_ : nullptr,
              nothing,
              nullptr};
  }

 private:
  template <class Valid>
  void take_nulls(Random& random, std::size_t size, Valid&& valid) {
    nulls_ = 0;
    for (std::size_t i = 0; i < size; ++i) nulls_ += !valid(i);
    buffers_.emplace_back();
    if (nulls_ == 0 && random.coin()) return;
    buffers_[0].assign((size + 7) / 8, 0);
    for (std::size_t i = 0; i < size; ++i) buffers_[0][i / 8] = static_cast<char>(buffers_[0][i / 8] | valid(i) << (i % 8));
    if (random.coin()) nulls_ = -1;
  }

  template <class Number>
  void put(std::vector<char>& buffer, std::int64_t value) {
    const auto number = static_cast<Number>(value);
    const std::size_t at = buffer.size();
    buffer.resize(at + sizeof(Number));
    std::memcpy(buffer.data() + at, &number, sizeof(Number));
  }

  template <class Number>
  void take_offsets(const char* format, const std::vector<std::optional<std::string>>& all) {
    format_ = format;
    width_ = sizeof(Number);
    std::vector<char> offsets, data;
    put<Number>(offsets, 0);
    for (const auto& one : all) {
      if (one) data.insert(data.end(), one->begin(), one->end());
      put<Number>(offsets, static_cast<std::int64_t>(data.size()));
    }
    buffers_.push_back(std::move(offsets));
    buffers_.push_back(std::move(data));
  }

  void take_views(Random& random, const std::vector<std::optional<std::string>>& all) {
    format_ = "vu";
    width_ = 4;
    std::vector<char> views;
    std::vector<std::vector<char>> data(1 + random.below(2));
    for (const auto& one : all) {
      const std::string text = one.value_or("");
      put<std::int32_t>(views, static_cast<std::int64_t>(text.size()));
      if (text.size() <= 12) {
        views.insert(views.end(), text.begin(), text.end());
        views.resize(views.size() + 12 - text.size());
        continue;
      }
      const std::size_t buffer = random.below(data.size());
      views.insert(views.end(), text.begin(), text.begin() + 4);
      put<std::int32_t>(views, static_cast<std::int64_t>(buffer));
      put<std::int32_t>(views, static_cast<std::int64_t>(data[buffer].size()));
      data[buffer].insert(data[buffer].end(), text.begin(), text.end());
    }
    std::vector<char> sizes;
    for (const auto& one : data) put<std::int64_t>(sizes, static_cast<std::int64_t>(one.size()));
    buffers_.push_back(std::move(views));
    for (auto& one : data) buffers_.push_back(std::move(one));
    buffers_.push_back(std::move(sizes));
  }

  void take_dictionary(Random& random, const std::vector<std::optional<std::string>>& all) {
    format_ = random.coin() ? "c" : "I";
    width_ = format_ == "c" ? 1 : 4;
    std::vector<char> indices;
    std::vector<std::optional<std::string>> entries;
    for (const auto& one : all) {
      if (width_ == 1) {
        put<std::int8_t>(indices, one ? static_cast<std::int64_t>(entries.size()) : 99);
      } else {
        put<std::uint32_t>(indices, one ? static_cast<std::int64_t>(entries.size()) : 99);
      }
      if (one) entries.push_back(one);
    }
    buffers_.push_back(std::move(indices));
    dictionary_ = std::make_unique<Node>(random, entries, true);
    while (dictionary_->dictionary_) dictionary_ = std::make_unique<Node>(random, entries, true);
  }

  template <class Number>
  void list_offsets(const char* format, const std::vector<std::uint32_t>& ends) {
    format_ = format;
    width_ = sizeof(Number);
    std::vector<char> offsets;
    put<Number>(offsets, 0);
    for (const std::uint32_t end : ends) put<Number>(offsets, end);
    buffers_.push_back(std::move(offsets));
  }

  template <class Number, class Begin>
  void list_views(const char* format, const std::vector<std::uint32_t>& ends, Begin&& begin) {
    format_ = format;
    width_ = sizeof(Number);
    std::vector<char> offsets, sizes;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      put<Number>(offsets, begin(i));
      put<Number>(sizes, ends[i] - begin(i));
    }
    buffers_.push_back(std::move(offsets));
    buffers_.push_back(std::move(sizes));
  }

  // Numbers in buffers: for strings only such that a reader can see (negative, decreasing), since nobody tells it how
  // long the bytes are.
  void lie_in_numbers(Random& random, std::int64_t value) {
    if (buffers_.size() < 2 || buffers_[1].size() < width_) return;
    std::vector<char>& buffer = buffers_[1];
    const std::size_t at = random.below(buffer.size() / width_) * width_;
    if (format_ == "u" || format_ == "U") value = -1 - static_cast<std::int64_t>(random.below(100));
    if (format_ == "vu" && random.coin()) value = static_cast<std::int64_t>(random.below(40));
    std::memcpy(buffer.data() + at, &value, width_);
  }

  std::string format_;
  std::size_t length_ = 0, skipped_ = 0, width_ = 1;
  std::int64_t nulls_ = 0;
  std::vector<std::vector<char>> buffers_;
  std::vector<std::unique_ptr<Node>> children_;
  std::unique_ptr<Node> dictionary_;
  std::int64_t lie_children_ = 0, lie_length_ = 0, lie_offset_ = 0;
  bool lie_buffers_ = false, lie_null_count_ = false, missing_ = false;

  std::vector<const void*> pointers_;
  std::vector<ArrowSchema> schema_store_;
  std::vector<ArrowArray> array_store_;
  std::vector<ArrowSchema*> schema_children_;
  std::vector<ArrowArray*> array_children_;
  ArrowSchema dictionary_schema_;
  ArrowArray dictionary_array_;
};

// A column of texts, or with depth 2 perhaps of lists of texts, and what went in.
class Column {
 public:
  using Texts = std::vector<std::optional<std::string>>;

  Column(Random& random, std::size_t rows, int depth) {
    const bool listed = depth > 1 && random.coin();
    Texts flat;
    std::vector<std::uint32_t> ends;
    std::vector<bool> valid;
    for (std::size_t row = 0; row < rows; ++row) {
      valid.push_back(!random.one_in(6));
      Texts texts;
      for (std::size_t i = listed ? random.below(3) : 1; i > 0; --i) {
        texts.push_back(random.one_in(6) ? std::nullopt : std::optional(random_text(random, 8)));
      }
      flat.insert(flat.end(), texts.begin(), texts.end());
      ends.push_back(static_cast<std::uint32_t>(flat.size()));
      rows_.push_back(listed && !valid.back() ? Texts{} : texts);
    }
    texts_ = flat.size();
    node_ = std::make_unique<Node>(random, flat, true);
    if (listed) node_ = std::make_unique<Node>(random, std::move(node_), ends, valid);
  }

  void lie(Random& random) { node_->lie(random); }
  std::size_t texts() const { return texts_; }
  const std::vector<Texts>& rows() const { return rows_; }

  ArrowSchema& schema() {
    node_->fill(&schema_, &array_);
    return schema_;
  }
  ArrowArray& array() { return array_; }

 private:
  std::unique_ptr<Node> node_;
  std::vector<Texts> rows_;
  std::size_t texts_ = 0;
  ArrowSchema schema_;
  ArrowArray array_;
};

// A column in one to three chunks, each with a layout of its own; some may be empty.
class Chunks {
 public:
  Chunks(Random& random, std::size_t rows, int depth) {
    for (std::size_t more = random.below(3); more > 0; --more) {
      const std::size_t taken = random.below(rows + 1);
      chunks_.push_back(std::make_unique<Column>(random, taken, depth));
      rows -= taken;
    }
    chunks_.push_back(std::make_unique<Column>(random, rows, depth));
    for (const auto& chunk : chunks_) rows_.insert(rows_.end(), chunk->rows().begin(), chunk->rows().end());
  }

  void lie(Random& random) { chunks_[random.below(chunks_.size())]->lie(random); }
  std::size_t size() const { return chunks_.size(); }
  std::size_t texts() const {
    std::size_t texts = 0;
    for (const auto& chunk : chunks_) texts += chunk->texts();
    return texts;
  }
  const std::vector<Column::Texts>& rows() const { return rows_; }

  // What a reader sees.
  ArrowColumn column() {
    ArrowColumn column;
    for (const auto& chunk : chunks_) {
      ArrowSchema& schema = chunk->schema();  // fills the array, too
      tables_.emplace_back(schema, chunk->array());
      for (ArrowTexts& texts : tables_.back().column("")) column.push_back(std::move(texts));
    }
    return column;
  }

 private:
  std::vector<std::unique_ptr<Column>> chunks_;
  std::deque<ArrowTable> tables_;  // a deque: columns point into them
  std::vector<Column::Texts> rows_;
};

// The pairs of honest columns are those that went in.
inline void check_rows(const PairedRows& found, const Chunks& summaries, const Chunks& references) {
  std::size_t pair = 0;
  for (std::size_t row = 0; row < summaries.rows().size(); ++row) {
    if (found.starts[row] != static_cast<std::int64_t>(pair)) fail("a row begins at another pair");
    const auto& summary = summaries.rows()[row][0];
    for (const auto& reference : references.rows()[row]) {
      if (!summary || !reference) continue;
      if (pair >= found.pairs.size()) fail("a pair is missing");
      const Pair& one = found.pairs[pair++];
      if (found.texts[static_cast<std::size_t>(one.peer)].whole != *summary) fail("a summary differs");
      if (found.texts[static_cast<std::size_t>(one.model)].whole != *reference) fail("a reference differs");
    }
  }
  if (pair != found.pairs.size()) fail("a pair too many");
}

}  // namespace fuzz
