// ROUGE as an expression of Polars: the C functions that Polars looks up in this library (version 0.1 of its plugin ABI).
// Only scores that need nothing but sums, ratios and the best F are computed here; others go through Python.
#include "plugin.hpp"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arrow.hpp"
#include "overlap.hpp"
#include "scores.hpp"

#if defined(_WIN32)
#define PYRAMIDION_EXPORT __declspec(dllexport)
#else
#define PYRAMIDION_EXPORT __attribute__((visibility("default")))
#endif

namespace pyramidion {
namespace {

constexpr std::uint32_t kAbiMajor = 0, kAbiMinor = 1;

std::atomic<const WordLists*> plugin_lists{nullptr};
thread_local std::string last_error;

// A column as Polars hands it over and takes it back: its type, its chunks, and what frees both.
struct SeriesExport {
  ArrowSchema* field;
  ArrowArray** arrays;
  std::size_t length;
  void (*release)(SeriesExport*);
  void* private_data;
};

// Takes the chunks of a column from Polars; the boxes around them, and the type, are freed at the end.
class Taken {
 public:
  explicit Taken(SeriesExport& given) : given_(given) {
    for (std::size_t i = 0; i < given.length; ++i) chunks_.emplace_back(*given.arrays[i]);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    chunks_.clear();
    if (given_.release) given_.release(&given_);
  }

  const char* name() const { return given_.field->name ? given_.field->name : ""; }
  ArrowColumn column() const {
    ArrowColumn column;
    for (const auto& chunk : chunks_) column.emplace_back(*given_.field, *chunk, 0, (*chunk).length);
    return column;
  }

 private:
  SeriesExport& given_;
  std::vector<Owned<ArrowArray>> chunks_;
};

// What Polars takes the result from; it keeps the array, and frees the rest.
struct Given {
  ArrowSchema schema;
  ArrowArray array;
  ArrowArray* pointer = &array;
};

void give(const std::string& name, std::vector<double> values, SeriesExport* out) {
  auto given = std::make_unique<Given>();
  export_column(name, std::move(values), &given->schema, &given->array);
  out->field = &given->schema;
  out->arrays = &given->pointer;
  out->length = 1;
  out->release = [](SeriesExport* series) {
    auto* held = static_cast<Given*>(series->private_data);
    if (held->schema.release) held->schema.release(&held->schema);
    delete held;
    series->release = nullptr;
  };
  out->private_data = given.release();
}

// The options come as a pickled dictionary with one entry, {"work": "…"}: PROTO, FRAME, EMPTY_DICT, the two strings,
// SETITEM and STOP, with MEMOIZE after what is remembered. Anything else is refused.
std::string_view unpickle_work(std::string_view bytes) {
  const auto refuse = [] { throw std::invalid_argument("options of another version of pyramidion"); };
  const auto take = [&](std::size_t count) {
    if (bytes.size() < count) refuse();
    const std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  };
  const auto expect = [&](std::string_view wanted) {
    if (take(wanted.size()) != wanted) refuse();
  };
  const auto text = [&] {
    const char code = take(1)[0];
    std::size_t size = 0;
    if (code == '\x8c') {
      size = static_cast<unsigned char>(take(1)[0]);
    } else if (code == 'X') {
      std::uint32_t number;
      std::memcpy(&number, take(4).data(), 4);
      size = number;
    } else {
      refuse();
    }
    const std::string_view found = take(size);
    expect("\x94");
    return found;
  };
  expect(std::string_view("\x80\x05", 2));
  if (bytes.starts_with('\x95')) take(9);
  expect("}\x94");
  if (text() != "work") refuse();
  const std::string_view work = text();
  expect("s.");
  return work;
}

// What is counted, and what becomes of the counts.
struct Work {
  Kind kind;
  Reading reading;
  Quirks quirks;
  std::uint64_t max_cells = 0;
  ScoreRule rule;
  double Scores::*statistic = &Scores::f;
};

// Fields between semicolons, in the order in which pyramidion.polars writes them.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}
  std::string next() {
    const std::size_t end = std::min(rest_.find(';'), rest_.size());
    std::string field(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return field;
  }
  long long whole() {
    const std::string field = next();
    long long number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size()) refuse(field);
    return number;
  }
  bool flag() { return whole() != 0; }
  // strtod, unlike stod, takes the numbers next to 0 as well.
  double number() {
    const std::string field = next();
    char* end = nullptr;
    const double number = std::strtod(field.c_str(), &end);
    if (field.empty() || end != field.c_str() + field.size()) refuse(field);
    return number;
  }

 private:
  // pyramidion.polars writes only what the measure has checked.
  static void refuse(const std::string& field) {
    throw std::invalid_argument("\"" + field + "\" among the options: of another version of pyramidion");
  }

