#include "skip.hpp"

#include <algorithm>

#include "cells.hpp"

namespace pyramidion {
namespace {

// A table of pairs costs about this much more per pair than a running count does per token.
constexpr std::uint64_t kTableCost = 4;

// The most pairs that a table takes at a time (about 100 MB); longer texts are counted in several passes.
constexpr std::uint64_t kPairsPerPass = std::uint64_t{1} << 22;

// Which of several passes a pair belongs to.
std::uint64_t pass_of(std::uint64_t key, std::uint64_t passes) {
  key = (key ^ (key >> 31)) * 0xBF58476D1CE4E5B9u;
  return (key >> 32) * passes >> 32;
}

// For one first type, how often each other type follows it: out[b] = number of pairs (first, b).
void count_followers(Ids text, Id first, std::size_t reach, std::vector<std::uint64_t>& out) {
  std::uint64_t before = 0;
  for (std::size_t j = 0; j < text.size(); ++j) {
    if (j > reach && text[j - reach - 1] == first) --before;
    if (text[j] == kNone) continue;
    out[text[j]] += before;
    if (text[j] == first) ++before;
  }
}

}  // namespace

std::size_t SkipBigrams::reach(std::size_t length) const {
  if (gap_ < 0 || static_cast<std::uint64_t>(gap_) >= length) return length;
  return static_cast<std::size_t>(gap_) + 1;
}

std::uint64_t SkipBigrams::total(std::size_t length) const {
  if (length < 2) return 0;
  const std::uint64_t n = length, d = std::min<std::uint64_t>(reach(length), n - 1);
  return d * n - d * (d + 1) / 2;  // Σ over distances 1 … d of n - distance
}

template <class Visit>
void SkipBigrams::each_pair(Ids text, Visit&& visit) const {
  const std::size_t furthest = reach(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kNone) continue;
    const std::size_t stop = std::min(text.size(), i + furthest + 1);
    for (std::size_t j = i + 1; j < stop; ++j) {
      if (text[j] != kNone) visit(PairTable::key(text[i], text[j]));
    }
  }
}

void SkipBigrams::index(Ids model, std::size_t types) {
  model_ = model;
  listed_ = false;
  in_peer_.assign(types, 0);
}

std::size_t SkipBigrams::shared_types(Ids peer) {
  std::size_t shared = 0;
  for (Id id : peer) {
    if (id == kNone || in_peer_[id]) continue;
    in_peer_[id] = 1;
    ++shared;
  }
  return shared;
}

std::uint64_t SkipBigrams::count(Ids peer, std::uint64_t max_cells) {
  const std::uint64_t shared = shared_types(peer);
  const std::uint64_t by_type = shared * (model_.size() + peer.size());
  const std::uint64_t pairs = total(model_.size()) + total(peer.size());
  const bool list = pairs < by_type / kTableCost || (gap_ >= 0 && pairs <= kTableCost * by_type);
  if (std::min(by_type, pairs) > max_cells) refuse_cells("skip-bigrams", std::min(by_type, pairs), max_cells);
  const bool by_list = (list && pairs <= max_cells) || by_type > max_cells;
  const std::uint64_t hits = by_list ? count_listed(peer) : count_by_first_type(peer);
  for (Id id : peer) {
    if (id != kNone) in_peer_[id] = 0;
  }
  return hits;
}

std::uint64_t SkipBigrams::count_listed(Ids peer) {
  const std::uint64_t model_total = total(model_.size());
  const std::uint64_t passes = model_total / kPairsPerPass + 1;
  std::uint64_t hits = 0;
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    const auto mine = [&](std::uint64_t key) { return passes == 1 || pass_of(key, passes) == pass; };
    if (!listed_) {
      table_.reset(passes == 1 ? model_total : 2 * kPairsPerPass);
      each_pair(model_, [&](std::uint64_t key) {
        if (mine(key)) table_.add(key);
      });
      listed_ = passes == 1;
    }
    touched_.clear();
    each_pair(peer, [&](std::uint64_t key) {
      if (!mine(key)) return;
      const Id slot = table_.find(key);
      if (slot == kNone) return;
      touched_.push_back(slot);
      hits += table_.use(slot);
    });
    for (Id slot : touched_) table_.restore(slot);
  }
  return hits;
}

// Σ over pairs (a, b) of types of min(count in model, count in peer), one first type a at a time: time is shared
// types × tokens, memory is linear.
std::uint64_t SkipBigrams::count_by_first_type(Ids peer) {
  // Without a limit on the gap, tokens that only one side has can be left out first.
  const bool unlimited = reach(model_.size()) == model_.size() && reach(peer.size()) == peer.size();
  const auto keep = [&](Ids text, std::vector<Id>& out) {
    out.clear();
    for (Id id : text) {
      const bool shared = id != kNone && in_peer_[id];
      if (shared || !unlimited) out.push_back(shared ? id : kNone);
    }
  };
  keep(model_, model_shared_);
  keep(peer, peer_shared_);
  model_pairs_.assign(in_peer_.size(), 0);
  peer_pairs_.assign(in_peer_.size(), 0);

  std::uint64_t hits = 0;
  for (Id first = 0; first < in_peer_.size(); ++first) {
    if (!in_peer_[first]) continue;
    count_followers(model_shared_, first, reach(model_.size()), model_pairs_);
    count_followers(peer_shared_, first, reach(peer.size()), peer_pairs_);
    for (Id second : model_shared_) {
      if (second == kNone) continue;
      hits += std::min(model_pairs_[second], peer_pairs_[second]);
      model_pairs_[second] = peer_pairs_[second] = 0;
    }
    for (Id second : peer_shared_) {
      if (second != kNone) peer_pairs_[second] = 0;
    }
  }
  return hits;
}

}  // namespace pyramidion
