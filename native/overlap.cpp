#include "overlap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "cells.hpp"
#include "parallel.hpp"

namespace pyramidion {
namespace {

std::size_t longest_gram(const Task& task) {
  std::size_t longest = 1;
  for (const Kind& kind : task.kinds) {
    if (kind.family == Family::n) longest = std::max(longest, static_cast<std::size_t>(kind.parameter));
  }
  return longest;
}

bool asks(const Task& task, std::initializer_list<Family> families) {
  return std::any_of(task.kinds.begin(), task.kinds.end(), [&](const Kind& kind) {
    return std::find(families.begin(), families.end(), kind.family) != families.end();
  });
}

bool is_same(Ids a, Ids b) { return a.data() == b.data() && a.size() == b.size(); }

std::string name_pair(const std::vector<Pair>& pairs, std::size_t index) {
  return "pair " + std::to_string(index) + " (peer text " + std::to_string(pairs[index].peer) + ", model text " +
         std::to_string(pairs[index].model) + "): ";
}

// L and W are refused before anything is allocated for them.
void check_cells(const Documents& documents, const std::vector<Pair>& pairs, const Task& task) {
  if (!asks(task, {Family::l, Family::w, Family::flat_l})) return;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Document& peer = documents[static_cast<std::size_t>(pairs[i].peer)];
    const Document& model = documents[static_cast<std::size_t>(pairs[i].model)];
    try {
      check_subsequence_cells(peer.lcs_tokens.size(), model.lcs_tokens.size(), task.max_cells);
    } catch (const std::length_error& error) {
      throw std::length_error(name_pair(pairs, i) + error.what());
    }
  }
}

// Room for the numbers of a model's tokens, kNone between counters. It is as large as the vocabulary, and so a thread
// keeps it, up to a limit.
constexpr std::size_t kMostNumbersKept = std::size_t{1} << 20;

std::vector<Id>& local_numbers(std::size_t vocabulary) {
  thread_local std::vector<Id> numbers;
  if (numbers.size() < vocabulary) numbers.resize(vocabulary, kNone);
  return numbers;
}

}  // namespace

void check_kind(const Kind& kind) {
  const double parameter = kind.parameter;
  const bool whole = std::floor(parameter) == parameter;  // also false for NaN
  bool fine = true;
  switch (kind.family) {
    case Family::n: fine = whole && parameter >= 1 && parameter <= kLongestGram; break;
    case Family::w: fine = parameter > 0 && parameter < 100; break;
    case Family::s:
    case Family::su: fine = whole && parameter >= -1 && parameter < 9007199254740992.0; break;
    case Family::l:
    case Family::flat_l: break;
  }
  if (!fine) throw std::invalid_argument("a kind can't have the parameter " + std::to_string(parameter));
}

PairCounter::PairCounter(const Task& task, std::size_t vocabulary)
    : task_(task),
      needs_lcs_(asks(task, {Family::l, Family::w})),
      needs_flat_(asks(task, {Family::flat_l})),
      local_(local_numbers(vocabulary)),
      grams_(longest_gram(task)),
      short_grams_(longest_gram(task)) {
  for (const Kind& kind : task.kinds) {
    if (kind.family == Family::w) weighted_.emplace_back(kind.parameter);
    if (kind.family == Family::s || kind.family == Family::su) {
      skips_.emplace_back(static_cast<std::int64_t>(kind.parameter));
    }
  }
}

PairCounter::~PairCounter() {
  forget_model();
  if (local_.size() > kMostNumbersKept) std::vector<Id>().swap(local_);
}

void PairCounter::forget_model() {
  for (const Id id : model_.tokens) local_[id] = kNone;
  if (!is_same(model_.tokens, model_.lcs_tokens)) {
    for (const Id id : model_.lcs_tokens) local_[id] = kNone;
  }
}

void PairCounter::number_model(const Document& model) {
  forget_model();
  model_ = model;
  model_lcs_differs_ = needs_lcs_ && !is_same(model.tokens, model.lcs_tokens);
  Id types = 0;
  const auto number = [&](Ids tokens, std::vector<Id>& out) {
    out.resize(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      Id& local = local_[tokens[i]];
      if (local == kNone) local = types++;
      out[i] = local;
    }
  };
  number(model.tokens, model_tokens_);
  if (model_lcs_differs_) number(model.lcs_tokens, model_lcs_tokens_);
  types_ = types;
  model_is_counted_ = false;
}

