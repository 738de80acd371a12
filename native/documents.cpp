#include "documents.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "parallel.hpp"

namespace pyramidion {

// Stems taken lately: a call on few texts need not take them again. Bounded, and forgotten slot by slot.
class StemMemory {
 public:
  const std::string& stem(std::string_view surface, Stems stems, const WordLists& lists) {
    Entry& entry = entries_[(std::hash<std::string_view>{}(surface) ^ static_cast<std::size_t>(stems)) % kEntries];
    if (entry.lists != lists.identity() || entry.stems != stems || entry.surface != surface) {
      entry = {lists.identity(), stems, std::string(surface), stem_token(surface, stems, lists)};
    }
    return entry.form;
  }

 private:
  static constexpr std::size_t kEntries = 1 << 12;
  struct Entry {
    std::uint64_t lists = 0;
    Stems stems = Stems::none;
    std::string surface, form;
  };
  std::vector<Entry> entries_{kEntries};
};

namespace {

// Memories outlive the threads that fill them: a lexicon borrows one and gives it back, warm, to the next call.
class StemMemories {
 public:
  std::unique_ptr<StemMemory> borrow() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<StemMemory>();
    std::unique_ptr<StemMemory> memory = std::move(idle_.back());
    idle_.pop_back();
    return memory;
  }

  void give_back(std::unique_ptr<StemMemory> memory) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMost) idle_.push_back(std::move(memory));
  }

 private:
  static constexpr std::size_t kMost = 16;
  std::mutex mutex_;
  std::vector<std::unique_ptr<StemMemory>> idle_;
};

StemMemories& stem_memories() {
  static StemMemories memories;
  return memories;
}

// Where a document's numbers stand in its store, until the store stops growing.
struct Place {
  std::size_t worker = 0, tokens = 0, token_count = 0, ends = 0, end_count = 0;
};

}  // namespace

Lexicon::Lexicon(const Reading& reading, const WordLists& lists) : reading_(reading), lists_(lists) {}

Lexicon::~Lexicon() {
  if (memory_) stem_memories().give_back(std::move(memory_));
}

Id Lexicon::prepare(std::string_view surface) {
  if (reading_.stop && lists_.is_stop_word(surface)) return kStop;
  if (reading_.stems == Stems::none) return forms_.number(surface);
  if (surface.size() > 64) return forms_.number(stem_token(surface, reading_.stems, lists_));
  if (!memory_) memory_ = stem_memories().borrow();
  return forms_.number(memory_->stem(surface, reading_.stems, lists_));
}

void Documents::take(std::size_t index, std::vector<Id> tokens, std::vector<std::uint32_t> ends) {
  const Store& store = stores_.emplace_back(Store{std::move(tokens), std::move(ends)});
  documents_[index] = {store.tokens, store.ends, store.tokens, store.ends};
}

void Documents::read(const std::vector<Text>& texts, const Reading& reading, const WordLists& lists,
                     std::size_t threads) {
  constexpr std::size_t kTextsPerThread = 64;
  const std::size_t workers = std::clamp<std::size_t>(texts.size() / kTextsPerThread, 1, threads);
  const bool two_readings = reading.limit.splits_readings();
  std::vector<Place> places(texts.size()), lcs_places(two_readings ? texts.size() : 0);
  std::vector<std::unique_ptr<Lexicon>> lexicons(workers);
  stores_.resize(workers);

  Blocks blocks(texts.size(), kTextsPerThread);
  run_workers(workers, [&](std::size_t worker) {
    lexicons[worker] = std::make_unique<Lexicon>(reading, lists);
    Lexicon& lexicon = *lexicons[worker];
    Store& store = stores_[worker];
    std::string buffer;
    Sentences lines;
    const auto read_one = [&](const Sentences& sentences) {
      Place place{worker, store.tokens.size(), 0, store.ends.size(), 0};
      for (std::string_view sentence : sentences) {
        each_token(reading.tokens, sentence, buffer, [&](const Token& token) {
          const Id id = lexicon.number(token);
          if (id != kNone) store.tokens.push_back(id);
        });
        const std::size_t count = store.tokens.size() - place.tokens;
        if (count >= kNone) throw std::length_error("a text has more than 4 billion tokens");
        if (count > place.token_count) store.ends.push_back(static_cast<std::uint32_t>(count));
        place.token_count = count;
      }
      place.end_count = store.ends.size() - place.ends;
      return place;
    };
    std::size_t begin, end;
    while (blocks.next(begin, end)) {
      for (std::size_t i = begin; i < end; ++i) {
        const Sentences& sentences = sentences_of(texts[i], lines);
        places[i] = reading.limit.any() ? read_one(cut(sentences, reading.limit)) : read_one(sentences);
        if (two_readings) lcs_places[i] = read_one(cut_for_lcs(sentences, reading.limit));
      }
    }
  });

  // Each worker has numbered its own forms: bring all to the numbers of the first.
  Vocabulary& forms = lexicons[0]->forms();
  for (std::size_t worker = 1; worker < workers; ++worker) {
    const Vocabulary& others = lexicons[worker]->forms();
    std::vector<Id> common(others.size());
    for (Id id = 0; id < others.size(); ++id) common[id] = forms.number(others.form(id));
    for (Id& id : stores_[worker].tokens) id = common[id];
  }
  vocabulary_ = forms.size();
  forms_ = std::move(forms);

  const auto tokens = [&](const Place& p) { return Ids(stores_[p.worker].tokens).subspan(p.tokens, p.token_count); };
  const auto ends = [&](const Place& p) { return Ends(stores_[p.worker].ends).subspan(p.ends, p.end_count); };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Place& lcs = two_readings ? lcs_places[i] : places[i];
    documents_[i] = {tokens(places[i]), ends(places[i]), tokens(lcs), ends(lcs)};
  }
}

}  // namespace pyramidion
