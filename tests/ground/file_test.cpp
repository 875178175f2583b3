// SPDX-License-Identifier: MIT
#include "ground/file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ground/rng.hpp"
#include "ground/stop.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / ("shapeboost_" + name + "_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  static std::string write_complaint(const std::string& target, std::string_view text) {
    try {
      write_file(target, text);
      return {};
    } catch (const InvalidInput& error) {
      return error.what();
    }
  }
  static std::string read_complaint(const std::string& source) {
    try {
      (void)read_file(source);
      return {};
    } catch (const InvalidInput& error) {
      return error.what();
    }
  }

 private:
  fs::path folder_;
};

// Files may not grow beyond some bytes: a full disk without needing one.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_{};
};

TEST_F(FileTest, RoundTrips_WhenBytesAreOdd) {
  const std::string text("a\0b\r\n\xff", 6);
  write_file(path("odd"), text);
  EXPECT_EQ(read_file(path("odd")), text);
  write_file(path("odd"), "");
  EXPECT_EQ(read_file(path("odd")), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, RoundTrips_WhenLargerThanTheBuffer) {
  const std::string piece(100'003, 'x');
  FileWriter writer(path("large"));
  for (int k = 0; k < 20; ++k) writer.write(piece);
  writer.commit();
  EXPECT_EQ(read_file(path("large")).size(), 20 * piece.size());
}

TEST_F(FileTest, Read_Complains_WhenThereIsNoFile) {
  EXPECT_EQ(read_complaint(path("none")), "cannot read " + path("none") + ": No such file or directory");
  EXPECT_EQ(read_complaint(path("")), "cannot read " + path("") + ": it is a directory");
  EXPECT_EQ(read_complaint(""), "cannot read a file: its name is empty");
}

TEST_F(FileTest, Read_Complains_WhenNotReadable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write_file(path("secret"), "x");
  fs::permissions(path("secret"), fs::perms::none);
  EXPECT_EQ(read_complaint(path("secret")), "cannot read " + path("secret") + ": Permission denied");
}

TEST_F(FileTest, Write_Complains_WhenTargetIsWrong) {
  EXPECT_EQ(write_complaint(path("no/M.json"), "x"),
            "cannot write " + path("no/M.json") + ": the folder " + path("no") + " does not exist");
  fs::create_directory(path("folder"));
  EXPECT_EQ(write_complaint(path("folder"), "x"), "cannot write " + path("folder") + ": it is a directory");
  write_file(path("plain"), "x");
  EXPECT_EQ(write_complaint(path("plain/M.json"), "x"),
            "cannot write " + path("plain/M.json") + ": " + path("plain") + " is not a folder");
  EXPECT_EQ(write_complaint("", "x"), "cannot write a file: its name is empty");
}

TEST_F(FileTest, Write_Complains_WhenTargetIsProtected) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write_file(path("old"), "old");
  fs::permissions(path("old"), fs::perms::owner_read);
  EXPECT_EQ(write_complaint(path("old"), "new"), "cannot write " + path("old") + ": Permission denied");
  EXPECT_EQ(read_file(path("old")), "old");
}

TEST_F(FileTest, Write_Complains_WhenDeviceIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(write_complaint("/dev/full", "x"), "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full")) << "a device must not be replaced by a file";
}

TEST_F(FileTest, Write_KeepsTheOldFile_WhenDiskIsFull) {
  write_file(path("M.json"), "old");
  std::string complaint;
  {
    const SmallDisk small(1000);
    complaint = write_complaint(path("M.json"), std::string(1'000'000, 'x'));
  }
  EXPECT_EQ(complaint, "cannot write " + path("M.json") + ": File too large");
  EXPECT_EQ(read_file(path("M.json")), "old");
  EXPECT_EQ(entries(), 1) << "the temporary file must go away";
}

