// SPDX-License-Identifier: MIT
// The formats: what each is called, how its files end, who reads and who writes it. Readers are in reader_<format>.cpp,
// writers in writer.cpp.
#include "shapeboost/files.hpp"

#include <filesystem>

#include "data/reader.hpp"
#include "data/writer.hpp"
#include "ground/file.hpp"
#include "ground/names.hpp"

namespace shapeboost {
namespace {

using detail::C45Paths;

struct FormatRow {
  Format format;
  std::string_view name;
  std::array<std::string_view, 3> endings;  // those that belong to it alone
  Dataset (*parse)(std::string_view text, const std::string& source) = nullptr;
  std::string (*write)(const Dataset& data, const std::string& path) = nullptr;
};

// In the order of the enum.
constexpr std::array<FormatRow, 9> kFormats{{
    {Format::automatic, "auto", {}},
    {Format::ucr, "ucr", {}, detail::parse_ucr, detail::ucr_text},
    {Format::ts, "ts", {".ts"}, detail::parse_ts, detail::ts_text},
    {Format::mil, "mil", {}, detail::parse_mil, detail::mil_text},
    {Format::arff, "arff", {".arff"}, detail::parse_arff, detail::arff_text},
    {Format::c45, "c45", {".data", ".names"}},  // two files: read_c45, write_c45
    {Format::svmlight,
     "svmlight",
     {".svm", ".svmlight", ".libsvm"},
     detail::parse_svmlight,
     detail::svmlight_text},
    {Format::tab, "tab", {".tab"}, detail::parse_tab, detail::tab_text},
    {Format::fasta, "fasta", {".fasta", ".fa"}, detail::parse_fasta, detail::fasta_text},
}};

constexpr auto kNames = [] {
  Names<Format, kFormats.size()> names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = {kFormats[k].format, kFormats[k].name};
  return names;
}();

const FormatRow& row_of(Format format) { return kFormats[static_cast<std::size_t>(format)]; }

// The format that a name's ending belongs to alone, else Format::automatic.
Format format_by_ending(const std::string& path) {
  const std::string name = detail::plain_name(path);
  for (const FormatRow& row : kFormats) {
    for (const std::string_view ending : row.endings) {
      if (!ending.empty() && name.ends_with(ending)) return row.format;
    }
  }
  return Format::automatic;
}

// Arrays of NumPy's are known by their ending alone, and read but not written.
bool is_npy(const std::string& path, Format format) {
  return format == Format::automatic && detail::lower(path).ends_with(".npy");
}

Dataset read_c45(const std::string& path) {
  const C45Paths paths = detail::c45_paths(path);
  std::error_code none;
  for (const auto& [here, other] : {std::pair(paths.data, paths.names), std::pair(paths.names, paths.data)}) {
    if (!std::filesystem::exists(here, none) || std::filesystem::exists(other, none)) continue;
    detail::fail({here}, "c45 data needs the file ", other,
                 " beside it, which does not exist; for data in another format, say which");
  }
  const std::string names = detail::load_text(paths.names);
  const std::string data = detail::load_text(paths.data);
  return detail::parse_c45(detail::checked_text(data, paths.data), paths.data,
                           detail::checked_text(names, paths.names), paths.names);
}

std::string packed(const std::string& path, const std::string& text) {
  const bool compressed = detail::plain_name(path).size() != path.size();
  return compressed ? gzip(text) : text;
}

// Neither file is replaced before both are known to be writable.
void write_c45(const Dataset& data, const std::string& path) {
  const C45Paths paths = detail::c45_paths(path);
  const std::string names = packed(paths.names, detail::c45_names_text(data, paths.names));
  const std::string instances = packed(paths.data, detail::c45_data_text(data, paths.data));
  FileWriter names_file(paths.names);
  FileWriter data_file(paths.data);
  names_file.write(names);
  data_file.write(instances);
  names_file.commit();
  data_file.commit();
}

}  // namespace

std::vector<Format> all_formats() {
  std::vector<Format> formats;
  for (const FormatRow& row : kFormats) formats.push_back(row.format);
  return formats;
}

std::string_view to_string(Format value) { return name_of(kNames, value); }

template <>
Format parse<Format>(std::string_view text) {
  return choice_of(kNames, "format", text);
}

std::vector<std::string> files_of(const std::string& path, Format format) {
  if (is_npy(path, format)) {
    const std::string labels = detail::npy_labels_path(path);
    std::error_code none;
    return std::filesystem::exists(labels, none) ? std::vector{path, labels} : std::vector{path};
  }
  if (format == Format::automatic) format = format_by_ending(path);
  if (format != Format::c45) return {path};
  const C45Paths paths = detail::c45_paths(path);
  return {paths.data, paths.names};
}

Dataset parse_dataset(std::string_view text, const std::string& source, Format format) {
  text = detail::checked_text(text, source);
  if (format == Format::automatic) format = detail::format_of(text, source);
  if (format == Format::c45) detail::fail({source}, "c45 data lies in two files, which one text cannot hold");
  return row_of(format).parse(text, source);
}

Dataset read_dataset(const std::string& path, Format format) {
  if (is_npy(path, format)) return detail::read_npy(path);
  if (format == Format::automatic) format = format_by_ending(path);
  if (format == Format::c45) return read_c45(path);
  return parse_dataset(detail::load_text(path), path, format);
}

Format format_for(const std::string& path, DataKind kind) {
  if (const Format known = format_by_ending(path); known != Format::automatic) return known;
  const std::string name = detail::plain_name(path);
  for (const std::string_view ending : {".tsv", ".csv", ".txt"}) {
    if (!name.ends_with(ending)) continue;
    return kind == DataKind::bags ? Format::mil : kind == DataKind::series ? Format::ucr : Format::tab;
  }
  std::string endings;
  for (const FormatRow& row : kFormats) {
    for (const std::string_view ending : row.endings) endings += ending.empty() ? "" : concat(", ", ending);
  }
  detail::refuse(path, "the name does not tell the format; expected .tsv, .csv, .txt", endings,
                 " (.gz behind it compresses), or a format");
}

void write_dataset(const Dataset& data, const std::string& path, Format format) {
  if (format == Format::automatic) format = format_for(path, data.kind());
  if (data.size() == 0) detail::refuse(path, "there are no examples");
  if (format == Format::c45) return write_c45(data, path);
  write_file(path, packed(path, row_of(format).write(data, path)));
}

}  // namespace shapeboost
