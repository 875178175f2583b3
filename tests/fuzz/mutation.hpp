// SPDX-License-Identifier: MIT
// Strangers' files without a stranger: good ones, changed at random but the same in every run. Whatever they have
// become, the library takes them or throws InvalidInput with one line; nothing else is thrown, and nothing crashes.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "ground/rng.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::fuzz {

/// `few` in every run of the tests, times SHAPEBOOST_FUZZ where it is set (make fuzz).
inline std::int64_t rounds(std::int64_t few) {
  const char* const times = std::getenv("SHAPEBOOST_FUZZ");
  return few * (times == nullptr ? 1 : std::max(1L, std::strtol(times, nullptr, 10)));
}

/// Small files must not ask for much memory. The address sanitizer reserves more than any limit by itself.
inline void bound_memory() {
#ifndef __SANITIZE_ADDRESS__
  constexpr rlim_t kMost = rlim_t{2} << 30U;
  const rlimit limit{kMost, RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Whether `act` went well. A refusal of more than one line is a fault, and so is any other exception.
inline bool accepted(const std::function<void()>& act) {
  try {
    act();
    return true;
  } catch (const InvalidInput& refusal) {
    const std::string_view sentence = refusal.what();
    EXPECT_FALSE(sentence.empty());
    EXPECT_EQ(sentence.find('\n'), std::string_view::npos) << sentence;
    return false;
  } catch (const std::exception& fault) {
    ADD_FAILURE() << "thrown was: " << fault.what();
    return false;
  }
}

/// One of a list.
template <typename List>
auto& any_of(List& list, Rng& rng) {
  return list[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(std::size(list))))];
}

/// A few bytes changed, taken out, said twice, or put in, one of the tokens among them.
template <typename Tokens>
void mutate(std::string& text, const Tokens& tokens, Rng& rng) {
  for (std::int64_t changes = 1 + rng.below(4); changes > 0; --changes) {
    const auto size = static_cast<std::int64_t>(text.size());
    const auto place = static_cast<std::size_t>(rng.below(size + 1));
    const auto some = static_cast<std::size_t>(rng.below(rng.below(8) == 0 ? 200 : 12));
    switch (rng.below(7)) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(rng.below(256));
        break;
      case 1:
        if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << rng.below(8)));
        break;
      case 2: text.erase(place, some); break;
      case 3: text.insert(place, text.substr(place, some)); break;
      case 4: text.insert(place, any_of(tokens, rng)); break;
      case 5: text.replace(place, std::min(some, text.size() - place), any_of(tokens, rng)); break;
      default:
        if (rng.below(4) == 0) text.resize(place);
        break;
    }
  }
}

}  // namespace shapeboost::fuzz
