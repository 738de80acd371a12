// Basic Elements as ROUGE-1.5.5 compares them (option -3).
#pragma once

#include <string>
#include <string_view>

#include "stem.hpp"

namespace pyramidion {

enum class BeMode { h, hm, hmr, hm1, hmr1, hmr2 };

// A head with its modifier and their relation, lower-cased and, if asked for, stemmed. The relation never is.
class BasicElement {
 public:
  BasicElement(std::string_view head, std::string_view modifier, std::string_view relation, bool stem,
               const WordLists& lists);

  // Writes what is compared under a mode; false when the element does not count under it.
  bool write_key(BeMode mode, std::string& key) const;

 private:
  std::string head_, modifier_, relation_;
  bool has_modifier_;  // before stemming
};

}  // namespace pyramidion