void PairCounter::set_model(const Document& model) {
  number_model(model);
  model_is_short_ = model_tokens_.size() <= ShortNGrams::kMostTokens;
  if (model_is_short_) {
    short_grams_.index(model_tokens_, types_);
  } else {
    grams_.index(model_tokens_);
  }
  for (SkipBigrams& pairs : skips_) pairs.index(model_tokens_, types_);
  if (needs_lcs_) union_lcs_.index(model_lcs_differs_ ? model_lcs_tokens_ : model_tokens_, model.lcs_ends, types_);
  if (needs_flat_) {
    const std::uint32_t end[] = {static_cast<std::uint32_t>(model_tokens_.size())};
    flat_lcs_.index(model_tokens_, end, types_);
  }
}

void PairCounter::localise(Ids tokens, std::vector<Id>& out) const {
  out.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) out[i] = local_[tokens[i]];
}

void PairCounter::read_peer(const Document& peer) {
  peer_ = peer;
  peer_lcs_differs_ = needs_lcs_ && !is_same(peer.tokens, peer.lcs_tokens);
  peer_is_counted_ = false;
  localise(peer.tokens, peer_tokens_);
  if (peer_lcs_differs_) localise(peer.lcs_tokens, peer_lcs_tokens_);
}

void PairCounter::count_unigrams() {
  if (!model_is_counted_) {
    model_counts_.assign(types_, 0);
    for (const Id type : model_tokens_) ++model_counts_[type];
    model_is_counted_ = true;
  }
  if (peer_is_counted_) return;
  peer_counts_.assign(types_, 0);
  for (const Id type : peer_tokens_) {
    if (type != kNone) ++peer_counts_[type];
  }
  peer_is_counted_ = true;
}

void PairCounter::count_grams() {
  if (model_is_short_) return short_grams_.count(peer_tokens_, gram_hits_);
  grams_.count(peer_tokens_, gram_hits_);
  count_unigrams();
  std::uint64_t unigrams = 0;
  for (std::size_t type = 0; type < types_; ++type) unigrams += std::min(model_counts_[type], peer_counts_[type]);
  gram_hits_.insert(gram_hits_.begin(), unigrams);
}

void PairCounter::count(const Document& peer, Counts* out) {
  read_peer(peer);
  count_grams();
  auto weighted = weighted_.begin();
  auto skip = skips_.begin();
  for (const Kind& kind : task_.kinds) {
    switch (kind.family) {
      case Family::n: *out++ = count_n(static_cast<std::size_t>(kind.parameter)); break;
      case Family::l: *out++ = count_l(); break;
      case Family::flat_l: *out++ = count_flat_l(); break;
      case Family::w: *out++ = count_w(*weighted++); break;
      case Family::s: *out++ = count_s(*skip++, false); break;
      case Family::su: *out++ = count_s(*skip++, true); break;
    }
  }
}

Counts PairCounter::count_n(std::size_t n) const {
  const auto total = [n](std::size_t length) { return length < n ? 0.0 : static_cast<double>(length - n + 1); };
  const double model = total(model_tokens_.size());
  return {static_cast<double>(gram_hits_[n - 1]), model, total(peer_tokens_.size()), model};
}

Counts PairCounter::count_l() {
  const Ids peer = peer_lcs_differs_ ? peer_lcs_tokens_ : peer_tokens_;
  const auto model = static_cast<double>(model_.lcs_tokens.size());
  std::uint64_t hits = 0;
  const bool differs = model_lcs_differs_ || peer_lcs_differs_;
  if (!differs && union_lcs_.is_one_sentence()) {
    // Each marked token of a single model sentence has a token of the peer for itself: nothing can be clipped.
    if (peer_.lcs_ends.size() == 1) {
      hits = union_lcs_.length(peer);
    } else {
      union_lcs_.mark(peer, peer_.lcs_ends);
      hits = union_lcs_.marked_count();
    }
  } else if (!differs && union_lcs_.is_short()) {
    union_lcs_.mark(peer, peer_.lcs_ends);
    hits = union_lcs_.clipped_count(peer);
  } else {
    const Ids tokens = model_lcs_differs_ ? model_lcs_tokens_ : model_tokens_;
    union_lcs_.mark(peer, peer_.lcs_ends);
    count_unigrams();
    clipping_.start(model_counts_, peer_counts_);
    union_lcs_.each_marked([&](std::size_t i) { hits += clipping_.take(tokens[i]); });
  }
  return {static_cast<double>(hits), model, static_cast<double>(peer_tokens_.size()), model};
}

