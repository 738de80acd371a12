// Throws random bytes at the kernels, for the sanitizers to watch, and holds the fast paths against plain tables.
// native/fuzz/run.sh builds and runs it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>

#include "../be.hpp"
#include "../documents.hpp"
#include "../matches.hpp"
#include "../model_free.hpp"
#include "../overlap.hpp"

namespace {

using namespace pyramidion;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool coin() { return below(2) == 0; }
  template <class T, std::size_t N>
  T one_of(const T (&items)[N]) { return items[below(N)]; }

 private:
  std::mt19937_64 engine_;
};

std::string random_bytes(Random& random) {
  static const char* const pieces[] = {
      "the", "The ", "a ", "b ", "told ", "barking ", " ", "\t", "\xC4\xB0", "\xE2\x84\xAA", "\xC3\xA9",
      "\xE6\xBC\xA2", "\xCC\x81", "\xE2\x80\x8D", "\xF0\x9F\x98\x80", "\xE6", "\xFF", "averyveryverylongtoken",
      "x", "relational ", "agreements ", "-"};
  std::string text;
  const std::size_t count = random.below(random.coin() ? 8 : 120);
  for (std::size_t i = 0; i < count; ++i) {
    if (random.below(10) == 0) {
      text += static_cast<char>(random.below(256));
    } else {
      text += random.one_of(pieces);
    }
  }
  return text;
}

