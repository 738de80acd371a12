// The Python face of the kernels. Python strings are read here, once and under the GIL; the work runs without it.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "be.hpp"
#include "bindings.hpp"
#include "matches.hpp"
#include "overlap.hpp"

using namespace nanobind::literals;

namespace pyramidion {
namespace {

Family family_named(std::string_view name) {
  return choose<Family>(name, {{"n", Family::n},
                               {"l", Family::l},
                               {"w", Family::w},
                               {"s", Family::s},
                               {"su", Family::su},
                               {"flat-l", Family::flat_l}});
}

BeMode mode_named(std::string_view name) {
  return choose<BeMode>(name, {{"h", BeMode::h},
                               {"hm", BeMode::hm},
                               {"hmr", BeMode::hmr},
                               {"hm1", BeMode::hm1},
                               {"hmr1", BeMode::hmr1},
                               {"hmr2", BeMode::hmr2}});
}

using CountArray = nb::ndarray<double, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;

std::vector<Pair> read_pairs(const PairArray& array, std::size_t texts) {
  std::vector<Pair> pairs(array.shape(0));
  const auto known = [texts](std::int64_t index) { return index >= 0 && static_cast<std::size_t>(index) < texts; };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {array.data()[2 * i], array.data()[2 * i + 1]};
    if (!known(pairs[i].peer) || !known(pairs[i].model)) {
      throw nb::index_error(("pair " + std::to_string(i) + " is (" + std::to_string(pairs[i].peer) + ", " +
                             std::to_string(pairs[i].model) + "): there are " + std::to_string(texts) + " texts")
                                .c_str());
    }
  }
  return pairs;
}

double* target(const CountArray& out, std::size_t pairs, std::size_t kinds) {
  if (out.shape(0) != pairs || out.shape(1) != kinds) throw nb::value_error("the counts do not fit their array");
  return out.data();
}

void count_overlaps(nb::handle texts, const PairArray& pairs, const KindList& kinds, const CountArray& out,
                    const WordLists& lists, std::string_view tokens, std::string_view stems, bool stop,
                    const Limit& limit, const Quirks& quirks, std::uint64_t max_cells, std::int64_t threads) {
  Strings strings;
  const std::vector<Text> text_list = strings.texts(texts);
  const std::vector<Pair> pair_list = read_pairs(pairs, text_list.size());
  const Task task = make_task(kinds, quirks, max_cells);
  const Reading reading = make_reading(tokens, stems, stop, limit);
  double* to = target(out, pair_list.size(), task.kinds.size());
  const std::size_t workers = checked_threads(threads);
  const nb::gil_scoped_release release;
  Documents documents(text_list.size());
  documents.read(text_list, reading, lists, workers, Words::remembered);
  count_pairs(documents, pair_list, task, workers, to);
}

// Numbers the tokens of one text: sentences of str.
void take_tokens(nb::handle text, std::size_t index, Vocabulary& forms, Documents& documents) {
  std::vector<Id> ids;
  std::vector<std::uint32_t> ends;
  Strings::each(text, [&](nb::handle sentence) {
    if (PyUnicode_Check(sentence.ptr())) throw nb::type_error("a sentence is a sequence of tokens (str), not a str");
    const std::size_t begin = ids.size();
    Strings::each(sentence, [&](nb::handle token) { ids.push_back(forms.number(Strings().view(token))); });
    if (ids.size() > begin) ends.push_back(static_cast<std::uint32_t>(ids.size()));
  });
  documents.take(index, std::move(ids), std::move(ends));
}

void count_token_overlaps(nb::handle texts, const PairArray& pairs, const KindList& kinds, const CountArray& out,
                          const Quirks& quirks, std::uint64_t max_cells, std::int64_t threads) {
  const nb::tuple items = Strings::items(texts);
  Documents documents(items.size());
  Vocabulary forms;
  std::size_t index = 0;
  for (const nb::handle text : items) take_tokens(text, index++, forms, documents);
  documents.set_vocabulary(forms.size());
  const std::vector<Pair> pair_list = read_pairs(pairs, documents.size());
  const Task task = make_task(kinds, quirks, max_cells);
  double* to = target(out, pair_list.size(), task.kinds.size());
  const std::size_t workers = checked_threads(threads);
  const nb::gil_scoped_release release;
  count_pairs(documents, pair_list, task, workers, to);
}

// Reads the elements of one text into one document a mode: number text × modes + mode.
void take_elements(nb::handle text, std::size_t first, const std::vector<BeMode>& modes, bool stem,
                   const WordLists& lists, Vocabulary& forms, Documents& documents) {
  std::vector<std::vector<Id>> ids(modes.size());
  std::string key;
  Strings::each(text, [&](nb::handle triple) {
    if (!PyTuple_Check(triple.ptr()) || PyTuple_Size(triple.ptr()) != 3) {
      throw nb::type_error("a basic element is a tuple of three str: head, modifier, relation");
    }
    Strings strings;
    const auto part = [&](Py_ssize_t i) { return strings.view(PyTuple_GetItem(triple.ptr(), i)); };
    const BasicElement element(part(0), part(1), part(2), stem, lists);
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      if (element.write_key(modes[mode], key)) ids[mode].push_back(forms.number(key));
    }
  });
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    const auto end = static_cast<std::uint32_t>(ids[mode].size());
    documents.take(first + mode, std::move(ids[mode]), {end});
  }
}

