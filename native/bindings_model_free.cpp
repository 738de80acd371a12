#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "model_free.hpp"

using namespace nanobind::literals;

namespace pyramidion {
namespace {

using NumberArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FeatureArray = nb::ndarray<double, nb::shape<-1, -1, kFreeFeatures>, nb::c_contig, nb::device::cpu>;

FreeTask make_free_task(std::vector<std::vector<std::size_t>> inputs, const PairArray& summaries,
                        const std::vector<const FreeSettings*>& settings, bool pairs, std::size_t texts) {
  FreeTask task{std::move(inputs), {}, {}, pairs};
  for (const auto& input : task.inputs) {
    for (const std::size_t text : input) {
      if (text >= texts) throw nb::index_error("an input has a text that is not there");
    }
  }
  for (std::size_t i = 0; i < summaries.shape(0); ++i) {
    const auto text = static_cast<std::size_t>(summaries.data()[2 * i]);
    const auto input = static_cast<std::size_t>(summaries.data()[2 * i + 1]);
    if (text >= texts || input >= task.inputs.size()) throw nb::index_error("a summary has no such text or input");
    task.summaries.push_back({text, input});
  }
  for (const FreeSettings* one : settings) task.settings.push_back(*one);
  return task;
}

// Features of summaries (rows: text, input) against inputs (lists of texts); all arrays are filled in.
void score_free(nb::handle texts, std::vector<std::vector<std::size_t>> inputs, const PairArray& summaries,
                const std::vector<const FreeSettings*>& settings, const FeatureArray& features, const Matrix& words,
                const Matrix& described, const WordLists& lists, std::string_view tokens, std::string_view stems,
                bool stop, bool pairs, std::int64_t threads) {
  Strings strings;
  const std::vector<Text> text_list = strings.texts(texts);
  const FreeTask task = make_free_task(std::move(inputs), summaries, settings, pairs, text_list.size());
  if (features.shape(0) != task.summaries.size() || features.shape(1) != task.settings.size() ||
      words.shape(0) != task.summaries.size() || words.shape(1) != 2 || described.shape(0) != task.inputs.size() ||
      described.shape(1) != task.settings.size() + 2) {
    throw nb::value_error("the results do not fit their arrays");
  }
  const Reading reading = make_reading(tokens, stems, stop, {});
  const FreeResults results{features.data(), words.data(), described.data()};
  const std::size_t workers = checked_threads(threads);
  const nb::gil_scoped_release release;
  Documents documents(text_list.size());
  documents.read(text_list, reading, lists, workers);
  score_inputs(documents, task, workers, results);
}

// The words of one input beside their background: (form, count, count in the background, −2 log λ, over-represented).
nb::list contrast_words(nb::handle texts, const Background& background, const WordLists& lists, std::string_view tokens,
                        std::string_view stems, bool stop, bool pairs) {
  Strings strings;
  const std::vector<Text> text_list = strings.texts(texts);
  const Reading reading = make_reading(tokens, stems, stop, {});
  Documents documents(text_list.size());
  documents.read(text_list, reading, lists, 1);
  nb::list rows;
  for (const Contrast& word : contrast(documents, background, pairs)) {
    rows.append(nb::make_tuple(word.form, word.count, word.background, word.statistic, word.over));
  }
  return rows;
}

}  // namespace

void bind_model_free(nb::module_& module) {
  nb::class_<Background>(module, "Background")
      .def(
          "__init__",
          [](Background* self, std::string_view forms, const NumberArray& counts, const NumberArray& weights,
             double total, double unseen) {
            if (counts.shape(0) != weights.shape(0)) throw nb::value_error("as many weights as counts");
            new (self) Background(forms, counts.data(), weights.data(), counts.shape(0), total, unseen);
          },
          "forms"_a, "counts"_a.noconvert(), "weights"_a.noconvert(), "total"_a, "unseen"_a)
      .def_prop_ro("has_pairs", &Background::has_pairs);
  nb::class_<FreeSettings>(module, "FreeSettings")
      .def(
          "__init__",
          [](FreeSettings* self, double smoothing, double log_unit, double cutoff, bool over_only,
             const Background* background, bool smooth_unseen) {
            new (self) FreeSettings{smoothing, log_unit, cutoff, over_only, background, smooth_unseen};
          },
          "smoothing"_a, "log_unit"_a, "cutoff"_a, "over_only"_a, "background"_a.none(), "smooth_unseen"_a = false,
          nb::keep_alive<1, 6>());

  module.def("score_free", &score_free, "texts"_a, "inputs"_a, "summaries"_a.noconvert(), "settings"_a,
             "features"_a.noconvert(), "words"_a.noconvert(), "described"_a.noconvert(), "lists"_a, "tokens"_a, "stems"_a, "stop"_a, "pairs"_a, "threads"_a);
  module.def("contrast_words", &contrast_words, "texts"_a, "background"_a, "lists"_a, "tokens"_a, "stems"_a, "stop"_a,
             "pairs"_a);
}

}  // namespace pyramidion
