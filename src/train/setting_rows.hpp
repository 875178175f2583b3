// SPDX-License-Identifier: MIT
// Kinds of rows of the table of settings. A row is a name, a sentence of help, and the field of TrainSettings
// that it sets, named by the members that lead to it: number_row<&S::boosting, &B::nu>.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "ground/text.hpp"
#include "train/settings.hpp"

namespace shapeboost::detail {

using S = TrainSettings;

template <auto... Path>
auto& field(S& settings) {
  return (settings.*....*Path);
}
template <auto... Path>
const auto& field(const S& settings) {
  return (settings.*....*Path);
}
template <auto... Path>
using FieldOf = std::remove_cvref_t<decltype(field<Path...>(std::declval<S&>()))>;

template <typename Value>
std::string shown(const Value& value) {
  if constexpr (std::is_enum_v<Value>) return std::string(to_string(value));
  if constexpr (std::is_integral_v<Value>) return std::to_string(value);
  if constexpr (std::is_floating_point_v<Value>) return number(value);
}

/// A row of no group yet; `value` is nullptr for a switch.
template <typename Set, typename Show>
Setting row(const char* name, const char* value, const char* help, Set set, Show show) {
  return {"", name, value, help, std::move(set), std::move(show)};
}

/// A number; `automatic` spells the 0 that means "found from the data".
template <auto... Path>
Setting number_row(const char* name, const char* help, const char* automatic = nullptr) {
  using Number = FieldOf<Path...>;
  const auto set = [=](S& s, const std::string& text) {
    const bool open = automatic != nullptr && text == automatic;
    const Number value = open ? Number{0} : parse_value<Number>(name, text);
    if (automatic != nullptr && !open && !(value > Number{0}))
      fail_value(name, std::string("a number above 0 or ") + automatic, text);
    field<Path...>(s) = value;
  };
  const auto show = [=](const S& s) {
    const Number value = field<Path...>(s);
    return automatic != nullptr && value == Number{0} ? std::string(automatic) : shown(value);
  };
  return row(name, std::is_integral_v<Number> ? "N" : "X", help, set, show);
}

template <auto... Path>
Setting switch_row(const char* name, const char* help, bool value) {
  return row(
      name, nullptr, help, [=](S& s, const std::string&) { field<Path...>(s) = value; },
      [=](const S& s) { return field<Path...>(s) == value ? "yes" : ""; });
}

/// One of the words of an enum.
template <auto... Path>
Setting choice_row(const char* name, const char* help) {
  return row(
      name, "KIND", help,
      [](S& s, const std::string& text) { field<Path...>(s) = parse<FieldOf<Path...>>(text); },
      [](const S& s) { return shown(field<Path...>(s)); });
}

/// Something with a text() of its own.
template <auto... Path>
Setting text_row(const char* name, const char* help) {
  return row(
      name, "WHICH", help,
      [](S& s, const std::string& text) { field<Path...>(s) = FieldOf<Path...>::parse(text); },
      [](const S& s) { return field<Path...>(s).text(); });
}

/// A value, or auto: none.
template <auto Field, typename Parse, typename Show>
Setting optional_row(const char* name, const char* value, const char* help, Parse parse_one, Show show_one) {
  return row(
      name, value, help,
      [=](S& s, const std::string& text) {
        s.*Field = text == "auto" ? FieldOf<Field>() : FieldOf<Field>(parse_one(text));
      },
      [=](const S& s) { return s.*Field ? show_one(*(s.*Field)) : std::string("auto"); });
}

/// Values between commas, or auto: the empty list.
template <auto Field, typename Parse, typename Show>
Setting list_row(const char* name, const char* help, Parse parse_one, Show show_one) {
  return row(
      name, "LIST", help,
      [=](S& s, const std::string& text) {
        (s.*Field).clear();
        if (text == "auto") return;
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
          end = text.find(',', begin);
          const std::string one = text.substr(begin, end == std::string::npos ? end : end - begin);
          (s.*Field).push_back(parse_one(std::string(trim(one))));
        }
      },
      [=](const S& s) {
        std::string text;
        for (const auto& value : s.*Field) text += (text.empty() ? "" : ",") + show_one(value);
        return text.empty() ? "auto" : text;
      });
}
template <auto Field>
Setting list_row(const char* name, const char* help) {
  using Value = typename FieldOf<Field>::value_type;
  const auto parse_one = [=](const std::string& text) {
    if constexpr (std::is_enum_v<Value>) return parse<Value>(text);
    if constexpr (!std::is_enum_v<Value>) return parse_value<Value>(name, text);
  };
  return list_row<Field>(name, help, parse_one, shown<Value>);
}

/// Boosting and the other methods each have such a field: the option sets both, and what is shown is the
/// method's own.
template <auto OfBoosting, auto OfBaseline, typename Make>
Setting shared_row(const Make& make) {
  const Setting boosting = make.template operator()<&S::boosting, OfBoosting>();
  const Setting baseline = make.template operator()<&S::baseline, OfBaseline>();
  Setting both = boosting;
  both.set = [=](S& s, const std::string& text) {
    boosting.set(s, text);
    baseline.set(s, text);
  };
  both.show = [=](const S& s) { return (s.method == Method::boost ? boosting : baseline).show(s); };
  return both;
}
template <auto OfBoosting, auto OfBaseline>
Setting shared_switch_row(const char* name, const char* help, bool value) {
  return shared_row<OfBoosting, OfBaseline>([=]<auto... Path>() {
    return switch_row<Path...>(name, help, value);
  });
}
template <auto OfBoosting, auto OfBaseline>
Setting shared_number_row(const char* name, const char* help) {
  return shared_row<OfBoosting, OfBaseline>([=]<auto... Path>() { return number_row<Path...>(name, help); });
}

}  // namespace shapeboost::detail
