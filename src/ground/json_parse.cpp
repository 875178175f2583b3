// SPDX-License-Identifier: MIT
// JSON by a parser that does not tell what is wrong, and is faster for it.
#include <charconv>
#include <cstdint>
#include <system_error>

#include "ground/json.hpp"
#include "ground/text.hpp"

namespace shapeboost::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int kDeepest = 100;  // the stack holds it

/// Something that this parser does not take.
struct NotTaken {};

/// Recursive descent by the grammar of RFC 8259.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json whole() {
    Json value = any();
    skip_blanks();
    if (at_ < text_.size()) fail();
    return value;
  }

 private:
  [[noreturn]] static void fail() { throw NotTaken{}; }
  /// The next character; 0, which nothing in JSON begins with, at the end.
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    if (at_ == text_.size()) fail();
    return text_[at_++];
  }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  /// Whether it was there, and is behind us.
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  void expect(std::string_view word) {
    for (const char c : word) expect(c);
  }

  Json any() {
    skip_blanks();
    switch (peek()) {
      case '{': return object();
      case '[': return list();
      case '"': return string();
      case 't': expect("true"); return true;
      case 'f': expect("false"); return false;
      case 'n': expect("null"); return nullptr;
      default: return number();
    }
  }

  Json list() {
    enter();
    Json::array_t values;
    skip_blanks();
    if (!take(']')) {
      do {
        values.push_back(any());
        skip_blanks();
      } while (take(','));
      expect(']');
    }
    --depth_;
    return values;
  }

  Json object() {
    enter();
    Json::object_t fields;
    skip_blanks();
    if (!take('}')) {
      do {
        skip_blanks();
        if (peek() != '"') fail();
        std::string name = string();
        skip_blanks();
        expect(':');
        fields[name] = any();  // of fields of one name the last counts
        skip_blanks();
      } while (take(','));
      expect('}');
    }
    --depth_;
    return fields;
  }

  void enter() {
    if (++depth_ > kDeepest) fail();
    ++at_;
  }

  void digits() {
    if (!is_digit(peek())) fail();
    while (is_digit(peek())) ++at_;
  }

  /// A whole number that 64 bits hold stays whole.
  Json number() {
    const std::size_t begin = at_;
    const bool negative = take('-');
    if (!take('0')) digits();
    bool whole = true;
    if (take('.')) {
      whole = false;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    const std::string_view token = text_.substr(begin, at_ - begin);
    const char* const end = token.data() + token.size();
    const auto fits = [&](auto& value) {
      return std::from_chars(token.data(), end, value).ec == std::errc();
    };
    if (whole) {
      std::int64_t with_sign = 0;
      std::uint64_t without = 0;
      if (negative ? fits(with_sign) : fits(without)) return negative ? Json(with_sign) : Json(without);
    }
    double value = 0.0;
    if (parse_number(token, value) != NumberFault::none) fail();
    return value;
  }

  std::string string() {
    ++at_;
    std::string result;
    for (;;) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<unsigned char>(text_[at_]) >= 0x20U &&
             static_cast<unsigned char>(text_[at_]) < 0x80U) {
        ++at_;
      }
      result += text_.substr(begin, at_ - begin);
      if (take('"')) return result;
      if (take('\\')) {
        escaped(result);
      } else if (static_cast<unsigned char>(peek()) >= 0x80U) {
        result += beyond_ascii();
      } else {
        fail();  // a control character, or the end
      }
    }
  }

  void escaped(std::string& result) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (take('u')) return append_utf8(result, code_point());
    const std::size_t which = kLetters.find(peek());
    if (at_ == text_.size() || which == std::string_view::npos) fail();
    ++at_;
    result += kMeant[which];
  }

  std::uint32_t four_hexadecimals() {
    std::uint32_t value = 0;
    for (int k = 0; k < 4; ++k) {
      unsigned digit = 0;
      if (at_ == text_.size() || std::from_chars(&text_[at_], &text_[at_] + 1, digit, 16).ec != std::errc())
        fail();
      value = 16U * value + digit;
      ++at_;
    }
    return value;
  }

  /// Of \uXXXX, or of the two halves that stand for one beyond U+FFFF.
  std::uint32_t code_point() {
    const std::uint32_t high = four_hexadecimals();
    if (high < 0xD800U || high > 0xDFFFU) return high;
    if (high > 0xDBFFU) fail();
    expect("\\u");
    const std::uint32_t low = four_hexadecimals();
    if (low < 0xDC00U || low > 0xDFFFU) fail();
    return 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U);
  }

  static void append_utf8(std::string& result, std::uint32_t code) {
    const auto byte = [&](std::uint32_t bits) { result += static_cast<char>(bits); };
    if (code < 0x80U) return byte(code);
    if (code < 0x800U) {
      byte(0xC0U | (code >> 6U));
    } else {
      if (code < 0x10000U) {
        byte(0xE0U | (code >> 12U));
      } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
      }
      byte(0x80U | ((code >> 6U) & 0x3FU));
    }
    byte(0x80U | (code & 0x3FU));
  }

  /// A character of two to four bytes as UTF-8 writes it: no longer than need be, no half of a pair, none above U+10FFFF.
  std::string_view beyond_ascii() {
    const std::size_t begin = at_;
    const auto first = static_cast<unsigned char>(next());
    if (first < 0xC2U || first > 0xF4U) fail();
    const int more = first < 0xE0U ? 1 : first < 0xF0U ? 2 : 3;
    for (int k = 0; k < more; ++k) {
      const auto byte = static_cast<unsigned char>(peek());
      unsigned char least = 0x80U;
      unsigned char most = 0xBFU;
      if (k == 0 && first == 0xE0U) least = 0xA0U;
      if (k == 0 && first == 0xEDU) most = 0x9FU;
      if (k == 0 && first == 0xF0U) least = 0x90U;
      if (k == 0 && first == 0xF4U) most = 0x8FU;
      if (byte < least || byte > most) fail();
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  try {
    return JsonParser(text).whole();
  } catch (const NotTaken&) {
    return std::nullopt;
  }
}

}  // namespace shapeboost::detail
