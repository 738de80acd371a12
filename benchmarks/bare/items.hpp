// What both programs here share: items read from a file, results written to one, and the best time of some rounds.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Item {
  std::string_view prediction;
  std::vector<std::string_view> targets;
};

inline std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The file: for each item the number of its texts, then each text as its length and its bytes; the prediction is
// first. Numbers are 32 bits, little-endian.
inline std::vector<Item> parse_items(std::string_view bytes) {
  const auto number = [&] {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes.at(i))} << (8 * i);
    bytes.remove_prefix(4);
    return value;
  };
  const auto text = [&] {
    const std::uint32_t size = number();
    const std::string_view found = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return found;
  };
  std::vector<Item> items;
  while (!bytes.empty()) {
    const std::uint32_t texts = number();
    items.push_back({text(), {}});
    for (std::uint32_t i = 1; i < texts; ++i) items.back().targets.push_back(text());
  }
  return items;
}

// Runs the work some times on one thread; prints the least processor time and the least wall time, in seconds.
template <class Work>
std::vector<double> time_rounds(int rounds, Work&& work) {
  std::vector<double> result;
  double cpu = 1e300, wall = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    result = work();
    cpu = std::min(cpu, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%.9f %.9f\n", cpu, wall);
  return result;
}

inline void write_result(const char* path, const std::vector<double>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}