// All modes of all pairs are counted as unigrams: out is pairs × modes × 4.
void count_be_overlaps(nb::handle texts, const PairArray& pairs, const std::vector<std::string>& mode_names,
                       const CountArray& out, const WordLists& lists, bool stem, std::int64_t threads) {
  std::vector<BeMode> modes;
  for (const std::string& name : mode_names) modes.push_back(mode_named(name));
  const nb::tuple items = Strings::items(texts);
  Documents documents(items.size() * modes.size());
  Vocabulary forms;
  std::size_t first = 0;
  for (const nb::handle text : items) {
    take_elements(text, first, modes, stem, lists, forms, documents);
    first += modes.size();
  }
  documents.set_vocabulary(forms.size());
  std::vector<Pair> by_mode;
  for (const Pair& pair : read_pairs(pairs, items.size())) {
    const auto count = static_cast<std::int64_t>(modes.size());
    for (std::int64_t mode = 0; mode < count; ++mode) {
      by_mode.push_back({pair.peer * count + mode, pair.model * count + mode});
    }
  }
  const Task task{{{Family::n, 1}}, {}, ~std::uint64_t{0}};
  double* to = target(out, pairs.shape(0), modes.size());
  const std::size_t workers = checked_threads(threads);
  const nb::gil_scoped_release release;
  count_pairs(documents, by_mode, task, workers, to);
}

// A token of a sentence with its place in code points.
struct Located {
  std::size_t sentence, begin, end;
  std::string surface;
  Id id;
};

// Code points that start before a byte offset; asked for in rising order.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : text_(text) {}
  std::size_t at(std::size_t byte) {
    for (; byte_ < byte; ++byte_) count_ += (static_cast<unsigned char>(text_[byte_]) & 0xC0) != 0x80;
    return count_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0, count_ = 0;
};

std::vector<Located> locate_tokens(const Sentences& sentences, const Reading& reading, Lexicon& lexicon) {
  std::vector<Located> out;
  std::string buffer;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CodePoints points(sentences[i]);
    each_token(reading.tokens, sentences[i], buffer, [&](const Token& token) {
      const Id id = lexicon.number(token);
      if (id == kNone) return;
      const std::size_t begin = points.at(token.begin);
      out.push_back({i, begin, points.at(token.end), std::string(token.form), id});
    });
  }
  return out;
}

