// SPDX-License-Identifier: MIT
// Whole files in and out, and files that grow by lines. A file that is being replaced is either the old one
// or the new one, never half.
//
// Who reads or writes much asks check_stop() (stop.hpp) after every few megabytes, and while nothing comes from a pipe.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ground/stop.hpp"

namespace shapeboost {

/// The content of a file, which may be empty. Throws InvalidInput: missing, a directory, not readable.
[[nodiscard]] std::string read_file(const std::string& path);

/// A file that is read piece by piece. Throws InvalidInput as read_file does.
class FileReader {
 public:
  explicit FileReader(const std::string& path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  /// The next so many bytes; false where there are fewer.
  [[nodiscard]] bool read(void* to, std::size_t bytes);
  /// Whether so many bytes are left, as far as can be told before they are read.
  [[nodiscard]] bool holds(std::size_t bytes) const;
  /// Whether it can be told how many: of plain files, not of pipes.
  [[nodiscard]] bool is_sized() const { return size_ > 0; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  std::size_t taken_ = 0;  // of the file
  StopMeter meter_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is left in it
  std::size_t end_ = 0;
};

/// Writes `text` to `path`, by way of a FileWriter.
void write_file(const std::string& path, std::string_view text);

/// Whether these bytes begin as a gzip file does.
[[nodiscard]] bool is_gzip(std::string_view bytes);

/// A gzip file that unpacks to more is taken for a trap rather than for data: 256 MiB, or a hundred times its size,
/// but never more than 8 GiB.
[[nodiscard]] std::size_t most_unzipped(std::size_t packed);

/// The text of a gzip file; `name` is what errors call it. Throws InvalidInput where the file is damaged, cut
/// short, or unpacks to more than `most` bytes.
[[nodiscard]] std::string gunzip(std::string_view bytes, const std::string& name, std::size_t most);
/// The same with most_unzipped() of its size.
[[nodiscard]] std::string gunzip(std::string_view bytes, const std::string& name);

/// Inverse of gunzip. The bytes depend on the text alone: no time, no name.
[[nodiscard]] std::string gzip(std::string_view text);

/// Text written piece by piece to a temporary file beside `path`, which takes its place in commit().
/// Without commit(), or after a failure, the temporary goes away and an older file stays as it was.
/// Character devices and pipes cannot be replaced and are written directly; so is /dev/stdout, or what else names an
/// open descriptor: whoever opened it would not see its file replaced.
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
  void share(int open);  // writes where this descriptor does
  void flush();
  void discard() noexcept;
  [[noreturn]] void fail(const std::string& reason);

  std::string path_;       // as the caller wrote it: what messages say
  std::string target_;     // with symbolic links followed, so that a link stays a link
  std::string temporary_;  // empty where the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

/// A file that grows line by line, for one process at a time. A line is written by one call and outlives the
/// process, however it ends; what is left of a line that was cut off is dropped before the next is written.
///
/// Every member throws InvalidInput where the file cannot be read or written.
class LineLog {
 public:
  /// Opens or creates a plain file. Throws InvalidInput also where another process has it open.
  explicit LineLog(std::string path);
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Those that it held when it was opened, without their line feeds.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  /// What stood behind the last of them: a line that was cut off, or nothing.
  [[nodiscard]] const std::string& torn() const { return torn_; }
  /// The first line says whose the file is, and is written where there is none. Where another stands there,
  /// or a torn one that is no beginning of it, `refuse` is told and must throw.
  void claim(const std::string& head, const std::function<void(const std::string& found)>& refuse);
  /// Adds one line, given without its line feed.
  void add(const std::string& line);
  /// Removes the file. Nothing can be added any more.
  void remove();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  int descriptor_ = -1;
  std::vector<std::string> lines_;
  std::string torn_;
  std::size_t whole_ = 0;  // bytes of whole lines, where the next one goes while something torn is there
};

}  // namespace shapeboost
