// SPDX-License-Identifier: MIT
// The options: those of the trainer, from the table of its settings; and others that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "shapeboost/files.hpp"
#include "shapeboost/trainer.hpp"
#include "train/settings.hpp"

namespace shapeboost::cli {

/// Adds every option of TrainSettings, or only those named. What is given ends up in `settings`; what is
/// not stays as it is there.
void add_settings(CLI::App& app, TrainSettings& settings, const std::vector<std::string>& only = {});

/// Options in use that this kind of data, or else the kernel, or else the method, has no use for, as
/// "--lengths,
/// --normalisation"; empty where none.
struct IdleOptions {
  std::string for_data;
  std::string for_kernel;
  std::string for_method;
};
[[nodiscard]] IdleOptions idle_options(const CLI::App& app, DataKind kind, KernelKind kernel, Method method);

/// Reads the matrix that --gram names, which means --kernel gram. Throws InvalidInput where one was given
/// without the other, or the matrix cannot be read.
void read_gram_option(const CLI::App& app, TrainSettings& settings);

/// --gram of the commands that use a model.
void add_gram(CLI::App& app, std::string& path);

/// --unequal of the commands that use a model.
void add_unequal(CLI::App& app, bool& allowed);
/// The examples that a model is asked about; of another length than the series it was trained on only where that is
/// `allowed`. Throws InvalidInput.
[[nodiscard]] Dataset read_dataset_for(const Model& model, const std::string& path, Format format,
                                       bool allowed);

/// load_model(), with the Gram matrix it was trained with where it needs one. Throws InvalidInput.
[[nodiscard]] Model load_model_with(const std::string& path, const std::string& gram);

/// Throws InvalidInput with the first fault, in the words of the command line.
void check_settings(const TrainSettings& settings);

/// An option that names a format, listing them all.
void add_format(CLI::App& app, Format& format, const std::string& name = "--format",
                const std::string& of = "of the data",
                const std::string& automatic = "from the name and the content");
/// --probability of the commands that train.
void add_probability(CLI::App& app, bool& wanted);
/// A whole number of at least `least`; the default is what `value` holds, 0 where there is none to tell.
void add_count(CLI::App& app, const std::string& name, int& value, int least, const std::string& help);
void add_time_limit(CLI::App& app, double& seconds);

/// Help as this program prints it: usage, options by group, an example.
[[nodiscard]] std::string help_text(const CLI::App* app);

}  // namespace shapeboost::cli
