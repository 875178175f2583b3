// SPDX-License-Identifier: MIT
// The program, whoever starts it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/version.hpp"

namespace shapeboost::cli {
namespace {

constexpr const char* kOutOfMemory = "shapeboost: out of memory; a smaller --memory may help\n";

/// Letters that must be put in, taken out or changed to make one word of the other (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

/// " (did you mean fit?)" where one of the words is a few letters away, or begins like it; else nothing.
std::string hint(const std::string& written, const std::vector<std::string>& words) {
  std::string best;
  std::size_t least = 2 + written.size() / 3;
  for (const std::string& word : words) {
    const bool begins = written.size() > 3 && word.starts_with(written);
    const std::size_t away = begins ? 1 : distance(written, word);
    if (away < least) {
      least = away;
      best = word;
    }
  }
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

/// CLI11's faults in our words.
[[noreturn]] void fail_use(const CLI::App& app, const CLI::ParseError& fault) {
  std::string command = app.get_name();
  std::string sentence = fault.what();
  for (const CLI::App* sub : app.get_subcommands()) command += ' ' + sub->get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::string first = extras.empty() ? "" : extras.front();
    const bool option = first.starts_with('-');
    sentence = (option ? "there is no option " : "did not expect ") + first;
    for (const CLI::App* sub : app.get_subcommands()) {
      if (option) sentence += hint(first.substr(0, first.find('=')), options_of(*sub));
    }
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault) != nullptr) {  // "--nu: 1 required X missing"
    const bool several = sentence.find("received") != std::string::npos;
    sentence =
        sentence.substr(0, sentence.find(':')) + (several ? " is given more than once" : " needs a value");
  }
  throw InvalidInput(sentence + "; see " + command + " --help");
}

void run(int argc, const char* const* argv) {
  CLI::App app(
      "Finds the patterns that tell classes of series, bags or sequences apart, and classifies by them.",
      "shapeboost");
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", "shapeboost " + std::string(kVersion), "the version");
  app.footer(
      "Example:\n  shapeboost demo\n\n'shapeboost COMMAND --help' tells more of a command.\n"
      "Exit codes: 0; 2 for bad use or bad input, told in one sentence on standard error, with nothing\n"
      "written; 1 for a fault of shapeboost itself.");
  app.formatter_fn([](const CLI::App* of, const std::string&, CLI::AppFormatMode) { return help_text(of); });
  const std::vector<Command> commands{fit_command(app),      tune_command(app),      predict_command(app),
                                      evaluate_command(app), explain_command(app),   report_command(app),
                                      info_command(app),     convert_command(app),   paper_command(app),
                                      demo_command(app),     completion_command(app)};
  std::string names;
  bool known = argc < 2 || argv[1][0] == '-';
  for (const Command& command : commands) {
    known = known || command.app->get_name() == argv[1];
    names += (names.empty() ? "" : &command == &commands.back() ? " or " : ", ") + command.app->get_name();
  }
  if (argc < 2) throw InvalidInput("expected a command, " + names + "; see shapeboost --help");
  std::vector<const char*> words(argv, argv + argc);
  if (std::string_view(argv[1]) == "help") {  // help fit: fit --help
    words = argc > 2 ? std::vector<const char*>{argv[0], argv[2], "--help"}
                     : std::vector<const char*>{argv[0], "--help"};
    known = argc < 3 ||
            std::ranges::any_of(commands, [&](const Command& c) { return c.app->get_name() == argv[2]; });
  }
  if (!known) {
    const std::string written = words[1];
    std::vector<std::string> choices;
    for (const Command& command : commands) choices.push_back(command.app->get_name());
    throw InvalidInput("there is no command '" + written + "'; expected " + names + hint(written, choices));
  }
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& fault) {
    if (fault.get_exit_code() == 0) return print(app.help());
    fail_use(app, fault);
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  throw InvalidInput("expected a command, " + names + "; see shapeboost --help");
}

/// A file opened while standard input, output or error is closed would get its number, and what is meant for
/// the terminal would end up in the file. What takes their place can neither be read nor written.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Memory may run out while an object is destroyed, where no exception may leave: a sentence then, not an abort.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr fault = std::current_exception()) std::rethrow_exception(fault);
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory, stderr);
    std::_Exit(1);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  occupy_standard_streams();
  std::set_terminate(end_without_memory);
  std::signal(SIGXFSZ, SIG_IGN);  // a file grown too large is then an error of write(), as a full disk is
  try {
    run(argc, argv);
    return 0;
  } catch (const InvalidInput& fault) {
    complain(fault.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory, stderr);
  } catch (const std::exception& fault) {
    complain(std::string("internal fault: ") + fault.what());
  }
  return 1;
}

}  // namespace shapeboost::cli
