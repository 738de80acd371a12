#include "model_free.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <unordered_map>

#include "numbering.hpp"
#include "parallel.hpp"

namespace pyramidion {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Base-10 logarithms of factorials, as far as they were asked for.
class Factorials {
 public:
  double log10(std::size_t n) {
    while (logs_.size() <= n) {
      ln_ += std::log(static_cast<double>(logs_.size()));
      logs_.push_back(ln_ / std::numbers::ln10);
    }
    return logs_[n];
  }

 private:
  double ln_ = 0;
  std::vector<double> logs_{0};
};

// ln(n + offset) of small whole numbers, as far as they were asked for.
class Logarithms {
 public:
  explicit Logarithms(double offset = 0) : offset_(offset) {}
  double operator()(std::size_t n) {
    while (logs_.size() <= n) logs_.push_back(std::log(static_cast<double>(logs_.size()) + offset_));
    return logs_[n];
  }

 private:
  double offset_;
  std::vector<double> logs_;
};

// What each background says of each word of a call; pairs are looked up when they are met.
class Lookup {
 public:
  Lookup(const Documents& documents, const std::vector<FreeSettings>& settings, bool pairs)
      : documents_(documents), pairs_(pairs) {
    for (const FreeSettings& one : settings) {
      if (!one.background || index_.contains(one.background)) continue;
      index_.emplace(one.background, backgrounds_.size());
      backgrounds_.push_back(one.background);
      if (!pairs) words_.push_back(all_words(*one.background));
    }
  }

  std::size_t size() const { return backgrounds_.size(); }
  std::size_t index(const Background* background) const { return index_.at(background); }
  const Background& background(std::size_t which) const { return *backgrounds_[which]; }

  Background::Word word(std::size_t which, std::uint64_t key) const {
    if (!pairs_) return words_[which][key];
    const Background& background = *backgrounds_[which];
    if (!background.has_pairs()) return background[""];
    return background[form(key)];
  }

  std::string form(std::uint64_t key) const {
    const Vocabulary& forms = documents_.forms();
    if (!pairs_) return std::string(forms.form(static_cast<Id>(key)));
    std::string text(forms.form(static_cast<Id>(key >> 32)));
    return text.append(" ").append(forms.form(static_cast<Id>(key)));
  }

 private:
  std::vector<Background::Word> all_words(const Background& background) const {
    std::vector<Background::Word> words;
    words.reserve(documents_.forms().size());
    for (Id id = 0; id < documents_.forms().size(); ++id) words.push_back(background[documents_.forms().form(id)]);
    return words;
  }

  const Documents& documents_;
  bool pairs_;
  std::map<const Background*, std::size_t> index_;
  std::vector<const Background*> backgrounds_;
  std::vector<std::vector<Background::Word>> words_;
};

// Words of the input that occur equally often.
struct CountClass {
  double count = 0;
  std::size_t types = 0;
};

// One input on its way past all its summaries.
class InputScorer {
 public:
  InputScorer(const Documents& documents, const FreeTask& task, const Lookup& lookup)
      : documents_(documents), task_(task), lookup_(lookup), numbering_(documents.vocabulary(), task.pairs) {
    weights_.resize(lookup.size());
    totals_.resize(task.settings.size());
    for (const FreeSettings& one : task.settings) smoothed_logs_.emplace_back(one.smoothing);
  }

  void set_input(const std::vector<std::size_t>& texts) {
    numbering_.clear();
    counts_.clear();
    for (auto& weights : weights_) weights.clear();
    size_ = 0;
    for (const std::size_t text : texts) {
      numbering_.each(documents_[text].tokens, [&](Id local) {
        if (local >= counts_.size()) counts_.push_back(0);
        ++counts_[local];
        ++size_;
      });
    }
    types_ = counts_.size();
    sort_into_classes();
    weigh();
    for (std::size_t i = 0; i < task_.settings.size(); ++i) prepare(task_.settings[i], totals_[i]);
  }

  void describe(double* out) const {
    *out++ = static_cast<double>(size_);
    *out++ = static_cast<double>(types_);
    for (const Totals& totals : totals_) *out++ = static_cast<double>(totals.topic_types);
  }