  std::string_view rest_;
};

template <class Value>
Value one_of(const std::string& name, std::initializer_list<std::pair<std::string_view, Value>> choices) {
  for (const auto& [key, value] : choices) {
    if (key == name) return value;
  }
  throw std::invalid_argument("unknown choice " + name);
}

Work read_work(std::string_view text) {
  Fields fields(text);
  Work work{};
  const std::string family = fields.next();
  const double parameter = fields.number();
  work.kind = {one_of<Family>(family, {{"n", Family::n}, {"l", Family::l}, {"s", Family::s}, {"su", Family::su},
                                       {"flat-l", Family::flat_l}}),
               parameter};
  check_kind(work.kind);
  work.reading.tokens = one_of<Tokens>(fields.next(), {{"rouge155", Tokens::rouge155},
                                                       {"rouge_score", Tokens::rouge_score},
                                                       {"unicode", Tokens::unicode}});
  work.reading.stems = one_of<Stems>(
      fields.next(),
      {{"none", Stems::none}, {"rouge155", Stems::rouge155}, {"martin", Stems::martin}, {"nltk", Stems::nltk}});
  work.reading.stop = fields.flag();
  work.reading.limit.words = std::max(0LL, fields.whole());
  work.reading.limit.bytes = std::max(0LL, fields.whole());
  work.reading.limit.leading_blank_is_word = fields.flag();
  work.reading.limit.lcs_forgets_bytes = fields.flag();
  work.quirks.su_drops_last_unigram = fields.flag();
  work.max_cells = static_cast<std::uint64_t>(fields.whole());
  work.rule.best_f = fields.flag();
  work.rule.alpha = fields.number();
  work.statistic = one_of<double Scores::*>(
      fields.next(), {{"recall", &Scores::recall}, {"precision", &Scores::precision}, {"f", &Scores::f}});
  return work;
}

std::vector<double> score(const ArrowColumn& summaries, const ArrowColumn& references, const Work& work) {
  const WordLists* lists = plugin_lists.load();
  if (!lists) throw std::invalid_argument("import pyramidion.polars in the process that computes this expression");
  const PairedRows rows = pair_rows(summaries, references);
  Documents documents(rows.texts.size());
  documents.read(rows.texts, work.reading, *lists, 1, Words::remembered);
  const Task task{{work.kind}, work.quirks, work.max_cells};
  std::vector<double> counts(rows.pairs.size() * 4);
  count_pairs(documents, rows.pairs, task, 1, counts.data());
  // A row without pairs has no value.
  std::vector<double> values(rows.starts.size() - 1, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto first = static_cast<std::size_t>(rows.starts[row]), end = static_cast<std::size_t>(rows.starts[row + 1]);
    if (first == end) continue;
    values[row] = scores_of(total_of({counts.data(), 4, 1}, first, end, work.rule), work.rule).*work.statistic;
  }
  return values;
}

// Runs a function of the interface; an exception becomes the message that Polars asks for.
template <class Run>
void guarded(Run&& run) {
  try {
    run();
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "an unknown error";
  }
}

}  // namespace

void set_plugin_lists(const WordLists& lists) {
  if (!plugin_lists.load()) plugin_lists.store(new WordLists(lists));  // for as long as the process lives
}

}  // namespace pyramidion

extern "C" {

PYRAMIDION_EXPORT std::uint32_t _polars_plugin_get_version() {
  return pyramidion::kAbiMajor << 16 | pyramidion::kAbiMinor;
}

PYRAMIDION_EXPORT const char* _polars_plugin_get_last_error_message() { return pyramidion::last_error.c_str(); }

// The type of the result, under the name of the column of summaries.
PYRAMIDION_EXPORT void _polars_plugin_field_rouge(const ArrowSchema* fields, std::size_t count, ArrowSchema* out,
                                                  const std::uint8_t*, std::size_t) {
  pyramidion::guarded([&] {
    if (count != 2) throw std::invalid_argument("expected a column of summaries and one of references");
    pyramidion::export_type(fields[0].name ? fields[0].name : "", out);
  });
}

PYRAMIDION_EXPORT void _polars_plugin_rouge(pyramidion::SeriesExport* inputs, std::size_t count,
                                            const std::uint8_t* options, std::size_t size,
                                            pyramidion::SeriesExport* out, const void*) {
  using namespace pyramidion;
  guarded([&] {
    std::vector<std::unique_ptr<Taken>> taken;
    for (std::size_t i = 0; i < count; ++i) taken.push_back(std::make_unique<Taken>(inputs[i]));
    if (count != 2) throw std::invalid_argument("expected a column of summaries and one of references");
    const Work work = read_work(unpickle_work({reinterpret_cast<const char*>(options), size}));
    give(taken[0]->name(), score(taken[0]->column(), taken[1]->column(), work), out);
  });
}

}  // extern "C"