nb::list as_rows(const std::vector<Located>& tokens, const Vocabulary& forms) {
  nb::list rows;
  for (const Located& token : tokens) {
    const std::string form(forms.form(token.id));
    rows.append(nb::make_tuple(token.sentence, token.begin, token.end, token.surface, form));
  }
  return rows;
}

// Tokens of a text: (sentence, begin, end, surface, form) with offsets in code points of the sentence. With lcs, the
// text as L and W see it under a byte limit.
nb::list tokens_of(nb::handle text, const WordLists& lists, std::string_view tokens, std::string_view stems, bool stop,
                   const Limit& limit, bool lcs) {
  const Reading reading = make_reading(tokens, stems, stop, limit);
  Strings strings;
  const Text raw = strings.text(text);
  Sentences lines;
  const Sentences& sentences = sentences_of(raw, lines);
  Lexicon lexicon(reading, lists);
  const Sentences kept = lcs ? cut_for_lcs(sentences, limit) : cut(sentences, limit);
  return as_rows(locate_tokens(kept, reading, lexicon), lexicon.forms());
}

nb::bytes as_bytes(const std::vector<std::uint8_t>& marks) { return nb::bytes(marks.data(), marks.size()); }

// Flags of the tokens of a peer and a model that made hits. The lcs texts are what L and W see.
nb::tuple match_tokens(nb::handle peer, nb::handle model, nb::handle peer_lcs, nb::handle model_lcs,
                       const std::pair<std::string, double>& kind, const Quirks& quirks, std::uint64_t max_cells) {
  Documents documents(4);
  Vocabulary forms;
  std::size_t index = 0;
  for (const nb::handle text : {peer, model, peer_lcs, model_lcs}) take_tokens(text, index++, forms, documents);
  const auto join = [&](std::size_t text) {
    return Document{documents[text].tokens, documents[text].ends, documents[text + 2].tokens, documents[text + 2].ends};
  };
  const Task task = make_task({kind}, quirks, max_cells);
  const Marks marks = mark_matches(join(0), join(1), task.kinds[0], task);
  return nb::make_tuple(as_bytes(marks.peer), as_bytes(marks.model));
}

// How many bytes each sentence keeps under a limit; sentences that are dropped are not in the list.
std::vector<std::size_t> cut_sizes(nb::handle sentences, const Limit& limit) {
  Strings strings;
  Sentences views;
  Strings::each(sentences, [&](nb::handle sentence) { views.push_back(strings.view(sentence)); });
  std::vector<std::size_t> sizes;
  for (const std::string_view kept : cut(views, limit)) sizes.push_back(kept.size());
  return sizes;
}

// The forms of all tokens of a text, in order.
nb::list forms_of(nb::handle text, const WordLists& lists, std::string_view tokens, std::string_view stems, bool stop) {
  const Reading reading = make_reading(tokens, stems, stop, {});
  Strings strings;
  Lexicon lexicon(reading, lists);
  std::vector<nb::object> known;  // one Python string for each distinct form
  nb::list out;
  std::string buffer;
  const Text raw = strings.text(text);
  Sentences lines;
  for (const std::string_view sentence : sentences_of(raw, lines)) {
    each_token(reading.tokens, sentence, buffer, [&](const Token& token) {
      const Id id = lexicon.number(token);
      if (id == kNone) return;
      if (id == known.size()) {
        const std::string_view form = lexicon.forms().form(id);
        known.push_back(nb::str(form.data(), form.size()));
      }
      out.append(known[id]);
    });
  }
  return out;
}

// A word of any length: the exceptions and Porter for rouge155, Porter alone for the other dialects.
std::string stem(std::string_view word, std::string_view dialect, const WordLists& lists) {
  if (dialect == "rouge155") return morphological_stem(word, lists);
  return porter_stem(word, choose<Porter>(dialect, {{"martin", Porter::martin}, {"nltk", Porter::nltk}}));
}