  void score(Ids summary, double* features, double* words) {
    read(summary);
    words[0] = static_cast<double>(summary_size_);
    words[1] = static_cast<double>(skipped_);
    for (std::size_t i = 0; i < task_.settings.size(); ++i, features += kFreeFeatures) {
      if (size_ == 0) {
        std::fill(features, features + kFreeFeatures, kNan);
        continue;
      }
      divergences(task_.settings[i], totals_[i], smoothed_logs_[i], features);
      weighted(task_.settings[i], totals_[i], features);
      const double unigram = task_.settings[i].smooth_unseen ? smoothed_unigram(task_.settings[i], totals_[i]) : unigram_;
      features[kUnigram] = unigram;
      features[kMultinomial] = combinations_ + unigram;
    }
    forget();
  }

 private:
  struct Totals {
    std::vector<double> class_logs;  // ln of the smoothed probability, by class of counts
    double norm = 0, topic_norm = 0;
    std::size_t topic_types = 0;
    std::vector<std::uint8_t> is_topic;
  };

  void sort_into_classes() {
    std::vector<std::uint64_t> order(counts_.begin(), counts_.end());
    std::sort(order.begin(), order.end());
    classes_.clear();
    std::unordered_map<std::uint64_t, std::uint32_t> number;
    for (const std::uint64_t count : order) {
      const auto [place, fresh] = number.try_emplace(count, static_cast<std::uint32_t>(classes_.size()));
      if (fresh) classes_.push_back({static_cast<double>(count), 0});
      ++classes_[place->second].types;
    }
    class_of_.resize(types_);
    for (std::size_t local = 0; local < types_; ++local) class_of_[local] = number.at(counts_[local]);
    used_.assign(classes_.size(), 0);
    log_probabilities_.clear();
    for (const CountClass& one : classes_) log_probabilities_.push_back(std::log(one.count / size()));
  }

  // The weights of words that have been numbered since the last call.
  void weigh() {
    for (std::size_t which = 0; which < weights_.size(); ++which) {
      for (std::size_t local = weights_[which].size(); local < numbering_.size(); ++local) {
        weights_[which].push_back(lookup_.word(which, numbering_.key(static_cast<Id>(local))));
      }
    }
  }

  void prepare(const FreeSettings& settings, Totals& totals) {
    const double denominator = std::log(size() + settings.smoothing * vocabulary());
    totals.class_logs.clear();
    for (const CountClass& one : classes_) {
      totals.class_logs.push_back(std::log(one.count + settings.smoothing) - denominator);
    }
    if (!settings.background) return;
    totals.is_topic.assign(types_, 0);
    totals.norm = totals.topic_norm = 0;
    totals.topic_types = 0;
    const double total = settings.background->total();
    const auto& weights = weights_[lookup_.index(settings.background)];
    for (std::size_t local = 0; local < types_; ++local) {
      const auto count = static_cast<double>(counts_[local]);
      const double entry = count * weights[local].weight;
      totals.norm += entry * entry;
      const bool over = count * total > weights[local].count * size();
      if (settings.over_only && !over) continue;
      if (likelihood_ratio(count, size(), weights[local].count, total) <= settings.cutoff) continue;
      totals.is_topic[local] = 1;
      totals.topic_norm += entry * entry;
      ++totals.topic_types;
    }
  }

  void read(Ids summary) {
    summary_size_ = skipped_ = 0;
    numbering_.each(summary, [&](Id local) {
      if (local >= summary_counts_.size()) summary_counts_.resize(2 * (std::size_t{local} + 1));
      if (summary_counts_[local]++ == 0) touched_.push_back(local);
      ++summary_size_;
    });
    weigh();
    unigram_ = 0;
    combinations_ = factorials_.log10(summary_size_);
    for (const Id local : touched_) {
      const std::uint32_t count = summary_counts_[local];
      combinations_ -= factorials_.log10(count);
      if (local >= types_) {
        skipped_ += count;
      } else {
        unigram_ += count * log_probabilities_[class_of_[local]];
        ++used_[class_of_[local]];
      }
    }
    unigram_ /= std::numbers::ln10;
  }

