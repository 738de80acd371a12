// Work shared among threads; the first exception comes back to the caller.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pyramidion {

// Calls work(worker) once for each worker, the last one in the calling thread.
template <class Work>
void run_workers(std::size_t workers, Work work) {
  std::exception_ptr failure;
  std::mutex mutex;
  const auto guarded = [&](std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker + 1 < workers; ++worker) threads.emplace_back(guarded, worker);
    guarded(workers - 1);
  }
  if (failure) std::rethrow_exception(failure);
}

// Hands out the blocks of 0 … size-1 until none is left.
class Blocks {
 public:
  Blocks(std::size_t size, std::size_t block) : size_(size), block_(block) {}

  bool next(std::size_t& begin, std::size_t& end) {
    begin = next_.fetch_add(block_, std::memory_order_relaxed);
    end = begin + block_ < size_ ? begin + block_ : size_;
    return begin < size_;
  }

 private:
  std::size_t size_, block_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace pyramidion