Counts PairCounter::count_flat_l() {
  const auto model = static_cast<double>(model_tokens_.size());
  return {static_cast<double>(flat_lcs_.length(peer_tokens_)), model, static_cast<double>(peer_tokens_.size()), model};
}

Counts PairCounter::count_w(WeightedLcs& table) {
  const Ids peer = peer_lcs_differs_ ? peer_lcs_tokens_ : peer_tokens_;
  const Ids model = model_lcs_differs_ ? model_lcs_tokens_ : model_tokens_;
  table.mark(model, model_.lcs_ends, peer, peer_.lcs_ends, marks_, [](std::size_t, std::size_t) {});
  count_unigrams();
  clipping_.start(model_counts_, peer_counts_);
  const double hits =
      table.pay(model_.lcs_ends, marks_, [&](std::size_t i) { return clipping_.take(model[i]); });
  const double single = table.weighted_length(model_.lcs_ends);
  const double total = task_.quirks.w_weights_model_twice ? table.f(single) : single;
  return {hits, total, table.f(static_cast<double>(peer_tokens_.size())), single};
}

// Σ over types of min(model, peer), with the last token of each text left out.
std::uint64_t PairCounter::unigram_hits_without_last() {
  if (model_tokens_.empty() || peer_tokens_.empty()) return 0;
  count_unigrams();
  const Id model_last = model_tokens_.back(), peer_last = peer_tokens_.back();
  std::uint64_t hits = gram_hits_[0];
  const auto correct = [&](Id type) {
    if (type == kNone) return;
    const std::uint32_t model = model_counts_[type], peer = peer_counts_[type];
    hits += std::min(model - (type == model_last), peer - (type == peer_last));
    hits -= std::min(model, peer);
  };
  correct(model_last);
  if (peer_last != model_last) correct(peer_last);
  return hits;
}

Counts PairCounter::count_s(SkipBigrams& pairs, bool unigrams) {
  Counts counts{static_cast<double>(pairs.count(peer_tokens_, task_.max_cells)),
                static_cast<double>(pairs.total(model_tokens_.size())),
                static_cast<double>(pairs.total(peer_tokens_.size()))};
  if (unigrams) {
    const bool drop = task_.quirks.su_drops_last_unigram;
    const auto total = [drop](std::size_t length) { return static_cast<double>(length - (drop && length > 0)); };
    counts.hits += static_cast<double>(drop ? unigram_hits_without_last() : gram_hits_[0]);
    counts.model += total(model_tokens_.size());
    counts.peer += total(peer_tokens_.size());
  }
  counts.single = counts.model;
  return counts;
}

void count_pairs(const Documents& documents, const std::vector<Pair>& pairs, const Task& task, std::size_t threads,
                 double* out) {
  check_cells(documents, pairs, task);
  // A model is prepared once for all its peers.
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::is_sorted(pairs.begin(), pairs.end(), [](Pair a, Pair b) { return a.model < b.model; })) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return pairs[a].model < pairs[b].model; });
  }
  constexpr std::size_t kBlock = 32;
  const std::size_t workers = std::clamp<std::size_t>(pairs.size() / kBlock, 1, threads);
  Blocks blocks(order.size(), kBlock);
  run_workers(workers, [&](std::size_t) {
    PairCounter counter(task, documents.vocabulary());
    std::vector<Counts> row(task.kinds.size());
    std::int64_t current = -1;
    std::size_t begin, end;
    while (blocks.next(begin, end)) {
      for (std::size_t i = begin; i < end; ++i) {
        const Pair& pair = pairs[order[i]];
        if (pair.model != current) counter.set_model(documents[static_cast<std::size_t>(pair.model)]);
        current = pair.model;
        try {
          counter.count(documents[static_cast<std::size_t>(pair.peer)], row.data());
        } catch (const std::length_error& error) {
          throw std::length_error(name_pair(pairs, order[i]) + error.what());
        }
        double* to = out + order[i] * task.kinds.size() * 4;
        for (const Counts& counts : row) {
          for (const double value : {counts.hits, counts.model, counts.peer, counts.single}) *to++ = value;
        }
      }
    }
  });
}

}  // namespace pyramidion
