// Summaries against their inputs, without models: divergences, cosines, topic words and likelihoods (Louis and Nenkova).
// An input is counted once for all its summaries.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "background.hpp"
#include "documents.hpp"

namespace pyramidion {

struct FreeSettings {
  double smoothing = 0.0005;  // added to every count
  double log_unit = 1;        // natural logarithm of the base in which divergences are given
  double cutoff = 10.83;      // a word whose −2 log λ (natural) is above it is a topic word …
  bool over_only = true;      // … if it is more frequent in the input than in the background
  const Background* background = nullptr;  // without one, what needs it is NaN
  bool smooth_unseen = false;  // whether likelihoods smooth words that the input lacks, or skip them
};

// The columns of a summary under one setting, in the order in which SIMetrix prints them.
enum FreeFeature : std::size_t {
  kKlInputSummary,
  kKlSummaryInput,
  kJs,
  kJsSmoothed,
  kCosine,
  kTopicShare,
  kTopicCoverage,
  kTopicCosine,
  kUnigram,
  kMultinomial,
  kFreeFeatures
};

struct FreeTask {
  std::vector<std::vector<std::size_t>> inputs;  // each input: its documents
  struct Summary {
    std::size_t text, input;
  };
  std::vector<Summary> summaries;
  std::vector<FreeSettings> settings;
  bool pairs = false;  // count neighbouring pairs of words instead of words; none crosses the end of a text
};

struct FreeResults {
  double* features;  // summaries × settings × kFreeFeatures
  double* words;     // summaries × (words, words that the input does not have)
  double* inputs;    // inputs × (words, distinct words, topic words under each setting)
};

void score_inputs(const Documents& documents, const FreeTask& task, std::size_t threads, const FreeResults& results);

// A word of an input beside its background.
struct Contrast {
  std::string form;
  double count, background, statistic;  // −2 log λ in natural logarithms
  bool over;
};

// All distinct words of an input, in order of appearance.
std::vector<Contrast> contrast(const Documents& documents, const Background& background, bool pairs);

}  // namespace pyramidion
