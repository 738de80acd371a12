// The Python face of Arrow columns: objects with `__arrow_c_stream__` or `__arrow_c_array__` in, one with
// `__arrow_c_array__` out.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "arrow.hpp"
#include "bindings.hpp"
#include "overlap.hpp"
#include "plugin.hpp"
#include "scores.hpp"

using namespace nanobind::literals;

namespace pyramidion {
namespace {

using DoubleArray = nb::ndarray<const double, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <class Struct>
Struct& behind(nb::handle capsule, const char* name) {
  auto* found = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!found) nb::raise_python_error();
  return *found;
}

ArrowTable read_table(nb::handle data) {
  if (nb::hasattr(data, "__arrow_c_stream__")) {
    const nb::object stream = data.attr("__arrow_c_stream__")();
    return ArrowTable(behind<ArrowArrayStream>(stream, "arrow_array_stream"));
  }
  if (nb::hasattr(data, "__arrow_c_array__")) {
    const nb::object both = data.attr("__arrow_c_array__")();
    if (!PyTuple_Check(both.ptr()) || PyTuple_Size(both.ptr()) != 2) {
      throw nb::type_error("__arrow_c_array__ gives a schema and an array");
    }
    return ArrowTable(behind<ArrowSchema>(PyTuple_GetItem(both.ptr(), 0), "arrow_schema"),
                      behind<ArrowArray>(PyTuple_GetItem(both.ptr(), 1), "arrow_array"));
  }
  throw nb::type_error("expected Arrow data: an object with __arrow_c_stream__ or __arrow_c_array__");
}

template <class Number, class... Shape>
nb::object as_array(std::vector<Number> values, Shape... shape) {
  auto* kept = new std::vector<Number>(std::move(values));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy, Number>(kept->data(), {static_cast<std::size_t>(shape)...}, owner));
}

// (pairs × kinds × 4 counts, first pair of each row and one more, whether some line is long, whether some text has
// letters that were not read). A line is long if it is a whole text of more words than `long_line`.
nb::tuple count_arrow(const ArrowTable& summaries, const ArrowTable& references, std::string_view summary_name,
                      std::string_view reference_name, const KindList& kinds, const WordLists& lists,
                      std::string_view tokens, std::string_view stems, bool stop, const Limit& limit,
                      const Quirks& quirks, std::uint64_t max_cells, std::size_t long_line, std::int64_t threads) {
  const Task task = make_task(kinds, quirks, max_cells);
  const Reading reading = make_reading(tokens, stems, stop, limit);
  const std::size_t workers = checked_threads(threads);
  PairedRows rows;
  std::vector<double> counts;
  bool long_lines = false, unread = false;
  {
    const nb::gil_scoped_release release;
    rows = pair_rows(summaries.column(summary_name), references.column(reference_name));
    Documents documents(rows.texts.size());
    documents.read(rows.texts, reading, lists, workers, Words::remembered);
    counts.resize(rows.pairs.size() * task.kinds.size() * 4);
    count_pairs(documents, rows.pairs, task, workers, counts.data());
    long_lines = long_line > 0 && has_long_line(rows.texts, long_line);
    const bool reads_ascii = reading.tokens == Tokens::rouge155 || reading.tokens == Tokens::rouge_score;
    unread = reads_ascii && has_unread_letters(rows.texts, documents);
  }
  const std::size_t size = rows.starts.size();
  return nb::make_tuple(as_array(std::move(counts), rows.pairs.size(), task.kinds.size(), 4),
                        as_array(std::move(rows.starts), size), long_lines, unread);
}

using PairCounts = nb::ndarray<const double, nb::shape<-1, 4>, nb::device::cpu>;
using Starts = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

