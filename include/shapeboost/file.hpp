// SPDX-License-Identifier: MIT
// Whole files in and out. A file that is being replaced is either the old one or the new one, never half.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shapeboost {

/// The content of a file, which may be empty. Throws InvalidInput: missing, a directory, not readable.
[[nodiscard]] std::string read_file(const std::string& path);

/// Writes `text` to `path`, by way of a FileWriter.
void write_file(const std::string& path, std::string_view text);

/// Whether these bytes begin as a gzip file does.
[[nodiscard]] bool is_gzip(std::string_view bytes);

/// 8 GiB: a gzip file that unpacks to more is taken for a trap rather than for data.
inline constexpr std::size_t kMostUnzipped = std::size_t{1} << 33U;

/// The text of a gzip file; `name` is what errors call it. Throws InvalidInput where the file is damaged, cut
/// short, or unpacks to more than `most` bytes.
[[nodiscard]] std::string gunzip(std::string_view bytes, const std::string& name,
                                 std::size_t most = kMostUnzipped);

/// Inverse of gunzip. The bytes depend on the text alone: no time, no name.
[[nodiscard]] std::string gzip(std::string_view text);

/// Text written piece by piece to a temporary file beside `path`, which takes its place in commit().
/// Without commit(), or after a failure, the temporary goes away and an older file stays as it was.
/// Devices and pipes (/dev/stdout) cannot be replaced and are written directly.
///
/// Every member throws InvalidInput ("cannot write M.json: No space left on device"): the folder is
/// missing, the target is a directory, no permission, disk full.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view text);
  /// Makes what was written the file's content. Call once, last.
  void commit();

 private:
  void open_temporary();
  void flush();
  void discard() noexcept;
  [[noreturn]] void fail(const std::string& reason);

  std::string path_;       // as the caller wrote it: what messages say
  std::string target_;     // with symbolic links followed, so that a link stays a link
  std::string temporary_;  // empty where the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace shapeboost
