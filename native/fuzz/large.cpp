// Sizes that a user may meet, under the sanitizers: 10 million tokens for N, SU4 and BE, 50 MB for model-free measures,
// 20,000 tokens for L, W and S*, thousands of models; and a table beyond max_cells, which must be refused before anything
// is allocated.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "../be.hpp"
#include "../documents.hpp"
#include "../model_free.hpp"
#include "../overlap.hpp"

namespace {

using namespace pyramidion;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

std::vector<Id> random_tokens(std::mt19937_64& random, std::size_t size, Id vocabulary) {
  std::vector<Id> tokens(size);
  for (Id& token : tokens) token = static_cast<Id>(random() % vocabulary);
  return tokens;
}

// One peer, compared with itself and with other texts of the same size.
std::vector<double> count(std::size_t size, std::size_t models, std::vector<Kind> kinds, std::uint64_t max_cells) {
  std::mt19937_64 random(size);
  constexpr Id kVocabulary = 50'000;
  Documents documents(models + 1);
  for (std::size_t text = 0; text <= models; ++text) {
    std::vector<Id> tokens = random_tokens(random, size, kVocabulary);
    documents.take(text, tokens, {static_cast<std::uint32_t>(size / 2), static_cast<std::uint32_t>(size)});
  }
  documents.set_vocabulary(kVocabulary);
  std::vector<Pair> pairs{{0, 0}};
  for (std::size_t model = 1; model <= models; ++model) pairs.push_back({0, static_cast<std::int64_t>(model)});
  const Task task{std::move(kinds), {}, max_cells};
  std::vector<double> out(pairs.size() * task.kinds.size() * 4);
  count_pairs(documents, pairs, task, 2, out.data());
  for (std::size_t kind = 0; kind < task.kinds.size(); ++kind) {
    const double* self = &out[kind * 4];
    if (task.kinds[kind].family != Family::w && self[0] != self[1]) fail("a text differs from itself");
  }
  return out;
}

// Elements with many distinct keys, of which half are shared.
void count_elements(std::size_t size) {
  const WordLists lists("the\n", "told\ttell\n");
  Vocabulary forms;
  Documents documents(2);
  for (std::size_t text = 0; text < 2; ++text) {
    std::vector<Id> ids;
    ids.reserve(size);
    std::string key;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string head = "head" + std::to_string((i + text * size / 2) % 1'000'000);
      const BasicElement element(head, "modifier", "mod", true, lists);
      if (element.write_key(BeMode::hm, key)) ids.push_back(forms.number(key));
    }
    documents.take(text, std::move(ids), {static_cast<std::uint32_t>(size)});
  }
  documents.set_vocabulary(forms.size());
  const Task task{{{Family::n, 1}}, {}, ~std::uint64_t{0}};
  double out[4];
  count_pairs(documents, {{0, 1}}, task, 1, out);
  if (out[1] != static_cast<double>(size)) fail("elements were lost");
}

// An input of one text and its own words as summary: nothing diverges.
void score_itself(std::size_t size) {
  std::string text;
  std::mt19937_64 random(size);
  while (text.size() < size) text += "w" + std::to_string(random() % 1'000'000) + " ";
  const WordLists lists("the\n", "");
  Documents documents(1);
  const Reading reading{Tokens::rouge155, Stems::martin, true, {}};
  documents.read({{text, {}, true}}, reading, lists, 1);
  for (const bool pairs : {false, true}) {
    const FreeTask task{{{0}}, {{0, 0}}, {FreeSettings{}}, pairs};
    std::vector<double> features(kFreeFeatures), words(2), inputs(3);
    score_inputs(documents, task, 2, {features.data(), words.data(), inputs.data()});
    if (features[kJs] > 1e-9 || words[1] != 0) fail("a text diverges from itself");
  }
}

}  // namespace

int main() {
  constexpr std::uint64_t kCells = 1'000'000'000;
  count(10'000'000, 1, {{Family::n, 1}, {Family::n, 2}, {Family::su, 4}}, kCells);
  std::puts("10 million tokens: N, SU4");
  count_elements(10'000'000);
  std::puts("10 million elements: BE");
  score_itself(50'000'000);
  std::puts("an input of 50 MB: model-free");
  count(20'000, 1, {{Family::l, 0}, {Family::w, 1.2}, {Family::s, -1}, {Family::su, -1}}, kCells);
  std::puts("20,000 tokens: L, W, S*, SU*");
  count(100, 5'000, {{Family::n, 2}, {Family::l, 0}, {Family::w, 1.2}, {Family::su, 4}, {Family::s, -1}}, kCells);
  count(0, 5'000, {{Family::n, 2}, {Family::l, 0}, {Family::w, 1.2}, {Family::su, 4}, {Family::s, -1}}, kCells);
  std::puts("5,000 models, also empty ones");
  try {
    count(1'000'000, 1, {{Family::l, 0}}, kCells);
    fail("a table of 10^12 cells was not refused");
  } catch (const std::length_error& error) {
    std::printf("refused: %s\n", error.what());
  }
}