  // The likelihood of all words of the summary, those that the input lacks among them, under the smoothed input.
  double smoothed_unigram(const FreeSettings& settings, const Totals& totals) const {
    const double log_unseen = std::log(settings.smoothing) - std::log(size() + settings.smoothing * vocabulary());
    double sum = 0;
    for (const Id local : touched_) {
      sum += summary_counts_[local] * (local >= types_ ? log_unseen : totals.class_logs[class_of_[local]]);
    }
    return sum / std::numbers::ln10;
  }

  void forget() {
    for (const Id local : touched_) summary_counts_[local] = 0;
    touched_.clear();
    std::fill(used_.begin(), used_.end(), 0);
  }

  // Kullback-Leibler and Jensen-Shannon divergences over all words of either text. Words that only the input has
  // differ in nothing but their count, and are taken class by class.
  void divergences(const FreeSettings& settings, const Totals& totals, Logarithms& smoothed_logs, double* out) {
    const double delta = settings.smoothing;
    const double input_total = size() + delta * vocabulary();
    const double summary_total = static_cast<double>(summary_size_) + delta * vocabulary();
    const double log_input_total = std::log(input_total), log_summary_total = std::log(summary_total);
    const double log_delta = smoothed_logs(0);
    const double log_summary_size = std::log(static_cast<double>(summary_size_));
    double input_summary = 0, summary_input = 0, smoothed = 0, raw = 0;
    const auto add_smoothed = [&](double times, double p, double log_p, double q, double log_q) {
      input_summary += times * p * (log_p - log_q);
      summary_input += times * q * (log_q - log_p);
      const double log_middle = std::log((p + q) / 2);
      smoothed += times * (p * (log_p - log_middle) + q * (log_q - log_middle));
    };
    for (const Id local : touched_) {
      const auto count = static_cast<double>(summary_counts_[local]);
      const double q = (count + delta) / summary_total;
      const double log_q = smoothed_logs(summary_counts_[local]) - log_summary_total;
      const double raw_q = count / static_cast<double>(summary_size_);
      if (local >= types_) {
        add_smoothed(1, delta / input_total, log_delta - log_input_total, q, log_q);
        raw += raw_q * std::numbers::ln2;
        continue;
      }
      const std::uint32_t which = class_of_[local];
      add_smoothed(1, (classes_[which].count + delta) / input_total, totals.class_logs[which], q, log_q);
      const double raw_p = classes_[which].count / size();
      const double log_middle = std::log((raw_p + raw_q) / 2);
      const double raw_log_q = logs_(summary_counts_[local]) - log_summary_size;
      raw += raw_p * (log_probabilities_[which] - log_middle) + raw_q * (raw_log_q - log_middle);
    }
    const double q = delta / summary_total, log_q = log_delta - log_summary_total;
    for (std::size_t which = 0; which < classes_.size(); ++which) {
      const auto left = static_cast<double>(classes_[which].types - used_[which]);
      if (left == 0) continue;
      add_smoothed(left, (classes_[which].count + delta) / input_total, totals.class_logs[which], q, log_q);
      raw += left * classes_[which].count / size() * std::numbers::ln2;
    }
    out[kKlInputSummary] = input_summary / settings.log_unit;
    out[kKlSummaryInput] = summary_input / settings.log_unit;
    // Equal distributions have 0, of which rounding may leave less.
    out[kJs] = std::max(raw, 0.0) / 2 / settings.log_unit;
    out[kJsSmoothed] = std::max(smoothed, 0.0) / 2 / settings.log_unit;
  }

  void weighted(const FreeSettings& settings, const Totals& totals, double* out) const {
    if (!settings.background) {
      for (const FreeFeature feature : {kCosine, kTopicShare, kTopicCoverage, kTopicCosine}) out[feature] = kNan;
      return;
    }
    const auto& weights = weights_[lookup_.index(settings.background)];
    double dot = 0, topic_dot = 0, norm = 0;
    std::size_t topic_tokens = 0, topic_types = 0;
    for (const Id local : touched_) {
      const double entry = summary_counts_[local] * weights[local].weight;
      norm += entry * entry;
      if (local >= types_) continue;
      const double product = entry * static_cast<double>(counts_[local]) * weights[local].weight;
      dot += product;
      if (!totals.is_topic[local]) continue;
      topic_dot += product;
      topic_tokens += summary_counts_[local];
      ++topic_types;
    }
    out[kCosine] = cosine(dot, totals.norm, norm);
    out[kTopicCosine] = totals.topic_types == 0 ? kNan : cosine(topic_dot, totals.topic_norm, norm);
    out[kTopicShare] = summary_size_ == 0 ? 0 : static_cast<double>(topic_tokens) / static_cast<double>(summary_size_);
    out[kTopicCoverage] =
        totals.topic_types == 0 ? kNan : static_cast<double>(topic_types) / static_cast<double>(totals.topic_types);
  }

