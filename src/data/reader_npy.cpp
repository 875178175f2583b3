// SPDX-License-Identifier: MIT
// NumPy's .npy: a magic word, a version, the length of a header and the header, the text of a Python dictionary; then the
// numbers. Series are an array n x length or n x channels x length. Their labels, where there are any, are another file of n
// entries beside it: NAME_y.npy for NAME.npy. Rows are converted as they are read: no second copy is held.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include "data/reader.hpp"
#include "ground/file.hpp"

namespace shapeboost::detail {
namespace {

static_assert(std::endian::native == std::endian::little);

/// What the header says of the numbers behind it.
struct NpyHead {
  char order = '<';
  char type = 'f';
  std::int64_t bytes = 0;  ///< of an entry
  std::vector<std::int64_t> shape;

  [[nodiscard]] std::int64_t entries() const {
    std::int64_t product = 1;
    for (const std::int64_t size : shape) product *= size;
    return product;
  }
};

/// What follows "'key':" in the header, up to `end`.
std::string_view entry_of(std::string_view header, std::string_view key, char end, const Position& position) {
  const std::size_t place = header.find(concat("'", key, "'"));
  if (place == std::string_view::npos) fail(position, "its header has no ", key);
  header.remove_prefix(place + key.size() + 2);
  header = trim(header);
  const std::size_t length = header.find(end);
  if (!header.starts_with(':') || length == std::string_view::npos) fail(position, "its header has no ", key);
  return trim(header.substr(1, length - 1));
}

std::vector<std::int64_t> read_shape(std::string_view text, const Position& position) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::vector<std::int64_t> shape;
  if (!text.starts_with('(')) fail(position, "its header has no shape");
  std::int64_t product = 1;
  for (const std::string_view field : split(text.substr(1), ',')) {
    if (field.empty()) continue;  // behind the last comma
    std::int64_t size = 0;
    const char* const end = field.data() + field.size();
    if (std::from_chars(field.data(), end, size).ptr != end || size < 0) {
      fail(position, "its header has the size ", quote(field), ", expected a whole number");
    }
    if (size > kMost / std::max<std::int64_t>(1, product))
      fail(position, "its header has a shape of too many entries");
    product *= std::max<std::int64_t>(1, size);
    shape.push_back(size);
  }
  return shape;
}

NpyHead read_head(FileReader& file, const Position& position) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  constexpr std::size_t kLongest = std::size_t{1} << 20U;
  unsigned char begin[8] = {};
  if (!file.read(begin, 8) || std::memcmp(begin, kMagic.data(), kMagic.size()) != 0) {
    fail(position, "not an array of NumPy's; expected a file that numpy.save wrote");
  }
  const std::size_t digits = begin[6] == 1 ? 2 : 4;
  unsigned char size[4] = {};
  if (begin[6] < 1 || begin[6] > 3)
    fail(position, "version ", begin[6] + 0, " of the format; expected 1, 2 or 3");
  std::size_t length = 0;
  const bool whole = file.read(size, digits);
  for (std::size_t k = 0; k < digits; ++k) length |= static_cast<std::size_t>(size[k]) << (8U * k);
  std::string header(std::min(length, kLongest), '\0');
  if (!whole || length > kLongest || !file.read(header.data(), header.size()))
    fail(position, "its header is cut short");

  NpyHead head;
  const std::string_view descr = entry_of(header, "descr", ',', position);
  const auto read_kind = [&] {  // '<f4': order, kind, bytes or characters
    constexpr std::int64_t kLongestEntry = std::int64_t{1} << 16;
    if (descr.size() < 5 || descr.front() != '\'' || descr.back() != '\'') return false;
    head.order = descr[1];
    head.type = descr[2];
    const char* const end = descr.data() + descr.size() - 1;
    return std::string_view("<>|=").find(head.order) != std::string_view::npos && head.type > ' ' &&
           head.type < '\x7F' &&  // it is repeated in complaints
           std::from_chars(descr.data() + 3, end, head.bytes).ptr == end && head.bytes >= 0 &&
           head.bytes <= kLongestEntry;
  };
  if (!read_kind())
    fail(position, "its entries are ", quote(descr), "; expected numbers or text of one kind");
  if (head.type == 'U') head.bytes *= 4;
  if (entry_of(header, "fortran_order", ',', position) != "False") {
    fail(position, "its numbers are in Fortran's order; save numpy.ascontiguousarray of it");
  }
  head.shape = read_shape(entry_of(header, "shape", ')', position), position);
  return head;
}

