// SPDX-License-Identifier: MIT
// What shells and manuals know of the program, from the same table as its help: words to complete, and a man page.
#include <algorithm>
#include <string>
#include <vector>

#include "commands.hpp"
#include "ground/text.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost::cli {
namespace {

constexpr const char* kHelp = "Show the help of a command.";

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "--model", and "-h" where there is one.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  return words;
}

std::string all_words(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& word : words_of(*option)) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::string names_of(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : commands_of(app)) text += (text.empty() ? "" : " ") + command->get_name();
  return text;
}

/// In single quotes, as every shell understands them.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string bash(const CLI::App& app) {
  std::string text =
      "_shapeboost() {\n  local word=${COMP_WORDS[COMP_CWORD]} words\n  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n    words=" +
      quoted(names_of(app) + " help --help --version") + "\n  else\n    case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* command : commands_of(app)) {
    text += "      " + command->get_name() + ") words=" + quoted(all_words(*command)) + " ;;\n";
  }
  text += "      help) words=" + quoted(names_of(app)) + " ;;\n    esac\n  fi\n";
  text +=
      "  if [[ $word == -* || $COMP_CWORD == 1 || ${COMP_WORDS[1]} == help ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n  else\n"
      "    compopt -o filenames 2>/dev/null\n    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n  fi\n}\n"
      "complete -F _shapeboost shapeboost\n";
  return text;
}

std::string zsh(const CLI::App& app) {
  std::string text = "#compdef shapeboost\n_shapeboost() {\n  local -a commands options\n  commands=(\n";
  for (const CLI::App* command : commands_of(app)) {
    text += "    " + quoted(command->get_name() + ":" + command->get_description()) + "\n";
  }
  text += "  )\n  if ((CURRENT == 2)); then\n    commands+=(" + quoted(std::string("help:") + kHelp) +
          ")\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n"
          "    help) _describe command commands; return ;;\n";
  for (const CLI::App* command : commands_of(app)) {
    text += "    " + command->get_name() + ") options=(";
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& word : words_of(*option)) {
        text += quoted(word + ":" + option->get_description()) + " ";
      }
    }
    text += ") ;;\n";
  }
  text +=
      "  esac\n  if [[ $words[CURRENT] == -* ]]; then\n    _describe option options\n  else\n    _files\n  "
      "fi\n}\n"
      "compdef _shapeboost shapeboost\n";
  return text;
}

std::string fish(const CLI::App& app) {
  std::string text = "complete -c shapeboost -n __fish_use_subcommand -f -a help -d " + quoted(kHelp) +
                     "\ncomplete -c shapeboost -n '__fish_seen_subcommand_from help' -f -a " +
                     quoted(names_of(app)) + "\n";
  for (const CLI::App* command : commands_of(app)) {
    text += "complete -c shapeboost -n __fish_use_subcommand -f -a " + command->get_name() + " -d " +
            quoted(command->get_description()) + "\n";
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        text += "complete -c shapeboost -n '__fish_seen_subcommand_from " + command->get_name() + "' -l " +
                name + (option->get_type_name().empty() ? "" : " -r") + " -d " +
                quoted(option->get_description()) + "\n";
      }
    }
  }
  return text;
}

/// Lines that roff would take for its own are made plain.
std::string roff(const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool first = k == 0 || text[k - 1] == '\n';
    if (first && (text[k] == '.' || text[k] == '\'')) result += "\\&";
    if (text[k] == '\\') {
      result += "\\e";
    } else if (text[k] == '-') {
      result += "\\-";
    } else {
      result += text[k];
    }
  }
  return result;
}

std::string manual(const CLI::App& app) {
  std::string text = ".TH SHAPEBOOST 1 \"\" \"shapeboost " + std::string(kVersion) +
                     "\"\n.SH NAME\nshapeboost \\- " + roff(app.get_description()) +
                     "\n.SH SYNOPSIS\n.B shapeboost\n.I COMMAND\n[options]\n";
  for (const CLI::App* command : commands_of(app)) {
    std::string name = command->get_name();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    text += ".SH " + name + "\n" + roff(command->get_description()) + "\n";
    for (const CLI::Option* option : command->get_options()) {
      std::string words = option->get_positional() ? option->get_name(true) : "";
      for (const std::string& word : words_of(*option)) words += (words.empty() ? "" : ", ") + word;
      text += ".TP\n.B " + roff(words) +
              (option->get_positional() ? "" : " " + roff(option->get_type_name())) + "\n" +
              roff(option->get_description()) + "\n";
    }
    text += ".PP\n.nf\n" + roff(command->get_footer()) + "\n.fi\n";
  }
  return text + ".SH EXIT STATUS\n0; 2 for bad use or bad input; 1 for a fault of shapeboost itself.\n";
}

}  // namespace

Command completion_command(CLI::App& app) {
  CLI::App* sub =
      app.add_subcommand("completion", "Print what a shell needs to complete commands and options.");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("SHELL", *shell, "bash, zsh or fish; or man, for a manual page")->required();
  sub->footer(
      "Examples:\n  shapeboost completion bash > ~/.local/share/bash-completion/completions/shapeboost\n"
      "  shapeboost completion zsh > ~/.zfunc/_shapeboost\n"
      "  shapeboost completion fish > ~/.config/fish/completions/shapeboost.fish\n"
      "  shapeboost completion man > shapeboost.1");
  return {sub, [&app, shell] {
            if (*shell == "bash") return print(bash(app));
            if (*shell == "zsh") return print(zsh(app));
            if (*shell == "fish") return print(fish(app));
            if (*shell == "man") return print(manual(app));
            throw InvalidInput("completion: expected bash, zsh, fish or man, found '" + *shell + "'");
          }};
}

}  // namespace shapeboost::cli