// Marked model positions of one model sentence and one peer sentence, by the full table.
std::set<std::size_t> table_marks(Ids model, Ids peer) {
  std::vector<std::vector<int>> table(model.size() + 1, std::vector<int>(peer.size() + 1, 0));
  for (std::size_t i = 1; i <= model.size(); ++i) {
    for (std::size_t j = 1; j <= peer.size(); ++j) {
      table[i][j] = model[i - 1] == peer[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  std::set<std::size_t> marks;
  for (std::size_t i = model.size(), j = peer.size(); i > 0 && j > 0;) {
    if (model[i - 1] == peer[j - 1]) {
      marks.insert(--i);
      --j;
    } else if (table[i - 1][j] >= table[i][j - 1]) {
      --i;
    } else {
      --j;
    }
  }
  return marks;
}

double table_lcs(const Document& peer, const Document& model) {
  std::map<Id, int> peer_left, model_left;
  for (const Id id : peer.tokens) ++peer_left[id];
  for (const Id id : model.tokens) ++model_left[id];
  double hits = 0;
  std::size_t first = 0;
  for (const std::size_t end : model.lcs_ends) {
    const Ids sentence = model.lcs_tokens.subspan(first, end - first);
    std::set<std::size_t> marks;
    std::size_t peer_first = 0;
    for (const std::size_t peer_end : peer.lcs_ends) {
      marks.merge(table_marks(sentence, peer.lcs_tokens.subspan(peer_first, peer_end - peer_first)));
      peer_first = peer_end;
    }
    for (const std::size_t i : marks) {
      if (peer_left[sentence[i]] <= 0 || model_left[sentence[i]] <= 0) continue;
      --peer_left[sentence[i]], --model_left[sentence[i]];
      ++hits;
    }
    first = end;
  }
  return hits;
}

// Σ min(count in peer, count in model) of pairs at most gap + 1 apart (any distance when gap < 0).
double table_pairs(Ids peer, Ids model, int gap) {
  const auto count = [gap](Ids text) {
    std::map<std::pair<Id, Id>, double> pairs;
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (std::size_t j = i + 1; j < text.size() && (gap < 0 || j <= i + static_cast<std::size_t>(gap) + 1); ++j) {
        ++pairs[{text[i], text[j]}];
      }
    }
    return pairs;
  };
  auto in_peer = count(peer);
  double hits = 0;
  for (const auto& [pair, number] : count(model)) hits += std::min(number, in_peer[pair]);
  return hits;
}

// Kullback-Leibler divergences and the unsmoothed JS by their definitions, over all words of either text.
std::vector<double> plain_divergences(const Documents& documents, const std::vector<std::size_t>& input, Ids summary,
                                      double delta) {
  std::map<Id, double> p, q;
  double input_size = 0;
  for (const std::size_t text : input) {
    for (const Id id : documents[text].tokens) p[id] += 1, q[id] += 0, input_size += 1;
  }
  const double extra = delta * 1.5 * static_cast<double>(p.size());
  for (const Id id : summary) p[id] += 0, q[id] += 1;
  const auto summary_size = static_cast<double>(summary.size());
  std::vector<double> out(3, 0.0);
  for (const auto& [id, count] : p) {
    const double sp = (count + delta) / (input_size + extra), sq = (q[id] + delta) / (summary_size + extra);
    out[0] += sp * std::log(sp / sq);
    out[1] += sq * std::log(sq / sp);
    const double rp = count / input_size, rq = summary_size > 0 ? q[id] / summary_size : 0, middle = (rp + rq) / 2;
    out[2] += ((rp > 0 ? rp * std::log(rp / middle) : 0) + (rq > 0 ? rq * std::log(rq / middle) : 0)) / 2;
  }
  return out;
}

// Summaries beside inputs of random texts: the features by classes of counts against their definitions.
void model_free_round(Random& random, const Documents& documents) {
  const double counts[] = {3, 40, 7}, weights[] = {1.5, 0, 8};
  const Background background("tell\nthe\na b", counts, weights, 3, 50, 9);
  FreeTask task;
  task.pairs = random.coin();
  task.settings = {{0.0005, 1, 10.83, true, &background}, {0.005, std::log(2), -1, false, nullptr}};
  task.inputs.resize(1 + random.below(4));
  for (auto& input : task.inputs) {
    for (std::size_t i = random.below(4); i > 0; --i) input.push_back(random.below(documents.size()));
  }
  for (std::size_t i = random.below(10); i > 0; --i) {
    task.summaries.push_back({random.below(documents.size()), random.below(task.inputs.size())});
  }
  std::vector<double> features(task.summaries.size() * task.settings.size() * kFreeFeatures);
  std::vector<double> words(task.summaries.size() * 2), inputs(task.inputs.size() * (2 + task.settings.size()));
  score_inputs(documents, task, 1 + random.below(3), {features.data(), words.data(), inputs.data()});
  for (std::size_t i = 0; i < task.summaries.size(); ++i) {
    const double* found = &features[i * task.settings.size() * kFreeFeatures];
    const auto& input = task.inputs[task.summaries[i].input];
    const bool empty = inputs[task.summaries[i].input * (2 + task.settings.size())] == 0;
    if (empty != std::isnan(found[kKlInputSummary])) fail("an input without words has a divergence, or another none");
    if (empty || task.pairs) continue;
    const auto expected =
        plain_divergences(documents, input, documents[task.summaries[i].text].tokens, task.settings[0].smoothing);
    for (const std::size_t feature : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
      if (std::abs(found[feature] - expected[feature]) > 1e-9) fail("a divergence differs from its definition");
    }
    if (found[kCosine] > 1 + 1e-9 || found[kTopicShare] > 1 || found[kTopicCoverage] > 1) fail("a share above 1");
  }
  contrast(documents, background, task.pairs);
}

void one_round(Random& random, const WordLists& lists) {
  const bool crowd = random.below(40) == 0;  // enough texts and pairs for several threads
  std::vector<std::vector<std::string>> bytes(crowd ? 200 : 1 + random.below(6));
  std::vector<Text> texts;
  for (auto& text : bytes) {
    text.resize(random.below(crowd ? 2 : 5));
    for (std::string& sentence : text) sentence = random_bytes(random);
    if (text.size() == 1 && random.coin()) {
      texts.push_back({text[0], {}, true});
    } else {
      texts.push_back({{}, Sentences(text.begin(), text.end()), false});
    }
  }
  const Tokens tokens[] = {Tokens::rouge155, Tokens::rouge_score, Tokens::unicode};
  const Stems stems[] = {Stems::none, Stems::rouge155, Stems::martin, Stems::nltk};
  Reading reading{random.one_of(tokens), random.one_of(stems), random.coin(), {}};
  if (random.coin()) reading.limit.words = static_cast<std::int64_t>(random.below(40));
  if (random.coin()) reading.limit.bytes = static_cast<std::int64_t>(random.below(200));
  reading.limit.lcs_forgets_bytes = random.coin();
  reading.limit.leading_blank_is_word = random.coin();

  Documents documents(texts.size());
  documents.read(texts, reading, lists, 1 + random.below(3));
  const std::vector<Kind> kinds{{Family::n, 1}, {Family::n, 2}, {Family::n, 5},  {Family::l, 0},
                                {Family::flat_l, 0}, {Family::w, 1.2}, {Family::s, 4}, {Family::su, 4},
                                {Family::s, -1}, {Family::su, 100}, {Family::s, 0}};
  const Task task{kinds, {random.coin(), random.coin()}, 1'000'000};
  std::vector<Pair> pairs;
  for (std::size_t i = crowd ? 150 : random.below(12); i > 0; --i) {
    const auto index = [&] { return static_cast<std::int64_t>(random.below(texts.size())); };
    pairs.push_back({index(), index()});
  }
  std::vector<double> out(pairs.size() * task.kinds.size() * 4);
  count_pairs(documents, pairs, task, 1 + random.below(3), out.data());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Document& peer = documents[static_cast<std::size_t>(pairs[i].peer)];
    const Document& model = documents[static_cast<std::size_t>(pairs[i].model)];
    const auto hits = [&](std::size_t kind) { return out[(i * task.kinds.size() + kind) * 4]; };
    if (hits(3) != table_lcs(peer, model)) fail("the LCS differs from its table");
    if (hits(6) != table_pairs(peer.tokens, model.tokens, 4)) fail("skip-bigrams differ");
    if (hits(8) != table_pairs(peer.tokens, model.tokens, -1)) fail("skip-bigrams without limit differ");
    if (hits(10) != hits(1)) fail("skip-bigrams without a gap are not bigrams");
    for (const Kind& kind : task.kinds) {
      const Marks marks = mark_matches(peer, model, kind, task);
      const bool any = std::count(marks.model.begin(), marks.model.end(), 1) > 0;
      const double found = hits(static_cast<std::size_t>(&kind - task.kinds.data()));
      if (found > 0 && !any) fail("hits without a marked token");
    }
  }
  model_free_round(random, documents);
  const BasicElement element(random_bytes(random), random_bytes(random), random_bytes(random), random.coin(), lists);
  std::string key;
  for (const BeMode mode : {BeMode::h, BeMode::hm, BeMode::hmr, BeMode::hm1, BeMode::hmr1, BeMode::hmr2}) {
    element.write_key(mode, key);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
  Random random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  const WordLists lists("the\na\n", "told\ttell\nbarking\tbark\n");
  const auto start = std::chrono::steady_clock::now();
  std::size_t rounds = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    one_round(random, lists);
    ++rounds;
  }
  std::printf("%zu rounds\n", rounds);
}
