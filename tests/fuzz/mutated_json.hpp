// SPDX-License-Identifier: MIT
// JSON documents, changed at random but the same in every run.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/mutation.hpp"

namespace shapeboost::fuzz {

using Json = nlohmann::ordered_json;

inline const std::vector<Json>& hostile_values() {
  static const std::vector<Json> kValues{0,
                                         1,
                                         2,
                                         -1,
                                         -2,
                                         7,
                                         1000,
                                         16777216,
                                         2147483647,
                                         2147483648,
                                         9007199254740992,
                                         9223372036854775807,
                                         18446744073709551615U,
                                         0.5,
                                         -0.5,
                                         1e-300,
                                         5e-324,
                                         1e100,
                                         -1e100,
                                         1e250,
                                         -1e250,
                                         1.7e308,
                                         nullptr,
                                         true,
                                         false,
                                         "",
                                         "x",
                                         "none",
                                         "spectrum",
                                         "differences",
                                         "z",
                                         "raw",
                                         "linear",
                                         "gaussian",
                                         "polynomial",
                                         "dtw",
                                         "gak",
                                         "ovo",
                                         "ovr",
                                         Json::array(),
                                         Json::object(),
                                         Json::array({0}),
                                         Json::array({1e250, -1e250})};
  return kValues;
}

/// A place in the document, each as likely as another at its depth.
inline Json& any_place(Json& json, Rng& rng) {
  Json* place = &json;
  while (place->is_structured() && !place->empty()) {
    auto member = place->begin();
    std::advance(member, rng.below(static_cast<std::int64_t>(place->size())));
    place = &*member;
    if (rng.below(12) == 0) break;
  }
  return *place;
}

/// A few fields taken from other values or other fields, moved by powers of ten or by one, cut short.
inline void mutate_json(Json& json, Rng& rng) {
  for (std::int64_t changes = 1 + rng.below(3); changes > 0; --changes) {
    Json& place = any_place(json, rng);
    switch (rng.below(6)) {
      case 0:
      case 1: place = any_of(hostile_values(), rng); break;
      case 2:
        if (place.is_number())
          place = place.get<double>() * std::pow(10.0, static_cast<double>(rng.below(400) - 200));
        break;
      case 3:
        if (place.is_number_integer())  // beyond the largest comes the smallest
          place = static_cast<std::int64_t>(place.get<std::uint64_t>() +
                                            static_cast<std::uint64_t>(rng.below(5) - 2));
        break;
      case 4:
        if (place.is_array() && !place.empty()) place.erase(place.size() - 1);
        break;
      default: {
        const Json other = any_place(json, rng);
        any_place(json, rng) = other;
      }
    }
  }
}

}  // namespace shapeboost::fuzz