// (rows × recall, precision and F; rows × hits, model count and peer count) from the counts of one kind; NaN where a row
// has no pairs. `starts` are those of count_arrow.
nb::tuple pool_rows(const PairCounts& counts, const Starts& starts, bool best_f, double alpha) {
  if (starts.shape(0) == 0) throw nb::value_error("a row begins and ends at a pair: starts is empty");
  const std::size_t rows = starts.shape(0) - 1;
  const auto pairs = static_cast<std::int64_t>(counts.shape(0));
  const ScoreRule rule{best_f, alpha};
  const CountRows from{counts.data(), static_cast<std::ptrdiff_t>(counts.stride(0)),
                       static_cast<std::ptrdiff_t>(counts.stride(1))};
  std::vector<double> values(3 * rows, std::numeric_limits<double>::quiet_NaN()), totals(values);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t first = starts.data()[row], end = starts.data()[row + 1];
    if (first < 0 || end < first || end > pairs) throw nb::value_error("a row's pairs do not fit their counts");
    if (first == end) continue;
    const Totals total = total_of(from, static_cast<std::size_t>(first), static_cast<std::size_t>(end), rule);
    const Scores scores = scores_of(total, rule);
    const double three[] = {scores.recall, scores.precision, scores.f}, sums[] = {total.hits, total.model, total.peer};
    std::copy_n(three, 3, &values[3 * row]);
    std::copy_n(sums, 3, &totals[3 * row]);
  }
  return nb::make_tuple(as_array(std::move(values), rows, 3), as_array(std::move(totals), rows, 3));
}

// A table of doubles for anyone who reads Arrow; NaN becomes null.
class ArrowNumbers {
 public:
  ArrowNumbers(std::vector<std::string> names, const DoubleArray& columns)
      : names_(std::move(names)), rows_(columns.shape(1)), values_(columns.data(), columns.data() + columns.size()) {
    if (columns.shape(0) != names_.size()) throw nb::value_error("the columns do not fit their names");
  }

  nb::tuple array(const nb::object&) const {
    auto* schema = new ArrowSchema{};
    const nb::object schema_capsule = capsule(schema, "arrow_schema");
    auto* array = new ArrowArray{};
    const nb::object array_capsule = capsule(array, "arrow_array");
    export_columns(names_, values_, rows_, schema, array);
    return nb::make_tuple(schema_capsule, array_capsule);
  }

  nb::object schema() const { return nb::borrow(PyTuple_GetItem(array(nb::none()).ptr(), 0)); }

 private:
  template <class Struct>
  static nb::object capsule(Struct* value, const char* name) {
    PyObject* made = PyCapsule_New(value, name, [](PyObject* object) {
      auto* held = static_cast<Struct*>(PyCapsule_GetPointer(object, PyCapsule_GetName(object)));
      if (!held) return PyErr_Clear();
      if (held->release) held->release(held);
      delete held;
    });
    if (!made) {
      delete value;
      nb::raise_python_error();
    }
    return nb::steal(made);
  }

  std::vector<std::string> names_;
  std::size_t rows_;
  std::vector<double> values_;
};

}  // namespace

void bind_arrow(nb::module_& module) {
  nb::class_<ArrowTable>(module, "ArrowTable")
      .def("__init__", [](ArrowTable* self, nb::handle data) { new (self) ArrowTable(read_table(data)); }, "data"_a)
      .def_prop_ro("names", &ArrowTable::names)
      .def_prop_ro("rows", &ArrowTable::rows);
  nb::class_<ArrowNumbers>(module, "ArrowNumbers")
      .def(nb::init<std::vector<std::string>, const DoubleArray&>(), "names"_a, "columns"_a.noconvert())
      .def("__arrow_c_array__", &ArrowNumbers::array, "requested_schema"_a = nb::none())
      .def("__arrow_c_schema__", &ArrowNumbers::schema);
  module.def("set_plugin_lists", &set_plugin_lists, "lists"_a);
  module.def("count_arrow", &count_arrow, "summaries"_a, "references"_a, "summary_name"_a, "reference_name"_a,
             "kinds"_a, "lists"_a, "tokens"_a, "stems"_a, "stop"_a, "limit"_a, "quirks"_a, "max_cells"_a,
             "long_line"_a, "threads"_a);
  module.def("pool_rows", &pool_rows, "counts"_a.noconvert(), "starts"_a.noconvert(), "best_f"_a, "alpha"_a);
}

}  // namespace pyramidion
