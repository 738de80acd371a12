// pyramidion's own counting kernels, called from C++: what a call from Python costs on top is the difference.
//
//   kernels PROFILE ITEMS STOP_WORDS EXCEPTIONS ROUNDS RESULT       (as loop.cpp)
#include <cstdlib>
#include <cstring>

#include "documents.hpp"
#include "items.hpp"
#include "overlap.hpp"

namespace {

using namespace pyramidion;

std::vector<double> score_all(const std::vector<Item>& items, bool rouge155, const WordLists& lists) {
  std::vector<Text> texts;
  std::vector<Pair> pairs;
  for (const Item& item : items) {
    const auto prediction = static_cast<std::int64_t>(texts.size());
    texts.push_back({item.prediction, {}, true});
    for (const std::string_view target : item.targets) {
      pairs.push_back({prediction, static_cast<std::int64_t>(texts.size())});
      texts.push_back({target, {}, true});
    }
  }
  Reading reading;
  reading.tokens = rouge155 ? Tokens::rouge155 : Tokens::rouge_score;
  reading.stems = rouge155 ? Stems::rouge155 : Stems::nltk;
  Task task{{}, {}, ~std::uint64_t{0}};
  task.kinds = {{Family::n, 1}, {Family::n, 2}};
  if (rouge155) task.kinds.insert(task.kinds.end(), {{Family::n, 3}, {Family::n, 4}});
  task.kinds.push_back({Family::l, 0});
  if (rouge155) task.kinds.insert(task.kinds.end(), {{Family::w, 1.2}, {Family::su, 4}});
  Documents documents(texts.size());
  documents.read(texts, reading, lists, 1, Words::remembered);
  std::vector<double> counts(pairs.size() * task.kinds.size() * 4);
  count_pairs(documents, pairs, task, 1, counts.data());
  return counts;
}

}  // namespace

int main(int, char** arguments) {
  const std::string bytes = read_file(arguments[2]);
  const std::vector<Item> items = parse_items(bytes);
  const WordLists lists(read_file(arguments[3]), read_file(arguments[4]));
  const bool rouge155 = std::strcmp(arguments[1], "rouge155") == 0;
  const auto counts = time_rounds(std::atoi(arguments[5]), [&] { return score_all(items, rouge155, lists); });
  std::vector<double> three;  // as loop.cpp writes them
  for (std::size_t i = 0; i < counts.size(); i += 4) three.insert(three.end(), &counts[i], &counts[i] + 3);
  write_result(arguments[6], three);
}
