// What all bindings share: Python strings as views, and names as choices.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents.hpp"
#include "overlap.hpp"

namespace pyramidion {

namespace nb = nanobind;

template <class Value>
Value choose(std::string_view name, std::initializer_list<std::pair<std::string_view, Value>> choices) {
  for (const auto& [key, value] : choices) {
    if (key == name) return value;
  }
  throw nb::value_error(("unknown choice " + std::string(name)).c_str());
}

inline Tokens tokens_named(std::string_view name) {
  return choose<Tokens>(
      name, {{"rouge155", Tokens::rouge155}, {"rouge_score", Tokens::rouge_score}, {"unicode", Tokens::unicode}});
}

inline Stems stems_named(std::string_view name) {
  return choose<Stems>(
      name, {{"none", Stems::none}, {"rouge155", Stems::rouge155}, {"martin", Stems::martin}, {"nltk", Stems::nltk}});
}

// Views of Python strings as UTF-8, with what keeps them alive.
class Strings {
 public:
  std::string_view view(nb::handle object) {
    if (!PyUnicode_Check(object.ptr())) {
      throw nb::type_error("a text is a str, or a sequence of str (its sentences)");
    }
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
      kept_.push_back(nb::borrow(object));
      return {data, static_cast<std::size_t>(size)};
    }
    // Lone surrogates have no UTF-8; they come as the three bytes that they would have, and separate tokens.
    PyErr_Clear();
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid()) nb::raise_python_error();
    kept_.push_back(bytes);
    return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
  }

  // A str is whole; a sequence holds sentences.
  Text text(nb::handle object) {
    if (PyUnicode_Check(object.ptr())) return {view(object), {}, true};
    Text out{{}, {}, false};
    each(object, [&](nb::handle sentence) { out.given.push_back(view(sentence)); });
    return out;
  }

  std::vector<Text> texts(nb::handle list) {
    std::vector<Text> out;
    const Py_ssize_t size = PySequence_Size(list.ptr());
    if (size > 0) out.reserve(static_cast<std::size_t>(size));
    PyErr_Clear();
    each(list, [&](nb::handle object) { out.push_back(text(object)); });
    return out;
  }

  // The items of a sequence, whatever length it claims to have and whoever changes it meanwhile.
  static nb::tuple items(nb::handle sequence) {
    nb::object held = nb::steal(PySequence_Tuple(sequence.ptr()));
    if (!held.is_valid()) nb::raise_python_error();
    return nb::borrow<nb::tuple>(held);
  }

  // Lists and tuples item by item, other sequences through a copy.
  template <class Take>
  static void each(nb::handle sequence, Take&& take) {
    nb::object fast = nb::steal(PySequence_Fast(sequence.ptr(), "a text is a str, or a sequence of str"));
    if (!fast.is_valid()) nb::raise_python_error();
    for (Py_ssize_t i = 0; i < PySequence_Size(fast.ptr()); ++i) {
      nb::object item = nb::steal(PySequence_GetItem(fast.ptr(), i));  // in the stable ABI, and safe without the GIL
      if (!item.is_valid()) nb::raise_python_error();
      take(item);
    }
  }

 private:
  std::vector<nb::object> kept_;
};

using KindList = std::vector<std::pair<std::string, double>>;

// What is counted, with every number checked: the kernels rely on it.
Task make_task(const KindList& kinds, Quirks quirks, std::uint64_t max_cells);

// How many threads share the work, checked.
std::size_t checked_threads(std::int64_t threads);

using PairArray = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
inline Reading make_reading(std::string_view tokens, std::string_view stems, bool stop, Limit limit) {
  return {tokens_named(tokens), stems_named(stems), stop, limit};
}

// Texts in Arrow columns.
void bind_arrow(nb::module_& module);

// The kernels of the model-free measures.
void bind_model_free(nb::module_& module);

}  // namespace pyramidion
