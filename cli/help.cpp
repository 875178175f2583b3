// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "options.hpp"

namespace shapeboost::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLeft = 26;

/// `left` in its column, `right` beside it, broken between words.
std::string entry(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  std::size_t column = text.size();
  if (column + 2 > kLeft) {
    text += '\n';
    column = 0;
  }
  text.append(kLeft - column, ' ');
  column = kLeft;
  std::size_t begin = 0;
  while (begin < right.size()) {
    const std::size_t end = std::min(right.find(' ', begin), right.size());
    const std::size_t length = end - begin;
    if (column > kLeft && column + 1 + length > kColumns) {
      text += '\n' + std::string(kLeft, ' ');
      column = kLeft;
    } else if (column > kLeft) {
      text += ' ';
      ++column;
    }
    text += right.substr(begin, length);
    column += length;
    begin = end + 1;
  }
  return text + '\n';
}

std::string name_of(const CLI::Option& option) {
  std::string name = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  if (const std::size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  const std::string value = option.get_type_name();
  return option.get_positional() || value.empty() ? name : name + ' ' + value;
}

/// What cannot be left out.
std::string usage_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return app.get_name() + " COMMAND [options]";
  std::string text = app.get_parent()->get_name() + ' ' + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_required()) text += ' ' + name_of(*option);
  }
  return text + " [options]";
}

}  // namespace

std::string help_text(const CLI::App* app) {
  const bool top = app->get_parent() == nullptr;
  std::string text = app->get_description() + "\n\nUsage: " + usage_of(*app) + '\n';
  if (top) {
    text += "\nCommands:\n";
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
      text += entry(command->get_name(), command->get_description());
    }
  }
  std::vector<std::string> groups;
  for (const CLI::Option* option : app->get_options()) {
    if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end()) {
      groups.push_back(option->get_group());
    }
  }
  for (const std::string& group : groups) {
    text += '\n' + group + ":\n";
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_group() != group || option == app->get_help_ptr()) continue;
      text += entry(name_of(*option), option->get_description());
    }
    if (app->get_help_ptr()->get_group() == group) {
      text += entry(name_of(*app->get_help_ptr()), app->get_help_ptr()->get_description());
    }
  }
  return text + '\n' + app->get_footer() + '\n';
}

}  // namespace shapeboost::cli
