#include "matches.hpp"

#include <algorithm>
#include <unordered_map>

#include "cells.hpp"

namespace pyramidion {
namespace {

// Numbers the tokens of `model` 0, 1, … and gives both texts in these numbers, kNone for what the model lacks.
struct LocalPair {
  std::vector<Id> peer, model;
  std::size_t types = 0;

  LocalPair(Ids peer_tokens, Ids model_tokens) {
    std::unordered_map<Id, Id> local;
    for (const Id id : model_tokens) {
      model.push_back(local.try_emplace(id, static_cast<Id>(local.size())).first->second);
    }
    for (const Id id : peer_tokens) {
      const auto found = local.find(id);
      peer.push_back(found == local.end() ? kNone : found->second);
    }
    types = local.size();
  }

  std::vector<std::uint32_t> counts(Ids text) const {
    std::vector<std::uint32_t> out(types, 0);
    for (const Id id : text) {
      if (id != kNone) ++out[id];
    }
    return out;
  }
};

void mark_unigrams(const LocalPair& pair, Ids model, Ids peer, std::vector<std::uint8_t>& marks) {
  std::vector<std::uint32_t> left = pair.counts(model);
  for (std::size_t i = 0; i < peer.size(); ++i) {
    if (peer[i] != kNone && left[peer[i]] > 0) {
      --left[peer[i]];
      marks[i] = 1;
    }
  }
}

// The n-grams of one side that count against the other.
void mark_grams(Ids peer, Ids model, std::size_t n, std::vector<std::uint8_t>& marks) {
  const LocalPair pair(peer, model);
  if (n == 1) return mark_unigrams(pair, pair.model, pair.peer, marks);
  NGrams grams(n);
  grams.index(pair.model);
  std::vector<std::uint64_t> hits;
  grams.count(pair.peer, hits, [&](std::size_t size, std::size_t start) {
    if (size == n) std::fill_n(marks.begin() + static_cast<std::ptrdiff_t>(start), n, 1);
  });
}

void mark_skips(Ids peer, Ids model, const Kind& kind, const Task& task, std::vector<std::uint8_t>& marks) {
  const LocalPair pair(peer, model);
  const SkipBigrams pairs(static_cast<std::int64_t>(kind.parameter));
  const std::uint64_t cells = pairs.total(model.size()) + pairs.total(peer.size());
  if (cells > task.max_cells) refuse_cells("the list of skip-bigrams", cells, task.max_cells);
  const auto each_pair = [&](Ids text, auto visit) {
    const std::size_t reach = kind.parameter < 0 ? text.size() : static_cast<std::size_t>(kind.parameter) + 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (std::size_t j = i + 1; j < text.size() && j - i <= reach; ++j) {
        if (text[i] != kNone && text[j] != kNone) visit(i, j);
      }
    }
  };
  PairTable table;
  table.reset(pairs.total(model.size()));
  each_pair(pair.model, [&](std::size_t i, std::size_t j) { table.add(PairTable::key(pair.model[i], pair.model[j])); });
  each_pair(pair.peer, [&](std::size_t i, std::size_t j) {
    const Id slot = table.find(PairTable::key(pair.peer[i], pair.peer[j]));
    if (slot != kNone && table.use(slot)) marks[i] = marks[j] = 1;
  });
  if (kind.family != Family::su) return;
  const std::size_t drop = task.quirks.su_drops_last_unigram ? 1 : 0;
  const auto shorter = [&](Ids text) { return text.first(text.size() - std::min(drop, text.size())); };
  mark_unigrams(pair, shorter(pair.model), shorter(pair.peer), marks);
}

// L and W: the model tokens in the union that pass clipping, and the peer tokens that first marked them.
Marks mark_subsequence(const Document& peer, const Document& model, const Kind& kind) {
  const LocalPair pair(peer.lcs_tokens, model.lcs_tokens);
  Marks marks{std::vector<std::uint8_t>(pair.peer.size(), 0), std::vector<std::uint8_t>(pair.model.size(), 0)};
  std::vector<std::size_t> partner(pair.model.size(), pair.peer.size());
  const auto visit = [&](std::size_t i, std::size_t j) {
    if (partner[i] == pair.peer.size()) partner[i] = j;
  };
  if (kind.family == Family::w) {
    std::vector<std::uint8_t> ignored;
    WeightedLcs(kind.parameter).mark(pair.model, model.lcs_ends, pair.peer, peer.lcs_ends, ignored, visit);
  } else {
    UnionLcs lcs;
    lcs.index(pair.model, model.lcs_ends, pair.types);
    lcs.mark(pair.peer, peer.lcs_ends, visit);
  }
  const LocalPair clipping_pair(peer.tokens, model.lcs_tokens);
  const LocalPair model_pair(model.tokens, model.lcs_tokens);
  Clipping clipping;
  clipping.start(model_pair.counts(model_pair.peer), clipping_pair.counts(clipping_pair.peer));
  const auto is_marked = [&](std::size_t i) { return partner[i] != pair.peer.size(); };
  std::vector<std::size_t> run;  // tokens that passed clipping and wait for their run to be paid (see WeightedLcs::pay)
  std::size_t i = 0;
  for (const std::size_t end : model.lcs_ends) {
    run.clear();
    for (; i < end; ++i) {
      if (!is_marked(i) || !clipping.take(pair.model[i])) continue;
      run.push_back(i);
      if (kind.family == Family::w && i + 1 < end && is_marked(i + 1)) continue;
      for (const std::size_t paid : run) marks.model[paid] = marks.peer[partner[paid]] = 1;
      run.clear();
    }
  }
  return marks;
}

}  // namespace

Marks mark_matches(const Document& peer, const Document& model, const Kind& kind, const Task& task) {
  if (kind.family == Family::l || kind.family == Family::w) {
    check_subsequence_cells(peer.lcs_tokens.size(), model.lcs_tokens.size(), task.max_cells);
    return mark_subsequence(peer, model, kind);
  }
  if (kind.family == Family::flat_l) {
    check_subsequence_cells(peer.tokens.size(), model.tokens.size(), task.max_cells);
    const std::uint32_t peer_end[] = {static_cast<std::uint32_t>(peer.tokens.size())};
    const std::uint32_t model_end[] = {static_cast<std::uint32_t>(model.tokens.size())};
    return mark_subsequence({peer.tokens, peer_end, peer.tokens, peer_end},
                            {model.tokens, model_end, model.tokens, model_end}, kind);
  }
  Marks marks{std::vector<std::uint8_t>(peer.tokens.size(), 0), std::vector<std::uint8_t>(model.tokens.size(), 0)};
  if (kind.family == Family::n) {
    const auto n = static_cast<std::size_t>(kind.parameter);
    mark_grams(peer.tokens, model.tokens, n, marks.peer);
    mark_grams(model.tokens, peer.tokens, n, marks.model);
  } else {
    mark_skips(peer.tokens, model.tokens, kind, task, marks.peer);
    mark_skips(model.tokens, peer.tokens, kind, task, marks.model);
  }
  return marks;
}

}  // namespace pyramidion
