// SPDX-License-Identifier: MIT
// Loaded before the C library (LD_PRELOAD): one of its calls fails when it is made for the n-th time, as disks, signals and
// limits make it fail now and then.
//
//     FAULTY_CALL=write FAULTY_AT=3 FAULTY_HOW=ENOSPC FAULTY_MARK=file
//
// HOW is an error, which lasts but for EINTR and EAGAIN, or `short`: the call does a part of what it was asked for. Where the
// call is made so often, the file MARK appears. Files below /proc and /sys are left alone.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

const char* setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <typename Call>
Call real(const char* name) {
  return reinterpret_cast<Call>(::dlsym(RTLD_NEXT, name));
}

int error_of(const char* how) {
  struct Named {
    const char* name;
    int error;
  };
  constexpr Named kErrors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},
                               {"EAGAIN", EAGAIN}, {"EACCES", EACCES}, {"EMFILE", EMFILE}};
  for (const Named& each : kErrors) {
    if (std::strcmp(each.name, how) == 0) return each.error;
  }
  return 0;
}

void mark() {
  static auto* const open_file = real<int (*)(const char*, int, ...)>("open");
  const int file = open_file(setting("FAULTY_MARK"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) real<int (*)(int)>("close")(file);
}

/// Whether this call is to go wrong.
bool faulty(const char* name) {
  if (std::strcmp(setting("FAULTY_CALL"), name) != 0) return false;
  const long wanted = std::strtol(setting("FAULTY_AT"), nullptr, 10);
  const long now = ++calls;
  const int error = error_of(setting("FAULTY_HOW"));
  const bool once = error == 0 || error == EINTR || error == EAGAIN;
  if (once ? now != wanted : now < wanted) return false;
  if (now == wanted) mark();
  errno = error;
  return true;
}

bool is_short() { return std::strcmp(setting("FAULTY_HOW"), "short") == 0; }

bool writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

}  // namespace

extern "C" {

ssize_t write(int file, const void* data, std::size_t size) {
  static auto* const call = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (file <= 2 || !faulty("write")) return call(file, data, size);
  return is_short() ? call(file, data, (size + 1) / 2) : -1;
}

ssize_t read(int file, void* data, std::size_t size) {
  static auto* const call = real<ssize_t (*)(int, void*, std::size_t)>("read");
  struct stat status {};
  if (file <= 2 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0 ||
      !faulty("read")) {
    return call(file, data, size);
  }
  return is_short() ? call(file, data, (size + 1) / 2) : -1;
}

int open(const char* path, int flags, ...) {
  static auto* const call = real<int (*)(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (writes(flags) && std::strncmp(path, "/proc", 5) != 0 && faulty("open")) return -1;
  return call(path, flags, mode);
}

int rename(const char* from, const char* to) {
  static auto* const call = real<int (*)(const char*, const char*)>("rename");
  return faulty("rename") ? -1 : call(from, to);
}

int fsync(int file) {
  static auto* const call = real<int (*)(int)>("fsync");
  return faulty("fsync") ? -1 : call(file);
}

/// Closes even where it says that it could not, as Linux does.
int close(int file) {
  static auto* const call = real<int (*)(int)>("close");
  struct stat status {};
  const bool plain = file > 2 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (!plain || !faulty("close")) return call(file);
  const int error = errno;
  call(file);
  errno = error;
  return -1;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) {
  static auto* const call =
      real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return faulty("pthread_create") ? EAGAIN : call(thread, attributes, run, with);
}
}