TEST_F(FileTest, Write_LeavesNothing_WhenAbandoned) {
  write_file(path("M.json"), "old");
  {
    FileWriter writer(path("M.json"));
    writer.write(std::string(1'000'000, 'x'));
  }
  EXPECT_EQ(read_file(path("M.json")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, Write_Complains_WhenCommitted) {
  FileWriter writer(path("M.json"));
  writer.commit();
  EXPECT_THROW(writer.write("more"), InvalidInput);
  EXPECT_THROW(writer.commit(), InvalidInput);
  EXPECT_EQ(read_file(path("M.json")), "");
}

TEST_F(FileTest, Write_FollowsLinks_WhenTargetIsOne) {
  fs::create_directory(path("real"));
  write_file(path("real/file"), "old");
  fs::create_symlink("real/file", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("real/file")), "new");
}

TEST_F(FileTest, Write_GoesOnWhereItStands_WhenTargetNamesADescriptor) {
  write_file(path("log"), "before\n");
  const int open = ::open(path("log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(open, 0);
  write_file("/proc/self/fd/" + std::to_string(open), "after\n");
  ::close(open);
  EXPECT_EQ(read_file(path("log")), "before\nafter\n");

  const int readable = ::open(path("log").c_str(), O_RDONLY | O_CLOEXEC);
  const std::string name = "/proc/self/fd/" + std::to_string(readable);
  EXPECT_EQ(write_complaint(name, "x"), "cannot write " + name + ": it is not open for writing");
  ::close(readable);
}

TEST_F(FileTest, Write_Replaces_WhenAPlainFileLiesBelowDev) {
  const fs::path plain = fs::path("/dev/shm") / ("shapeboost_" + std::to_string(::getpid()));
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm here";
  write_file(plain.string(), "a long old text");
  write_file(plain.string(), "new");
  EXPECT_EQ(read_file(plain.string()), "new");
  fs::remove(plain);
}

TEST_F(FileTest, Write_KeepsPermissions_WhenReplacing) {
  write_file(path("script"), "old");
  fs::permissions(path("script"), fs::perms::owner_all);
  write_file(path("script"), "new");
  EXPECT_EQ(fs::status(path("script")).permissions(), fs::perms::owner_all);
}

TEST_F(FileTest, Write_GoesThrough_WhenTargetIsADevice) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// ---- gzip

std::string noise(std::size_t bytes) {
  Rng rng(5);
  std::string text;
  while (text.size() < bytes) text += static_cast<char>(rng.below(256));
  return text;
}

TEST(Gzip, IsUndone_ByGunzip) {
  for (const std::string& text :
       {std::string(), std::string("abc"), std::string(3'000'000, 'x'), noise(1'000'000)}) {
    const std::string packed = gzip(text);
    EXPECT_TRUE(is_gzip(packed));
    EXPECT_TRUE(gunzip(packed, "x.gz") == text) << text.size();
  }
  EXPECT_LT(gzip(std::string(3'000'000, 'x')).size(), 10'000U);
  EXPECT_EQ(gzip("abc"), gzip("abc")) << "no time in it";
  EXPECT_FALSE(is_gzip("abc"));
}

TEST(Gzip, JoinsMembers_WhenThereAreSeveral) {
  EXPECT_EQ(gunzip(gzip("one ") + gzip("two"), "x"), "one two");
}

TEST(Gunzip, Complains_WhenDamaged) {
  const auto complaint = [](const std::string& bytes, std::size_t most = 1'000'000) -> std::string {
    try {
      (void)gunzip(bytes, "x.gz", most);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string good = gzip(noise(1000));
  for (const std::size_t kept : {std::size_t{2}, std::size_t{9}, std::size_t{500}, good.size() - 1})
    EXPECT_EQ(complaint(good.substr(0, kept)), "x.gz: the gzip file is damaged: it ends too early") << kept;
  std::string changed = good;
  changed[500] = static_cast<char>(changed[500] ^ 1);
  EXPECT_EQ(complaint(changed), "x.gz: the gzip file is damaged: incorrect data check");
  EXPECT_EQ(complaint(good + "more"), "x.gz: the gzip file is damaged: there is something behind its end");
  EXPECT_EQ(complaint("\x1f\x8bgarbage"), "x.gz: the gzip file is damaged: unknown compression method");
  EXPECT_EQ(complaint(good, 999), "x.gz: the gzip file unpacks to more than 999 bytes");
  EXPECT_EQ(complaint(good, 1000), "accepted");
}

TEST(Gunzip, StopsEarly_WhenASmallFileUnpacksToMuch) {
  EXPECT_EQ(most_unzipped(1000), std::size_t{1} << 28U);
  EXPECT_EQ(most_unzipped(10'000'000), 1'000'000'000U);
  EXPECT_EQ(most_unzipped(std::size_t{1} << 40U), std::size_t{1} << 33U);
  const std::string member = gzip(std::string(std::size_t{1} << 24U, '0'));
  std::string trap;
  for (int k = 0; k < 17; ++k) trap += member;  // 272 MiB in 280 KiB
  try {
    (void)gunzip(trap, "x.gz");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "x.gz: the gzip file unpacks to more than 268435456 bytes");
  }
}

TEST_F(FileTest, LineLog_KeepsWholeLinesAndDropsATornOne) {
  const std::string name = path("log");
  {
    LineLog log(name);
    EXPECT_TRUE(log.lines().empty());
    log.add("one");
    log.add("");
  }
  EXPECT_EQ(read_file(name), "one\n\n");
  write_file(name, "one\n\nhal");
  {
    const LineLog log(name);
    EXPECT_EQ(log.lines(), (std::vector<std::string>{"one", ""}));
    EXPECT_EQ(log.torn(), "hal");
  }
  EXPECT_EQ(read_file(name), "one\n\nhal");  // looking changes nothing
  LineLog log(name);
  log.add("two");
  log.add("three");
  EXPECT_EQ(read_file(name), "one\n\ntwo\nthree\n");
  log.remove();
  EXPECT_EQ(entries(), 0);
}

TEST_F(FileTest, LineLog_ClaimIsForItsOwn) {
  const std::string name = path("log");
  const auto claimed = [&](const std::string& content) {
    if (!content.empty()) write_file(name, content);
    std::string refused;
    {
      LineLog log(name);
      try {
        log.claim("head", [](const std::string& found) { throw InvalidInput("found " + found); });
      } catch (const InvalidInput& fault) {
        refused = fault.what();
      }
    }
    const std::string now = read_file(name);
    return refused.empty() ? now : refused;
  };
  EXPECT_EQ(claimed(""), "head\n");
  EXPECT_EQ(claimed(""), "head\n") << "a second time";
  EXPECT_EQ(claimed("head\nline\nto"), "head\nline\nto");
  EXPECT_EQ(claimed("he"), "head\n") << "cut off while it was written";
  EXPECT_EQ(claimed("heap"), "found heap");
  EXPECT_EQ(claimed("other\nhead\n"), "found other");
}

TEST_F(FileTest, LineLog_IsForOneAtATimeAndPlainFiles) {
  const auto complaint = [](const std::string& name) {
    try {
      const LineLog log(name);
      return std::string();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
  };
  const LineLog first(path("log"));
  EXPECT_EQ(complaint(path("log")), path("log") + ": another run is writing this journal");
  EXPECT_EQ(complaint("/dev/null"), "cannot write /dev/null: expected a plain file for the journal");
  EXPECT_EQ(complaint(path("none/log")), "cannot write " + path("none/log") + ": No such file or directory");
}

/// Counts how often it is asked whether to stop, and says so from a number on.
struct Stopping {
  explicit Stopping(int from) : says([this, from] { return ++asked >= from; }) {}
  int asked = 0;
  std::function<bool()> says;
};
constexpr int kNever = 1'000'000;
constexpr std::size_t kLarge = std::size_t{20} << 20U;

TEST_F(FileTest, ReadFile_AsksWhetherToStop_WhereThereIsMuchToRead) {
  write_file(path("small"), std::string(1000, 'x'));
  write_file(path("large"), std::string(kLarge, 'x'));
  Stopping never(kNever);
  const StopScope scope(never.says);
  (void)read_file(path("small"));
  EXPECT_EQ(never.asked, 0) << "it is read before anybody could have waited";
  EXPECT_EQ(read_file(path("large")).size(), kLarge);
  EXPECT_GE(never.asked, 4);
  Stopping third(3);
  const StopScope inner(third.says);
  EXPECT_THROW((void)read_file(path("large")), Abandoned);
  EXPECT_EQ(third.asked, 3);
}

TEST_F(FileTest, Readers_AskWhetherToStop_WhileNothingComesFromAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  // Who reads waits for what is never written.
  const int both = ::open(path("pipe").c_str(), O_RDWR | O_CLOEXEC);
  Stopping second(2);
  const StopScope scope(second.says);
  EXPECT_THROW((void)read_file(path("pipe")), Abandoned);
  EXPECT_EQ(second.asked, 2);
  char byte = 0;
  FileReader reader(path("pipe"));
  EXPECT_THROW((void)reader.read(&byte, 1), Abandoned);
  ::close(both);
}

TEST_F(FileTest, WriteFile_LeavesTheOldFile_WhereNobodyWantsTheNewOne) {
  write_file(path("file"), "old");
  Stopping second(2);
  const StopScope scope(second.says);
  EXPECT_THROW(write_file(path("file"), std::string(kLarge, 'x')), Abandoned);
  EXPECT_EQ(read_file(path("file")), "old");
  EXPECT_EQ(entries(), 1);
  write_file(path("file"), "new");  // too little to ask about
  EXPECT_EQ(read_file(path("file")), "new");
}

TEST_F(FileTest, Gunzip_AsksWhetherToStop) {
  const std::string packed = gzip(std::string(kLarge, 'x'));
  Stopping second(2);
  const StopScope scope(second.says);
  EXPECT_THROW((void)gunzip(packed, "x.gz", kLarge), Abandoned);
}

}  // namespace
}  // namespace shapeboost