std::string shown(const NpyHead& head) {
  std::string text = concat(std::string(1, head.order), std::string(1, head.type),
                            head.type == 'U' ? head.bytes / 4 : head.bytes, " (");
  for (std::size_t k = 0; k < head.shape.size(); ++k) text += concat(k == 0 ? "" : ", ", head.shape[k]);
  return text + ")";
}

void check_end(FileReader& file, const Position& position) {
  char more = 0;
  if (file.read(&more, 1))
    fail(position, "there is more in the file than the numbers that its header tells of");
}

template <typename T>
T number_at(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

std::string text_of(double value) { return std::isnan(value) ? std::string() : number(value); }

/// Whether all are characters: Unicode ends at 0x10FFFF and has a hole for the halves of UTF-16.
bool is_unicode(const char* from, std::int64_t bytes) {
  for (std::int64_t k = 0; k < bytes; k += 4) {
    const auto code = number_at<std::uint32_t>(from + k);
    if (code > 0x10FFFFU || (code >= 0xD800U && code < 0xE000U)) return false;
  }
  return true;
}

/// UTF-32 to UTF-8.
std::string utf8(const char* from, std::int64_t bytes) {
  std::string text;
  for (std::int64_t k = 0; k < bytes; k += 4) {
    const auto code = number_at<std::uint32_t>(from + k);
    if (code == 0) break;
    const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (code < 0x80U) {
      put(code);
    } else if (code < 0x800U) {
      put(0xC0U | (code >> 6U));
      put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
      put(0xE0U | (code >> 12U));
      put(0x80U | ((code >> 6U) & 0x3FU));
      put(0x80U | (code & 0x3FU));
    } else {
      put(0xF0U | ((code >> 18U) & 0x07U));
      put(0x80U | ((code >> 12U) & 0x3FU));
      put(0x80U | ((code >> 6U) & 0x3FU));
      put(0x80U | (code & 0x3FU));
    }
  }
  return text;
}

/// Whether terminals would obey some character of UTF-8: those below 0x20, and 0x7F to 0x9F.
bool has_control(std::string_view text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
    if (byte < 0x20U || byte == 0x7FU || (byte == 0xC2U && next >= 0x80U && next < 0xA0U)) return true;
  }
  return false;
}

/// A label as text; nothing where entries of this kind are none.
std::optional<std::string> label_of(const NpyHead& head, const char* from) {
  const auto is = [&](char type, std::int64_t bytes) { return head.type == type && head.bytes == bytes; };
  if (head.type == 'U') return utf8(from, head.bytes);
  if (head.type == 'S') return std::string(from, ::strnlen(from, at(head.bytes)));
  if (is('f', 4)) return text_of(static_cast<double>(number_at<float>(from)));
  if (is('f', 8)) return text_of(number_at<double>(from));
  if (is('i', 1)) return std::to_string(number_at<std::int8_t>(from));
  if (is('i', 2)) return std::to_string(number_at<std::int16_t>(from));
  if (is('i', 4)) return std::to_string(number_at<std::int32_t>(from));
  if (is('i', 8)) return std::to_string(number_at<std::int64_t>(from));
  if (is('u', 1) || is('b', 1)) return std::to_string(number_at<std::uint8_t>(from));
  if (is('u', 2)) return std::to_string(number_at<std::uint16_t>(from));
  if (is('u', 4)) return std::to_string(number_at<std::uint32_t>(from));
  if (is('u', 8)) return std::to_string(number_at<std::uint64_t>(from));
  return std::nullopt;
}

