// SPDX-License-Identifier: MIT
// The options: one table of the trainer's settings, from which come parsing, help with its defaults, and the
// settings a model remembers; and the options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/committee.hpp"
#include "shapeboost/reader.hpp"

namespace shapeboost::cli {

/// Adds every option of CommitteeSettings, or only those named. What is given ends up in `settings`; what is
/// not stays as it is there.
void add_settings(CLI::App& app, CommitteeSettings& settings, const std::vector<std::string>& only = {});

/// The settings that make the model, spelled as options, defaults too. Threads and memory are not among them:
/// the model does not depend on them.
[[nodiscard]] std::string settings_text(const CommitteeSettings& settings);

/// Options in use that this kind of data has no use for, as "--lengths, --normalisation"; empty where none.
[[nodiscard]] std::string idle_options(const CLI::App& app, DataKind kind);

/// Throws InvalidInput with the first fault, in the words of the command line.
void check_settings(const CommitteeSettings& settings);

/// The library calls a setting "nu", the command line "--nu".
[[nodiscard]] std::string in_option_words(const std::string& sentence);

void add_format(CLI::App& app, Format& format);
void add_time_limit(CLI::App& app, double& seconds);

/// Bytes: a number and K, M, G or T (times 1024 each), as in 256M. Throws InvalidInput.
[[nodiscard]] std::int64_t parse_bytes(const std::string& text);

/// A quarter of the memory this process may use.
[[nodiscard]] std::int64_t default_memory();

/// Help as this program prints it: usage, options by group, an example.
[[nodiscard]] std::string help_text(const CLI::App* app);

}  // namespace shapeboost::cli
