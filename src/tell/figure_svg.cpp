// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "ground/numbers.hpp"
#include "ground/text.hpp"
#include "tell/figure.hpp"

namespace shapeboost {
namespace {

using Rgb = std::array<double, 3>;

/// From weak to strong. Orange to dark red and light to dark blue differ in lightness and along the axis that
/// all but the rarest of the colour-blind see.
constexpr std::array<Rgb, 3> kWarm{{{244, 178, 110}, {222, 98, 42}, {140, 20, 20}}};
constexpr std::array<Rgb, 3> kCold{{{140, 190, 225}, {55, 125, 190}, {10, 45, 110}}};

constexpr std::array<std::pair<char, std::string_view>, 5> kMarks{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};

/// Bytes of the UTF-8 character that begins at `k`; 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t k) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(k) < 0x80                      ? 1
                             : byte(k) >= 0xC2 && byte(k) < 0xE0 ? 2
                             : byte(k) >= 0xE0 && byte(k) < 0xF0 ? 3
                             : byte(k) >= 0xF0 && byte(k) < 0xF5 ? 4
                                                                 : 0;
  if (length == 0 || k + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(k + i) & 0xC0U) != 0x80U) return 0;
  }
  if (length == 3) {
    const bool overlong = byte(k) == 0xE0 && byte(k + 1) < 0xA0;
    const bool surrogate = byte(k) == 0xED && byte(k + 1) >= 0xA0;
    const bool no_character = byte(k) == 0xEF && byte(k + 1) == 0xBF && byte(k + 2) >= 0xBE;
    if (overlong || surrogate || no_character) return 0;
  }
  if (length == 4 && ((byte(k) == 0xF0 && byte(k + 1) < 0x90) || (byte(k) == 0xF4 && byte(k + 1) >= 0x90))) {
    return 0;
  }
  return length;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t length = utf8_length(text, k);
    const char c = text[k];
    const bool control = length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F);
    const auto* const mark = std::ranges::find(kMarks, c, &std::pair<char, std::string_view>::first);
    out += length == 0 || control ? "\xEF\xBF\xBD"
           : mark != kMarks.end() ? mark->second
                                  : text.substr(k, length);
    k += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string diverging_colour(double share) {
  const std::array<Rgb, 3>& ramp = share >= 0.0 ? kWarm : kCold;
  const double along = 2.0 * std::min(1.0, std::abs(share));  // in this order, NaN is 1
  const std::size_t from = along < 1.0 ? 0 : 1;
  const double mix = along - real(from);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string colour = "#";
  for (std::size_t k = 0; k < 3; ++k) {
    const auto level = at(std::lround((1.0 - mix) * ramp[from][k] + mix * ramp[from + 1][k]));
    colour += kDigits[level / 16];
    colour += kDigits[level % 16];
  }
  return colour;
}

namespace detail {

std::string coordinate(double value) { return number(std::round(100.0 * value) / 100.0); }

std::string short_number(double value, int digits) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  return {buffer.data(), end.ptr};
}

std::string signed_number(double value) { return (value >= 0.0 ? "+" : "") + short_number(value); }

Svg::Svg(double width, double height, const std::string& title, const std::string& description) {
  text_ =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" viewBox=\"0 0 " +
      coordinate(width) + ' ' + coordinate(height) + "\" width=\"" + coordinate(width) + "\" height=\"" +
      coordinate(height) + "\" font-family=\"system-ui, sans-serif\">\n<title id=\"title\">" +
      escape_markup(title) + "</title>\n<desc id=\"desc\">" + escape_markup(description) + "</desc>\n";
  rect(0, 0, width, height, "#ffffff");
}

void Svg::text(double x, double y, std::string_view words, double size, Anchor anchor,
               std::string_view colour) {
  constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
  text_ += "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" font-size=\"" + coordinate(size) +
           "\" text-anchor=\"" + std::string(kAnchors[static_cast<std::size_t>(anchor)]) + "\" fill=\"" +
           std::string(colour) + "\">" + escape_markup(words) + "</text>\n";
}

void Svg::close(std::string_view tooltip, std::string_view element) {
  text_ += tooltip.empty()
               ? "/>\n"
               : "><title>" + escape_markup(tooltip) + "</title></" + std::string(element) + ">\n";
}

void Svg::line(const std::vector<Point>& points, std::string_view colour, double width,
               std::string_view tooltip) {
  std::string path;
  bool open = false;
  for (const Point& point : points) {
    if (std::isnan(point.y)) {
      open = false;
      continue;
    }
    path += (open ? 'L' : 'M') + coordinate(point.x) + ' ' + coordinate(point.y);
    open = true;
  }
  text_ += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" +
           coordinate(width) + "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
  close(tooltip, "path");
}

void Svg::rect(double x, double y, double width, double height, std::string_view colour,
               std::string_view tooltip) {
  text_ += "<rect x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(width) +
           "\" height=\"" + coordinate(height) + "\" fill=\"" + std::string(colour) + '"';
  close(tooltip, "rect");
}

void Svg::dot(double x, double y, double radius, std::string_view fill, std::string_view stroke) {
  text_ += "<circle cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) + "\" r=\"" + coordinate(radius) +
           "\" fill=\"" + std::string(fill) + "\" stroke=\"" + std::string(stroke) + "\"/>\n";
}

void Svg::axes(const Panel& panel, std::string_view x_label, bool upright) {
  const double bottom = panel.top + panel.height;
  line({{panel.left, panel.top}, {panel.left, bottom}, {panel.left + panel.width, bottom}}, "#8a8a8a", 1.0);
  constexpr int kTicks = 4;
  for (int k = 0; k <= kTicks; ++k) {
    const double x = panel.x_min + (panel.x_max - panel.x_min) * k / kTicks;
    text(panel.x(x), bottom + 15.0, short_number(std::round(x), 6), 11.0, Anchor::middle, "#555555");
  }
  for (int k = 0; upright && k <= 2; ++k) {
    const double y = panel.y_min + (panel.y_max - panel.y_min) * k / 2;
    text(panel.left - 6.0, panel.y(y) + 4.0, short_number(y, 3), 11.0, Anchor::end, "#555555");
  }
  text(panel.left + panel.width / 2.0, bottom + 30.0, x_label, 11.0, Anchor::middle, "#555555");
}

std::string Svg::finish() && { return std::move(text_) + "</svg>\n"; }

}  // namespace detail
}  // namespace shapeboost