std::vector<std::string> read_labels(const std::string& path, std::int64_t count) {
  FileReader file(path);
  const Position position{path};
  const NpyHead head = read_head(file, position);
  if (head.shape != std::vector<std::int64_t>{count}) {
    fail(position, "expected as many labels as there are series, (", count, "), found ", shown(head));
  }
  const std::vector<char> nothing(at(std::max<std::int64_t>(head.bytes, 8)), '\0');
  // Labels of no bytes would be any number of them from an empty file.
  if (head.order == '>' || head.bytes == 0 || !label_of(head, nothing.data())) {
    fail(position, "expected labels that are whole numbers, floating-point numbers or text, found ",
         shown(head));
  }
  std::vector<char> entry(at(head.bytes));
  std::vector<std::string> labels;
  std::string before;  // text and spelling of the last one: labels repeat
  std::string spelled;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!file.read(entry.data(), at(head.bytes)))
      fail(position, "cut short behind ", i, " labels of ", count);
    if (head.type == 'U' && !is_unicode(entry.data(), head.bytes))
      fail(position, "label ", i + 1, ": expected characters of Unicode, found another code");
    std::string text = *label_of(head, entry.data());
    if (i == 0 || text != before) {
      before = std::move(text);
      if (has_control(before))
        fail(position, "label ", i + 1, ": expected no control characters, found ", quote(before));
      spelled = read_label(before);
    }
    labels.push_back(spelled);
  }
  check_end(file, position);
  return labels;
}

}  // namespace

std::string npy_labels_path(const std::string& path) {
  constexpr std::string_view kEnding = ".npy";
  return path.substr(0, path.size() - kEnding.size()) + "_y" + path.substr(path.size() - kEnding.size());
}

Dataset read_npy(const std::string& path) {
  FileReader file(path);
  const Position position{path};
  const NpyHead head = read_head(file, position);
  if (head.order == '>' || head.type != 'f' || (head.bytes != 4 && head.bytes != 8)) {
    fail(position, "expected float32 or float64 (<f4 or <f8), found ", shown(head));
  }
  const bool channels = head.shape.size() == 3;
  if ((head.shape.size() != 2 && !channels) || head.entries() == 0) {
    fail(position, "expected series x values or series x channels x values, found ", shown(head));
  }
  const std::int64_t count = head.shape.front();
  const std::int64_t rows = channels ? head.shape[1] : 1;
  const std::int64_t each = head.entries() / count;
  std::error_code none;
  const std::string beside = npy_labels_path(path);
  const std::vector<std::string> labels =
      std::filesystem::exists(beside, none) ? read_labels(beside, count) : std::vector<std::string>();

  constexpr std::int64_t kUnseen = std::int64_t{1}
                                   << 26;  // bytes that are taken before any are read from a pipe
  if ((file.is_sized() || each * head.bytes > kUnseen) && !file.holds(at(each * head.bytes))) {
    fail(position, "cut short behind 0 series of ", count);
  }
  Dataset data(DataKind::series, path);
  if (file.holds(at(head.entries() * head.bytes))) data.reserve(count, head.entries());
  std::vector<char> bytes(at(each * head.bytes));
  std::vector<double> values(at(each));
  for (std::int64_t i = 0; i < count; ++i) {
    if (!file.read(bytes.data(), bytes.size())) fail(position, "cut short behind ", i, " series of ", count);
    for (std::int64_t k = 0; k < each; ++k) {
      const char* const from = bytes.data() + k * head.bytes;
      values[at(k)] = head.bytes == 4 ? static_cast<double>(number_at<float>(from)) : number_at<double>(from);
    }
    if (const auto odd = std::ranges::find_if(values, [](double x) { return std::isinf(x); });
        odd != values.end()) {
      fail(position, "series ", i + 1, ", value ", odd - values.begin() + 1,
           ": expected a finite number or NaN, found infinity");
    }
    if (std::ranges::all_of(values, [](double x) { return std::isnan(x); })) {
      fail(position, "series ", i + 1, ": every value of the series is missing");
    }
    // Missing values at the end of all channels fill a short series up.
    const std::int64_t length = unpadded_length(values, rows);
    if (const std::int64_t columns = each / rows; length < columns) {
      for (std::int64_t r = 1; r < rows; ++r) {
        std::copy_n(values.begin() + r * columns, length, values.begin() + r * length);
      }
    }
    data.add(ArrayView(values.data(), rows, length), labels.empty() ? "" : labels[at(i)],
             std::to_string(i + 1));
  }
  check_end(file, position);
  return data;
}

}  // namespace shapeboost::detail