  // As SIMetrix, 0 for a summary without any weight; without a weight in the input there is nothing to compare with.
  static double cosine(double dot, double input_norm, double summary_norm) {
    if (input_norm == 0) return kNan;
    return summary_norm == 0 ? 0 : dot / (std::sqrt(input_norm) * std::sqrt(summary_norm));
  }

  double size() const { return static_cast<double>(size_); }
  // Probability mass is put aside for half as many words again as the input has.
  double vocabulary() const { return 1.5 * static_cast<double>(types_); }

  const Documents& documents_;
  const FreeTask& task_;
  const Lookup& lookup_;
  Numbering numbering_;
  Factorials factorials_;
  Logarithms logs_;
  std::vector<Logarithms> smoothed_logs_;  // by setting

  std::size_t size_ = 0, types_ = 0;
  std::vector<std::uint64_t> counts_;  // by number
  std::vector<CountClass> classes_;
  std::vector<std::uint32_t> class_of_;
  std::vector<double> log_probabilities_;                 // by class
  std::vector<std::vector<Background::Word>> weights_;    // by background and number
  std::vector<Totals> totals_;                            // by setting

  std::size_t summary_size_ = 0, skipped_ = 0;
  double unigram_ = 0, combinations_ = 0;  // base-10 logarithms: of the words, and of the ways to order them
  std::vector<std::uint32_t> summary_counts_;  // by number
  std::vector<Id> touched_;
  std::vector<std::size_t> used_;  // by class: words that the summary has
};

}  // namespace

void score_inputs(const Documents& documents, const FreeTask& task, std::size_t threads, const FreeResults& results) {
  const Lookup lookup(documents, task.settings, task.pairs);
  std::vector<std::vector<std::size_t>> by_input(task.inputs.size());
  for (std::size_t i = 0; i < task.summaries.size(); ++i) by_input[task.summaries[i].input].push_back(i);
  const std::size_t workers = std::clamp<std::size_t>(task.inputs.size(), 1, std::max<std::size_t>(threads, 1));
  Blocks blocks(task.inputs.size(), 1);
  run_workers(workers, [&](std::size_t) {
    InputScorer scorer(documents, task, lookup);
    std::size_t input, end;
    while (blocks.next(input, end)) {
      scorer.set_input(task.inputs[input]);
      scorer.describe(results.inputs + input * (2 + task.settings.size()));
      for (const std::size_t i : by_input[input]) {
        scorer.score(documents[task.summaries[i].text].tokens,
                     results.features + i * task.settings.size() * kFreeFeatures, results.words + 2 * i);
      }
    }
  });
}

std::vector<Contrast> contrast(const Documents& documents, const Background& background, bool pairs) {
  const Lookup lookup(documents, {FreeSettings{.background = &background}}, pairs);
  Numbering numbering(documents.vocabulary(), pairs);
  std::vector<double> counts;
  double size = 0;
  for (std::size_t text = 0; text < documents.size(); ++text) {
    numbering.each(documents[text].tokens, [&](Id local) {
      if (local >= counts.size()) counts.push_back(0);
      ++counts[local];
      ++size;
    });
  }
  std::vector<Contrast> found;
  found.reserve(counts.size());
  for (std::size_t local = 0; local < counts.size(); ++local) {
    const std::uint64_t key = numbering.key(static_cast<Id>(local));
    const double before = lookup.word(0, key).count;
    const double statistic = likelihood_ratio(counts[local], size, before, background.total());
    const bool over = counts[local] * background.total() > before * size;
    found.push_back({lookup.form(key), counts[local], before, statistic, over});
  }
  return found;
}

}  // namespace pyramidion
