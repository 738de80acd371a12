#include "background.hpp"

#include <algorithm>
#include <cmath>

namespace pyramidion {
namespace {

// k ln(k / expected), one cell of the table of a likelihood ratio.
double cell(double observed, double expected) {
  return observed > 0 ? observed * std::log(observed / expected) : 0;
}

}  // namespace

Background::Background(std::string_view forms, const double* counts, const double* weights, std::size_t size,
                       double total, double unseen)
    : total_(total), unseen_(unseen) {
  words_.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = std::min(forms.find('\n'), forms.size());
    const std::string_view form = forms.substr(0, end);
    words_.emplace(form, Word{counts[i], weights[i]});
    has_pairs_ = has_pairs_ || form.find(' ') != form.npos;
    forms.remove_prefix(std::min(end + 1, forms.size()));
  }
}

double likelihood_ratio(double k1, double n1, double k2, double n2) {
  const double p = (k1 + k2) / (n1 + n2);
  return 2 * (cell(k1, n1 * p) + cell(n1 - k1, n1 * (1 - p)) + cell(k2, n2 * p) + cell(n2 - k2, n2 * (1 - p)));
}

}  // namespace pyramidion
