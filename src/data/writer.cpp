// SPDX-License-Identifier: MIT
// Which format a file gets, and what of it is compressed; the texts are made in writer_<kind>.cpp.
#include <string_view>

#include "data/reader_text.hpp"
#include "data/writer_text.hpp"
#include "ground/file.hpp"
#include "shapeboost/files.hpp"

namespace shapeboost {
namespace {

std::string text_of(const Dataset& data, const std::string& path, Format format) {
  switch (format) {
    case Format::ts: return detail::ts_text(data, path);
    case Format::mil: return detail::mil_text(data, path);
    case Format::arff: return detail::arff_text(data, path);
    case Format::svmlight: return detail::svmlight_text(data, path);
    case Format::tab: return detail::tab_text(data, path);
    case Format::fasta: return detail::fasta_text(data, path);
    default: return detail::ucr_text(data, path);
  }
}

std::string packed(const std::string& path, const std::string& text) {
  const bool compressed = detail::plain_name(path).size() != path.size();
  return compressed ? gzip(text) : text;
}

// Neither file is replaced before both are known to be writable.
void write_c45(const Dataset& data, const std::string& path) {
  const detail::C45Paths paths = detail::c45_paths(path);
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

Format format_for(const std::string& path, DataKind kind) {
  if (const Format known = detail::format_by_ending(path); known != Format::automatic) return known;
  const std::string name = detail::plain_name(path);
  for (const std::string_view ending : {".tsv", ".csv", ".txt"}) {
    if (!name.ends_with(ending)) continue;
    return kind == DataKind::bags ? Format::mil : kind == DataKind::series ? Format::ucr : Format::tab;
  }
  detail::refuse(path, "the name does not tell the format; expected .tsv, .csv, .txt, ",
                 detail::known_endings(), " (.gz behind it compresses), or a format");
}

void write_dataset(const Dataset& data, const std::string& path, Format format) {
  if (format == Format::automatic) format = format_for(path, data.kind());
  if (data.size() == 0) detail::refuse(path, "there are no examples");
  if (format == Format::c45) return write_c45(data, path);
  write_file(path, packed(path, text_of(data, path, format)));
}

}  // namespace shapeboost
