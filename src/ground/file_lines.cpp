// SPDX-License-Identifier: MIT
// Files that grow by lines.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ground/file.hpp"
#include "ground/numbers.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {

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
  if (!detail::write_all(descriptor_, line + '\n')) fail();
}

void LineLog::remove() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

void LineLog::fail() const {
  throw InvalidInput("cannot write " + path_ + ": " + std::generic_category().message(errno));
}

}  // namespace shapeboost
