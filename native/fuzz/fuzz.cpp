// Throws random bytes at the kernels, for the sanitizers to watch, and holds the fast paths against plain tables.
// native/fuzz/run.sh builds and runs it.
//
// Most texts are short: what breaks kernels is the shape of a text, not its length, and a round of short texts takes
// microseconds. Every hundredth round has long ones, and several threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "../be.hpp"
#include "../documents.hpp"
#include "../matches.hpp"
#include "../model_free.hpp"
#include "../overlap.hpp"
#include "../scores.hpp"
#include "arrow_input.hpp"
#include "random.hpp"

namespace {

using namespace pyramidion;
using namespace fuzz;

// What was tried.
struct Tally {
  std::uint64_t rounds = 0, texts = 0, words = 0, arrow_columns = 0, arrow_chunks = 0, arrow_texts = 0, refused = 0;
};

const Tokens kTokens[] = {Tokens::rouge155, Tokens::rouge_score, Tokens::unicode};
const Stems kStems[] = {Stems::none, Stems::rouge155, Stems::martin, Stems::nltk};

Reading random_reading(Random& random) {
  Reading reading{random.one_of(kTokens), random.one_of(kStems), random.coin(), {}};
  if (random.one_in(3)) reading.limit.words = static_cast<std::int64_t>(random.below(40));
  if (random.one_in(3)) reading.limit.bytes = static_cast<std::int64_t>(random.below(200));
  reading.limit.lcs_forgets_bytes = random.coin();
  reading.limit.leading_blank_is_word = random.coin();
  return reading;
}

// Marked model positions of one model sentence and one peer sentence, by the full table: plain, or weighted by f.
template <class Gain>
void table_marks(Ids model, Ids peer, Gain&& gain, std::vector<std::uint8_t>& marks, std::size_t first) {
  static std::vector<double> score;
  static std::vector<std::uint32_t> run;
  const std::size_t width = peer.size() + 1;
  score.assign((model.size() + 1) * width, 0);
  run.assign((model.size() + 1) * width, 0);
  for (std::size_t i = 1; i <= model.size(); ++i) {
    for (std::size_t j = 1; j <= peer.size(); ++j) {
      const std::size_t at = i * width + j, diagonal = at - width - 1;
      if (model[i - 1] == peer[j - 1]) {
        score[at] = gain(score[diagonal], run[diagonal]);
        run[at] = run[diagonal] + 1;
      } else {
        score[at] = std::max(score[at - width], score[at - 1]);
      }
    }
  }
  for (std::size_t i = model.size(), j = peer.size(); i > 0 && j > 0;) {
    if (model[i - 1] == peer[j - 1]) {
      marks[first + --i] = 1;
      --j;
    } else if (score[(i - 1) * width + j] >= score[i * width + j - 1]) {
      --i;
    } else {
      --j;
    }
  }
}

template <class Gain>
std::vector<std::uint8_t> union_marks(const Document& peer, const Document& model, Gain&& gain) {
  std::vector<std::uint8_t> marks(model.lcs_tokens.size(), 0);
  std::size_t first = 0;
  for (const std::size_t end : model.lcs_ends) {
    std::size_t peer_first = 0;
    for (const std::size_t peer_end : peer.lcs_ends) {
      table_marks(model.lcs_tokens.subspan(first, end - first), peer.lcs_tokens.subspan(peer_first, peer_end - peer_first),
                  gain, marks, first);
      peer_first = peer_end;
    }
    first = end;
  }
  return marks;
}

// How often each token is left to be matched.
class Left {
 public:
  Left(Ids peer, Ids model) {
    for (const Id id : peer) ++counts_[id].first;
    for (const Id id : model) ++counts_[id].second;
  }
  bool take(Id id) {
    auto& [peer, model] = counts_[id];
    if (peer <= 0 || model <= 0) return false;
    --peer, --model;
    return true;
  }

 private:
  std::map<Id, std::pair<int, int>> counts_;
};

double table_lcs(const Document& peer, const Document& model) {
  const auto marks = union_marks(peer, model, [](double before, std::uint32_t) { return before + 1; });
  Left left(peer.tokens, model.tokens);
  double hits = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) hits += marks[i] && left.take(model.lcs_tokens[i]);
  return hits;
}

double table_weighted_lcs(const Document& peer, const Document& model, double weight) {
  const auto f = [weight](double k) { return std::pow(k, weight); };
  const auto marks = union_marks(peer, model, [&](double before, std::uint32_t k) { return before + f(k + 1.0) - f(k); });
  Left left(peer.tokens, model.tokens);
  double paid = 0;
  std::size_t i = 0;
  for (const std::size_t end : model.lcs_ends) {
    double run = 0;
    for (; i < end; ++i) {
      if (!marks[i] || !left.take(model.lcs_tokens[i])) continue;
      ++run;
      if (i + 1 == end || !marks[i + 1]) {
        paid += f(run);
        run = 0;
      }
    }
  }
  return paid;
}

