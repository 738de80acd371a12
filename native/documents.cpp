#include "documents.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "parallel.hpp"

namespace pyramidion {
namespace {

// Readers outlive the calls that fill them: a call borrows one and gives it back, warm, to the next.
class Readers {
 public:
  std::unique_ptr<Reader> borrow(const Reading& reading, const WordLists& lists) {
    {
      const std::lock_guard lock(mutex_);
      for (auto one = idle_.rbegin(); one != idle_.rend(); ++one) {
        if (!(*one)->lexicon.adopt(reading, lists)) continue;
        std::unique_ptr<Reader> found = std::move(*one);
        idle_.erase(std::next(one).base());
        return found;
      }
    }
    return std::make_unique<Reader>(reading, lists);
  }

  // Those that have grown large, and those that were idle longest, are forgotten.
  void give_back(std::unique_ptr<Reader> reader) {
    if (reader->lexicon.size() > kMostWords) return;
    if (reader->store.tokens.capacity() > kMostTokens || reader->store.ends.capacity() > kMostTokens) reader->store = {};
    if (reader->buffer.capacity() > kMostBytes) reader->buffer = {};
    if (reader->lines.capacity() > kMostTokens) reader->lines = {};
    reader->store.tokens.clear();
    reader->store.ends.clear();
    std::unique_ptr<Reader> forgotten;
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= kMostIdle) {
      forgotten = std::move(idle_.front());
      idle_.erase(idle_.begin());
    }
    idle_.push_back(std::move(reader));
  }

 private:
  static constexpr std::size_t kMostIdle = 16, kMostWords = 1 << 15, kMostTokens = 1 << 20, kMostBytes = 1 << 22;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> idle_;
};

Readers& readers() {
  static Readers all;
  return all;
}

// Where a document's numbers stand in its store, until the store stops growing.
struct Place {
  std::size_t worker = 0, tokens = 0, token_count = 0, ends = 0, end_count = 0;
};

// Numbers of one text, appended to a store sentence by sentence.
class Appending {
 public:
  Appending(std::size_t worker, Reader& reader)
      : reader_(reader), place_{worker, reader.store.tokens.size(), 0, reader.store.ends.size(), 0} {}

  void add(const Token& token) {
    const Id id = reader_.lexicon.number(token);
    if (id != kNone) reader_.store.tokens.push_back(id);
  }

  void end_sentence() {
    const std::size_t count = reader_.store.tokens.size() - place_.tokens;
    if (count >= kNone) throw std::length_error("a text has more than 4 billion tokens");
    if (count > place_.token_count) reader_.store.ends.push_back(static_cast<std::uint32_t>(count));
    place_.token_count = count;
  }

  Place place() {
    place_.end_count = reader_.store.ends.size() - place_.ends;
    return place_;
  }

 private:
  Reader& reader_;
  Place place_;
};

Place read_sentences(const Sentences& sentences, Tokens tokens, std::size_t worker, Reader& reader) {
  Appending text(worker, reader);
  for (const std::string_view sentence : sentences) {
    each_token(tokens, sentence, reader.buffer, [&](const Token& token) { text.add(token); });
    text.end_sentence();
  }
  return text.place();
}

// A whole text, lowered at once; a line break between two tokens ends the sentence.
Place read_lines(std::string_view whole, std::size_t worker, Reader& reader) {
  Appending text(worker, reader);
  std::size_t line_end = std::min(whole.find('\n'), whole.size());
  detail::each_run(reader.buffer, whole.size(), [&](const Token& token) {
    while (line_end < token.begin) {
      text.end_sentence();
      line_end = std::min(whole.find('\n', line_end + 1), whole.size());
    }
    text.add(token);
  });
  text.end_sentence();
  return text.place();
}

}  // namespace

bool Lexicon::adopt(const Reading& reading, const WordLists& lists) {
  if (stems_ != reading.stems || stop_ != reading.stop || identity_ != lists.identity()) return false;
  lists_ = &lists;
  return true;
}

Id Lexicon::prepare(std::string_view surface) {
  if (stop_ && lists_->is_stop_word(surface)) return kStop;
  if (stems_ == Stems::none) return forms_.number(surface);
  return forms_.number(stem_token(surface, stems_, *lists_));
}

Documents::~Documents() {
  if (words_ == Words::of_this_call) return;
  for (auto& reader : readers_) {
    if (reader) readers().give_back(std::move(reader));
  }
}

void Documents::take(std::size_t index, std::vector<Id> tokens, std::vector<std::uint32_t> ends) {
  const TokenStore& store = taken_.emplace_back(TokenStore{std::move(tokens), std::move(ends)});
  documents_[index] = {store.tokens, store.ends, store.tokens, store.ends};
}

void Documents::read(const std::vector<Text>& texts, const Reading& reading, const WordLists& lists,
                     std::size_t threads, Words words) {
  constexpr std::size_t kTextsPerThread = 64;
  const std::size_t workers = std::clamp<std::size_t>(texts.size() / kTextsPerThread, 1, threads);
  const bool two_readings = reading.limit.splits_readings();
  std::vector<Place> places(texts.size()), lcs_places(two_readings ? texts.size() : 0);
  words_ = words;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    readers_.push_back(words == Words::remembered ? readers().borrow(reading, lists)
                                                  : std::make_unique<Reader>(reading, lists));
  }

  Blocks blocks(texts.size(), kTextsPerThread);
  run_workers(workers, [&](std::size_t worker) {
    Reader& reader = *readers_[worker];
    std::size_t begin, end;
    while (blocks.next(begin, end)) {
      for (std::size_t i = begin; i < end; ++i) {
        if (texts[i].is_whole && !reading.limit.any() && lower_whole(reading.tokens, texts[i].whole, reader.buffer)) {
          places[i] = read_lines(texts[i].whole, worker, reader);
          continue;
        }
        const Sentences& sentences = sentences_of(texts[i], reader.lines);
        places[i] = reading.limit.any() ? read_sentences(cut(sentences, reading.limit), reading.tokens, worker, reader)
                                        : read_sentences(sentences, reading.tokens, worker, reader);
        if (two_readings) {
          lcs_places[i] = read_sentences(cut_for_lcs(sentences, reading.limit), reading.tokens, worker, reader);
        }
      }
    }
  });

  // Each worker has numbered its own forms: bring all to the numbers of the first.
  Vocabulary& forms = readers_[0]->lexicon.forms();
  for (std::size_t worker = 1; worker < workers; ++worker) {
    const Vocabulary& others = readers_[worker]->lexicon.forms();
    std::vector<Id> common(others.size(), kNone);
    for (Id& id : readers_[worker]->store.tokens) {
      if (common[id] == kNone) common[id] = forms.number(others.form(id));
      id = common[id];
    }
  }
  vocabulary_ = forms.size();

  const auto tokens = [&](const Place& p) {
    return Ids(readers_[p.worker]->store.tokens).subspan(p.tokens, p.token_count);
  };
  const auto ends = [&](const Place& p) { return Ends(readers_[p.worker]->store.ends).subspan(p.ends, p.end_count); };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Place& lcs = two_readings ? lcs_places[i] : places[i];
    documents_[i] = {tokens(places[i]), ends(places[i]), tokens(lcs), ends(lcs)};
  }
}

}  // namespace pyramidion
