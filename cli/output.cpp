// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "describe.hpp"
#include "ground/file.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost::cli {
namespace {

/// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool terminal_knows_utf8() {
  static const bool kKnows = [] {
    std::setlocale(LC_CTYPE, "");  // characters only: numbers stay as they are
    return std::string(nl_langinfo(CODESET)) == "UTF-8";
  }();
  return kKnows;
}

}  // namespace

std::string harmless(std::string text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
    const bool control = (byte < 0x20U && byte != '\n' && byte != '\t') || byte == 0x7FU;
    const bool high = byte == 0xC2U && next >= 0x80U && next < 0xA0U;  // U+0080 to U+009F, in UTF-8
    if (control || high) text[k] = '?';
    if (high) text[k + 1] = '?';
  }
  return text;
}

void print(const std::string& text, const std::string& written) {
  static const bool kSeen = isatty(STDOUT_FILENO) == 1;
  const std::string shown = kSeen ? harmless(text) : text;
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return;
  throw InvalidInput("cannot write to standard output: " + std::generic_category().message(errno) +
                     (written.empty() ? "" : "; " + written + " was written"));
}

void complain(const std::string& sentence) {
  std::string line = harmless(sentence);
  std::ranges::replace(line, '\n', '?');  // a word of the user's may hold one
  std::fprintf(stderr, "shapeboost: %s\n", line.c_str());
}

void warn_too_short(const Dataset& data, const std::vector<std::int64_t>& uncovered) {
  if (uncovered.empty()) return;
  constexpr std::size_t kNamed = 5;
  std::string names;
  for (std::size_t k = 0; k < std::min(kNamed, uncovered.size()); ++k) {
    names += (k > 0 ? ", " : "") + data.name(uncovered[k]);
  }
  if (uncovered.size() > kNamed) names += ", ...";
  complain("warning: " + (data.source().empty() ? "" : data.source() + ": ") +
           counted(static_cast<std::int64_t>(uncovered.size()), noun_of(data.kind())) + " too short" +
           (data.has_missing() ? " or too full of gaps" : "") + " for every window of the model (" + names +
           "): answered by the offset alone");
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "-";
  std::array<char, 400> buffer{};  // the largest double has 309 digits
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::fixed, decimals)
                             .ptr};
}

std::string significant(double value, int digits) {
  if (std::isnan(value)) return "-";
  std::array<char, 64> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::general, digits)
                             .ptr};
}

std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string counted(std::int64_t n, const std::string& noun) {
  const bool many = n != 1 && noun != "series";
  return grouped(n) + ' ' + (many && noun == "hypothesis" ? "hypotheses" : noun + (many ? "s" : ""));
}

std::string describe_seconds(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds >= kHour) return fixed(seconds / kHour, 1) + " h";
  return seconds >= kMinute ? fixed(seconds / kMinute, 1) + " min" : fixed(seconds, 0) + " s";
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::string& align,
                    const std::string& indent) {
  std::vector<std::size_t> widths(align.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width_of(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string fill(widths[k] - width_of(row[k]), ' ');
      line += (k > 0 ? "  " : "") + (align[k] == 'r' ? fill + row[k] : row[k] + fill);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string sparkline(const std::vector<double>& values, std::size_t width) {
  static const std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const std::array<const char*, 8> kPlain = {"_", ".", ",", "-", "~", "=", "^", "#"};
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::string text;
  const std::size_t columns = std::min(width, values.size());
  for (std::size_t k = 0; k < columns; ++k) {
    // The mean of the values that share this character.
    const std::size_t begin = k * values.size() / columns;
    const std::size_t end = (k + 1) * values.size() / columns;
    double sum = 0.0;
    for (std::size_t t = begin; t < end; ++t) sum += values[t];
    const double share =
        *high > *low ? (sum / static_cast<double>(end - begin) - *low) / (*high - *low) : 0.5;
    const auto level = static_cast<std::size_t>(share > 0.0 ? std::min(share * 8.0, 7.0) : 0.0);
    text += (terminal_knows_utf8() ? kBlocks : kPlain)[level];
  }
  return text;
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Progress::Progress(bool wanted) : active_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& line) {
  if (!active_) return;
  std::fprintf(stderr, "\r%s\033[K", line.c_str());  // to the line's end, erased
  std::fflush(stderr);
}

void Progress::expect(std::int64_t members, std::int64_t parts) {
  members_ = std::max<std::int64_t>(1, members);
  parts_ = std::max<std::int64_t>(1, parts);
}

void Progress::show(const RoundRecord& record) {
  constexpr double kPause = 0.1;
  furthest_ = std::max(furthest_, record.member * parts_ + record.part);
  if (!active_ || clock_.seconds() < next_) return;
  next_ = clock_.seconds() + kPause;
  const std::string time = ", " + fixed(clock_.seconds(), 1) + " s";
  const std::int64_t problems = members_ * parts_;
  if (problems == 1) {
    show("round " + std::to_string(record.round) + ", " + counted(record.columns, "hypothesis") +
         ", margin " + fixed(record.gamma, 4) + ", gap " + fixed(100.0 * record.gap, 1) + " %" + time);
    return;
  }
  // Problems begin in order, whichever of them this round belongs to.
  const auto of = [](const char* what, std::int64_t k, std::int64_t n) {
    return n > 1 ? std::string(what) + ' ' + grouped(k + 1) + " of " + grouped(n) + ", " : std::string();
  };
  show(of("member", furthest_ / parts_, members_) + of("part", furthest_ % parts_, parts_) + "round " +
       std::to_string(record.round) + ", " + grouped(100 * furthest_ / problems) + " % done" + time);
}

void Progress::clear() {
  if (active_) std::fputs("\r\033[K", stderr);
}

std::vector<NamedFile> given_of(std::vector<NamedFile> files) {
  std::erase_if(files, [](const NamedFile& file) { return file.path.empty(); });
  return files;
}

std::vector<NamedFile> data_files(const std::string& path, Format format, const std::string& name) {
  std::vector<NamedFile> files;
  for (const std::string& file : files_of(path, format)) files.push_back({file, name});
  return files;
}

void refuse_same_file(const NamedFile& kept, const NamedFile& written) {
  namespace fs = std::filesystem;
  std::error_code fault;  // a file that is not there yet is its path
  if (kept.path == written.path || fs::equivalent(kept.path, written.path, fault) ||
      fs::weakly_canonical(fs::absolute(kept.path), fault) ==
          fs::weakly_canonical(fs::absolute(written.path), fault)) {
    throw InvalidInput(kept.name + " and " + written.name + " are the same file, " + written.path +
                       ", which would be overwritten");
  }
}

void check_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  std::vector<NamedFile> kept = given_of(inputs);
  for (const NamedFile& output : outputs) {
    for (const NamedFile& file : kept) refuse_same_file(file, output);
    check_writable(output.path);
    kept.push_back(output);
  }
}

void check_writable(const std::string& path) { const FileWriter probe(path); }

}  // namespace shapeboost::cli