// Σ min(count in peer, count in model) of pairs at most gap + 1 apart (any distance when gap < 0).
double table_pairs(Ids peer, Ids model, int gap) {
  const auto list = [gap](Ids text) {
    std::vector<std::pair<Id, Id>> pairs;
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (std::size_t j = i + 1; j < text.size() && (gap < 0 || j <= i + static_cast<std::size_t>(gap) + 1); ++j) {
        pairs.emplace_back(text[i], text[j]);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  const auto first = list(peer), second = list(model);
  std::vector<std::pair<Id, Id>> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  return static_cast<double>(both.size());
}

// Σ min(count in peer, count in model) of runs of n tokens.
double table_grams(Ids peer, Ids model, std::size_t n) {
  const auto list = [n](Ids text) {
    std::vector<std::vector<Id>> grams;
    for (std::size_t i = 0; i + n <= text.size(); ++i) grams.emplace_back(text.begin() + i, text.begin() + i + n);
    std::sort(grams.begin(), grams.end());
    return grams;
  };
  const auto first = list(peer), second = list(model);
  std::vector<std::vector<Id>> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  return static_cast<double>(both.size());
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

const std::vector<Kind> kKinds{{Family::n, 1}, {Family::n, 2}, {Family::n, 5},  {Family::l, 0},  {Family::flat_l, 0},
                               {Family::w, 1.2}, {Family::s, 4}, {Family::su, 4}, {Family::s, -1}, {Family::su, 100},
                               {Family::s, 0}};

void check_pairs(const Documents& documents, const std::vector<Pair>& pairs, const Task& task,
                 const std::vector<double>& out, bool look) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Document& peer = documents[static_cast<std::size_t>(pairs[i].peer)];
    const Document& model = documents[static_cast<std::size_t>(pairs[i].model)];
    const auto hits = [&](std::size_t kind) { return out[(i * task.kinds.size() + kind) * 4]; };
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const auto n = static_cast<std::size_t>(task.kinds[kind].parameter);
      if (hits(kind) != table_grams(peer.tokens, model.tokens, n)) fail("n-grams differ from their list");
    }
    if (hits(3) != table_lcs(peer, model)) fail("the LCS differs from its table");
    if (hits(5) != table_weighted_lcs(peer, model, 1.2)) fail("the weighted LCS differs from its table");
    if (hits(6) != table_pairs(peer.tokens, model.tokens, 4)) fail("skip-bigrams differ");
    if (hits(8) != table_pairs(peer.tokens, model.tokens, -1)) fail("skip-bigrams without limit differ");
    if (hits(10) != hits(1)) fail("skip-bigrams without a gap are not bigrams");
    if (!look) continue;
    for (const Kind& kind : task.kinds) {
      const Marks marks = mark_matches(peer, model, kind, task);
      const bool any = std::count(marks.model.begin(), marks.model.end(), 1) > 0;
      const double found = hits(static_cast<std::size_t>(&kind - task.kinds.data()));
      if (found > 0 && !any) fail("hits without a marked token");
    }
  }
}

// Texts of random bytes, read in a random way, every count against its table.
void text_round(Random& random, const WordLists& lists, bool large, Tally& tally) {
  std::vector<std::vector<std::string>> bytes(large ? 200 : 2 + random.below(14));
  std::vector<Text> texts;
  // Some are as long as what fits into one or two machine words, or a little longer.
  const std::size_t most = random.one_in(64) ? 160 : 10;
  for (auto& text : bytes) {
    text.resize(random.one_in(3) ? random.below(4) : 1);
    for (std::string& sentence : text) sentence = random_text(random, large && random.coin() ? 120 : most);
    if (text.size() == 1 && !random.one_in(8)) {
      texts.push_back({text[0], {}, true});
    } else {
      texts.push_back({{}, Sentences(text.begin(), text.end()), false});
    }
  }
  tally.texts += texts.size();
  const Reading reading = random_reading(random);
  const std::size_t threads = large ? 1 + random.below(3) : 1;
  Documents documents(texts.size());
  documents.read(texts, reading, lists, threads, Words::remembered);
  const Task task{kKinds, {random.coin(), random.coin()}, 1'000'000};
  std::vector<Pair> pairs;
  for (std::size_t i = large ? 150 : 1 + random.below(4); i > 0; --i) {
    const auto index = [&] { return static_cast<std::int64_t>(random.below(texts.size())); };
    pairs.push_back({index(), index()});
  }
  std::vector<double> out(pairs.size() * task.kinds.size() * 4);
  count_pairs(documents, pairs, task, threads, out.data());
  check_pairs(documents, pairs, task, out, random.one_in(32));
  if (random.one_in(16)) {
    Documents numbered(texts.size());
    numbered.read(texts, reading, lists, 1);
    std::vector<double> again(out.size());
    count_pairs(numbered, pairs, task, 1, again.data());
    if (again != out) fail("counts depend on words of earlier calls");
    model_free_round(random, numbered);
  }
}

