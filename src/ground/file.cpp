// SPDX-License-Identifier: MIT
// POSIX calls rather than streams: only they say why a write failed, and only they reach the disk (fsync).
#include "ground/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;
// Read or written between two questions whether to stop: what is smaller is not asked about.
constexpr std::size_t kAskedBytes = std::size_t{1} << 20U;
constexpr int kMostLinks = 40;  // as Linux: more is a circle

std::string reason_of(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_read(const std::string& path, const std::string& reason) {
  throw InvalidInput("cannot read " + path + ": " + reason);
}

// Closes on every way out of read_file.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

/// Its descriptor, and its size where it has one.
int open_to_read(const std::string& path, std::size_t& size) {
  if (path.empty()) throw InvalidInput("cannot read a file: its name is empty");
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) cannot_read(path, reason_of(errno));
  struct stat status {};
  if (::fstat(file.value, &status) != 0) cannot_read(path, reason_of(errno));
  if (S_ISDIR(status.st_mode)) cannot_read(path, "it is a directory");
  size = status.st_size > 0 ? at(status.st_size) : 0;
  return std::exchange(file.value, -1);
}

/// So many bytes at most; 0 at the end. Of what has no size, as a pipe, nothing may come for long: whoever waits asks whether to
/// stop.
std::size_t read_some(int descriptor, char* to, std::size_t bytes, bool sized, const std::string& path) {
  constexpr int kPatience = 100;  // thousandths of a second between two questions
  pollfd waiting{descriptor, POLLIN, 0};
  while (!sized && ::poll(&waiting, 1, kPatience) == 0) check_stop();
  while (true) {
    const ssize_t got = ::read(descriptor, to, bytes);
    if (got >= 0) return at(got);
    if (errno != EINTR) cannot_read(path, reason_of(errno));
  }
}

/// False, and errno says why, where it cannot be written.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), std::min(text.size(), kAskedBytes));
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) text.remove_prefix(at(put));
    if (text.size() >= kAskedBytes) check_stop();
  }
  return true;
}

/// The number of an open descriptor of ours that a link below /proc/self/fd is the name of, else -1.
int descriptor_named(const fs::path& link) {
  std::error_code ignored;
  if (fs::canonical(link.parent_path(), ignored) != concat("/proc/", ::getpid(), "/fd")) return -1;
  const std::string name = link.filename().string();
  int number = -1;
  const char* const end = name.data() + name.size();
  return std::from_chars(name.data(), end, number).ptr == end ? number : -1;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::size_t size = 0;
  const Descriptor file{open_to_read(path, size)};
  // The size is a hint only: a pipe has none, and a file may grow meanwhile.
  std::string text;
  text.reserve(size);
  std::size_t asked = 0;  // up to where nobody wanted to stop
  while (true) {
    const std::size_t used = text.size();
    const std::size_t room = used < size ? std::min(size - used, kAskedBytes) : kBufferBytes;
    text.resize(used + room);
    const std::size_t got = read_some(file.value, text.data() + used, room, size > 0, path);
    text.resize(used + got);
    if (got == 0) return text;
    if (text.size() - asked < kAskedBytes) continue;
    asked = text.size();
    check_stop();
  }
}

FileReader::FileReader(const std::string& path) : path_(path), buffer_(kBufferBytes) {
  descriptor_ = open_to_read(path, size_);
}

FileReader::~FileReader() { ::close(descriptor_); }

bool FileReader::holds(std::size_t bytes) const { return size_ >= taken_ && size_ - taken_ >= bytes; }

bool FileReader::read(void* to, std::size_t bytes) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = read_some(descriptor_, buffer_.data(), buffer_.size(), is_sized(), path_);
      if (end_ == 0) return false;
      meter_.add(static_cast<std::int64_t>(end_));
    }
    const std::size_t some = std::min(bytes, end_ - begin_);
    next = std::copy_n(buffer_.data() + begin_, some, next);
    begin_ += some;
    taken_ += some;
    bytes -= some;
  }
  return true;
}

void write_file(const std::string& path, std::string_view text) {
  FileWriter writer(path);
  writer.write(text);
  writer.commit();
}