std::string stem_one_token(std::string_view token, std::string_view stems, const WordLists& lists) {
  return stem_token(token, stems_named(stems), lists);
}

}  // namespace

Task make_task(const KindList& kinds, Quirks quirks, std::uint64_t max_cells) {
  Task task{{}, quirks, max_cells};
  for (const auto& [name, parameter] : kinds) {
    task.kinds.push_back({family_named(name), parameter});
    check_kind(task.kinds.back());
  }
  return task;
}

std::size_t checked_threads(std::int64_t threads) {
  if (threads < 1 || threads > 4096) {
    throw nb::value_error((std::to_string(threads) + " threads: expected 1 to 4096").c_str());
  }
  return static_cast<std::size_t>(threads);
}

}  // namespace pyramidion

NB_MODULE(_native, module) {
  using namespace pyramidion;
  // What lives as long as the interpreter (caches, threads of Polars) is no leak, and nobody can act on the message.
  nb::set_leak_warnings(false);
  module.attr("UNICODE_VERSION") = kUnicodeVersion;

  nb::class_<WordLists>(module, "WordLists")
      .def(nb::init<std::string_view, std::string_view>(), "stop_words"_a, "exceptions"_a)
      .def("is_stop_word", &WordLists::is_stop_word, "token"_a);
  nb::class_<Limit>(module, "Limit")
      .def(
          "__init__",
          [](Limit* self, std::int64_t words, std::int64_t bytes, bool leading_blank_is_word, bool lcs_forgets_bytes) {
            if (words < 0 || bytes < 0) throw nb::value_error("a limit below 0: expected a number from 0 up");
            new (self) Limit{words, bytes, leading_blank_is_word, lcs_forgets_bytes};
          },
          "words"_a = 0, "bytes"_a = 0, "leading_blank_is_word"_a = true, "lcs_forgets_bytes"_a = true);
  nb::class_<Quirks>(module, "Quirks")
      .def(
          "__init__",
          [](Quirks* self, bool su_drops_last_unigram, bool w_weights_model_twice) {
            new (self) Quirks{su_drops_last_unigram, w_weights_model_twice};
          },
          "su_drops_last_unigram"_a = true, "w_weights_model_twice"_a = true);

  bind_arrow(module);
  bind_model_free(module);
  // Arrays are taken as they are: what would have to be converted is refused, since floats would be cut to integers and
  // results would go to a copy.
  module.def("count_overlaps", &count_overlaps, "texts"_a, "pairs"_a.noconvert(), "kinds"_a, "out"_a.noconvert(),
             "lists"_a, "tokens"_a, "stems"_a, "stop"_a, "limit"_a, "quirks"_a, "max_cells"_a, "threads"_a);
  module.def("count_token_overlaps", &count_token_overlaps, "texts"_a, "pairs"_a.noconvert(), "kinds"_a,
             "out"_a.noconvert(), "quirks"_a, "max_cells"_a, "threads"_a);
  module.def("count_be_overlaps", &count_be_overlaps, "texts"_a, "pairs"_a.noconvert(), "modes"_a, "out"_a.noconvert(),
             "lists"_a, "stem"_a, "threads"_a);
  module.def("tokens_of", &tokens_of, "text"_a, "lists"_a, "tokens"_a, "stems"_a, "stop"_a, "limit"_a, "lcs"_a);
  module.def("match_tokens", &match_tokens, "peer"_a, "model"_a, "peer_lcs"_a, "model_lcs"_a, "kind"_a, "quirks"_a,
             "max_cells"_a);
  module.def("cut_sizes", &cut_sizes, "sentences"_a, "limit"_a);
  module.def("forms_of", &forms_of, "text"_a, "lists"_a, "tokens"_a, "stems"_a, "stop"_a);
  module.def("stem", &stem, "word"_a, "dialect"_a, "lists"_a);
  module.def("stem_token", &stem_one_token, "token"_a, "stems"_a, "lists"_a);
}