// Words that Porter's rules are about: beginnings of every shape, with endings that the rules name.
void word_round(Random& random, const WordLists& lists, Tally& tally) {
  std::string word;
  for (int i = 0; i < 16; ++i, ++tally.words) {
    random_word(random, word);
    for (const Stems stems : kStems) {
      const std::string stem = stem_token(word, stems, lists);
      if (stem.size() > word.size() + 1) fail("a stem that is longer than its word");
    }
  }
  const BasicElement element(random_text(random, 3), random_text(random, 3), word, random.coin(), lists);
  std::string key;
  for (const BeMode mode : {BeMode::h, BeMode::hm, BeMode::hmr, BeMode::hm1, BeMode::hmr1, BeMode::hmr2}) {
    element.write_key(mode, key);
  }
}

// Scores of unigrams, from the counts of two kinds: all from 0 to 1, and the best F is that of a pair.
void check_scores(const PairedRows& rows, const std::vector<double>& counts, const ScoreRule& rule) {
  const CountRows unigrams{counts.data(), 8, 1};
  for (std::size_t row = 0; row + 1 < rows.starts.size(); ++row) {
    const auto first = static_cast<std::size_t>(rows.starts[row]), end = static_cast<std::size_t>(rows.starts[row + 1]);
    if (first == end) continue;
    const Scores found = scores_of(total_of(unigrams, first, end, rule), rule);
    for (const double value : {found.recall, found.precision, found.f}) {
      if (!(value >= 0 && value <= 1)) fail("a score is not from 0 to 1");
    }
    double best = 0;
    for (std::size_t pair = first; pair < end; ++pair) best = std::max(best, scores_of(unigrams[pair], rule).f);
    if (rule.best_f && found.f != best) fail("another pair has a better F");
  }
}

// Arrow columns: honest ones have the texts that went in, lies are refused or harmless.
void arrow_round(Random& random, const WordLists& lists, Tally& tally) {
  const std::size_t rows = random.below(8);
  Chunks summaries(random, rows, 1), references(random, rows, 2);
  const bool honest = !random.coin();
  if (!honest) (random.coin() ? summaries : references).lie(random);
  tally.texts += summaries.texts() + references.texts();
  tally.arrow_texts += summaries.texts() + references.texts();
  tally.arrow_columns += 2;
  tally.arrow_chunks += summaries.size() + references.size();
  try {
    const PairedRows found = pair_rows(summaries.column(), references.column());
    if (honest) check_rows(found, summaries, references);
    const Reading reading = random_reading(random);
    Documents documents(found.texts.size());
    documents.read(found.texts, reading, lists, 1, Words::remembered);
    const Task task{{{Family::n, 1}, {Family::l, 0}}, {}, 1'000'000};
    std::vector<double> out(found.pairs.size() * 8);
    count_pairs(documents, found.pairs, task, 1, out.data());
    check_scores(found, out, {random.coin(), random.coin() ? 0.5 : 0.3});
    has_long_line(found.texts, 5);
    has_unread_letters(found.texts, documents);
  } catch (const std::invalid_argument&) {
    ++tally.refused;
    if (honest) fail("honest Arrow data was refused");
  }
}

void print(std::FILE* to, const Tally& tally) {
  const double cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::fprintf(to,
               "%llu rounds, %llu texts, %llu of them in %llu Arrow columns of %llu chunks (%llu pairs of columns refused), "
               "%llu words: %.0f texts a CPU second\n",
               number(tally.rounds), number(tally.texts), number(tally.arrow_texts), number(tally.arrow_columns),
               number(tally.arrow_chunks), number(tally.refused), number(tally.words),
               static_cast<double>(tally.texts) / cpu);
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
  Random random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  const bool only_arrow = count > 3 && std::string(arguments[3]) == "arrow";
  const WordLists lists("the\na\n", "told\ttell\nbarking\tbark\n");
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Tally tally;
  while (tally.rounds % 256 != 0 || elapsed() < seconds) {
    ++tally.rounds;
    if (!only_arrow) {
      text_round(random, lists, random.one_in(1000), tally);
      if (random.one_in(4)) word_round(random, lists, tally);
    }
    arrow_round(random, lists, tally);
    if (tally.rounds % (1 << 18) == 0) print(stderr, tally);
  }
  print(stdout, tally);
}
