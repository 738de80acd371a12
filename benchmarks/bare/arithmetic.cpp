// How much two threads can gain on this machine at this moment: a fixed amount of arithmetic, shared by some threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int threads = std::atoi(arguments[1]);
  const auto work = [threads] {
    volatile unsigned long x = 1;
    for (int i = 0; i < 40'000'000 / threads; ++i) x = x * 3 + 1;
  };
  double best = 1e300;
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < threads; ++i) others.emplace_back(work);
      work();
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%.9f\n", best);
}