FileWriter::FileWriter(const std::string& path) : path_(path), target_(path) {
  if (path.empty()) throw InvalidInput("cannot write a file: its name is empty");
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("it is a directory");
  std::error_code ignored;
  for (int depth = 0; depth < kMostLinks && fs::is_symlink(target_, ignored); ++depth) {
    if (const int open = descriptor_named(target_); open >= 0) {
      share(open);
      return;
    }
    target_ = (fs::path(target_).parent_path() / fs::read_symlink(target_, ignored)).string();
  }
  if (exists && !S_ISREG(status.st_mode)) {
    if (!S_ISCHR(status.st_mode) && !S_ISFIFO(status.st_mode)) {
      fail("expected a plain file, a character device or a pipe");
    }
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(reason_of(errno));
    return;
  }
  const fs::path folder = fs::path(target_).parent_path();
  if (!folder.empty() && !fs::exists(folder, ignored))
    fail("the folder " + folder.string() + " does not exist");
  if (!folder.empty() && !fs::is_directory(folder, ignored)) fail(folder.string() + " is not a folder");
  // A rename would replace a write-protected file without asking.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(reason_of(errno));
  open_temporary();
  // Permissions are the old file's; where the system refuses, the user's defaults are good enough.
  if (exists) [[maybe_unused]]
    const int refused = ::fchmod(descriptor_, status.st_mode & 07777U);
}

FileWriter::~FileWriter() { discard(); }

void FileWriter::share(int open) {
  if ((::fcntl(open, F_GETFL) & O_ACCMODE) == O_RDONLY) fail("it is not open for writing");
  descriptor_ = ::fcntl(open, F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0) fail(reason_of(errno));
}

void FileWriter::open_temporary() {
  static std::atomic<unsigned> counter{0};
  // The process id keeps processes apart, the counter threads; leftovers of a dead process are stepped over.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = concat(target_, ".tmp-", ::getpid(), '-', counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) break;
  }
  const int error = errno;
  temporary_.clear();  // not ours to remove
  fail(reason_of(error));
}

void FileWriter::write(std::string_view text) {
  if (descriptor_ < 0) fail("it is closed");
  if (buffer_.empty() && text.size() >= kBufferBytes) {
    if (!write_all(descriptor_, text)) fail(reason_of(errno));
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void FileWriter::flush() {
  if (!write_all(descriptor_, buffer_)) fail(reason_of(errno));
  buffer_.clear();
}

void FileWriter::commit() {
  if (descriptor_ < 0) fail("it is closed");
  flush();
  // Some file systems report a full disk only here or in close().
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail(reason_of(errno));
  const int closing = descriptor_;
  descriptor_ = -1;
  if (::close(closing) != 0) fail(reason_of(errno));
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason_of(errno));
  temporary_.clear();
}

void FileWriter::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void FileWriter::fail(const std::string& reason) {
  discard();
  throw InvalidInput("cannot write " + path_ + ": " + reason);
}

// ------------------------------------------------------------------------------ files that grow by lines

LineLog::LineLog(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  try {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw InvalidInput("cannot write " + path_ + ": expected a plain file for the journal");
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw InvalidInput(path_ + ": another run is writing this journal");
    }
    const std::string text = read_file(path_);
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', whole_)) {
      lines_.push_back(text.substr(whole_, end - whole_));
      whole_ = end + 1;
    }
    torn_ = text.substr(whole_);
  } catch (const InvalidInput&) {
    ::close(descriptor_);
    throw;
  }
}

LineLog::~LineLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void LineLog::claim(const std::string& head, const std::function<void(const std::string& found)>& refuse) {
  if (lines_.empty()) {
    if (!(head + '\n').starts_with(torn_)) refuse(torn_);
    add(head);
  } else if (lines_.front() != head) {
    refuse(lines_.front());
  }
}

void LineLog::add(const std::string& line) {
  if (!torn_.empty() && ::ftruncate(descriptor_, static_cast<off_t>(whole_)) != 0) fail();
  torn_.clear();
  if (!write_all(descriptor_, line + '\n')) fail();
}

void LineLog::remove() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

void LineLog::fail() const { throw InvalidInput("cannot write " + path_ + ": " + reason_of(errno)); }

}  // namespace shapeboost
