// SPDX-License-Identifier: MIT
// gzip in memory, by way of zlib.
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "ground/file.hpp"
#include "ground/stop.hpp"
#include "ground/text.hpp"
#include "shapeboost/base.hpp"

namespace shapeboost {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's largest window; + 16 asks for gzip's head and checksum
constexpr std::size_t kPieceBytes = std::size_t{1} << 18U;

// zlib counts in unsigned int: larger inputs are handed over in pieces.
uInt piece(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// Ends the stream on every way out.
struct Inflating {
  z_stream stream{};
  ~Inflating() { inflateEnd(&stream); }
};
struct Deflating {
  z_stream stream{};
  ~Deflating() { deflateEnd(&stream); }
};

// zlib reads from pointers to non-const, but does not write there.
Bytef* bytes_of(std::string_view text) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::size_t most_unzipped(std::size_t packed) {
  constexpr std::size_t kAlways = std::size_t{1} << 28U;
  constexpr std::size_t kNever = std::size_t{1} << 33U;
  constexpr std::size_t kTimes = 100;
  return packed > kNever / kTimes ? kNever : std::max(kAlways, kTimes * packed);
}

std::string gunzip(std::string_view bytes, const std::string& name) {
  return gunzip(bytes, name, most_unzipped(bytes.size()));
}

std::string gunzip(std::string_view bytes, const std::string& name, std::size_t most) {
  const auto damaged = [&name](const std::string& how) -> InvalidInput {
    return InvalidInput(name + ": the gzip file is damaged: " + how);
  };
  Inflating inflating;
  z_stream& z = inflating.stream;
  if (inflateInit2(&z, kGzipWindow) != Z_OK) throw Error("zlib cannot be set up");
  std::string text;
  std::string room(kPieceBytes, '\0');
  StopMeter meter;
  bool member_ended = false;  // a gzip file may be several, one behind the other
  while (!bytes.empty()) {
    if (member_ended && !is_gzip(bytes)) throw damaged("there is something behind its end");
    member_ended = false;
    z.next_in = bytes_of(bytes);
    z.avail_in = piece(bytes.size());
    const uInt given = z.avail_in;
    int answer = Z_OK;
    do {
      z.next_out = reinterpret_cast<Bytef*>(room.data());
      z.avail_out = piece(room.size());
      answer = inflate(&z, Z_NO_FLUSH);
      if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
        throw damaged(z.msg != nullptr ? z.msg : "its data make no sense");
      text.append(room.data(), room.size() - z.avail_out);
      meter.add(static_cast<std::int64_t>(room.size() - z.avail_out));
      if (text.size() > most) {
        throw InvalidInput(concat(name, ": the gzip file unpacks to more than ", most, " bytes"));
      }
    } while (answer == Z_OK && (z.avail_in > 0 || z.avail_out == 0));
    bytes.remove_prefix(given - z.avail_in);
    if (answer == Z_STREAM_END) {
      member_ended = true;
      inflateReset(&z);
    }
  }
  if (!member_ended) throw damaged("it ends too early");
  return text;
}

std::string gzip(std::string_view text) {
  Deflating deflating;
  z_stream& z = deflating.stream;
  constexpr int kMemory = 8;  // zlib's default
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("zlib cannot be set up");
  std::string packed;
  std::string room(kPieceBytes, '\0');
  int answer = Z_OK;
  while (answer != Z_STREAM_END) {
    z.next_in = bytes_of(text);
    z.avail_in = piece(text.size());
    const uInt given = z.avail_in;
    z.next_out = reinterpret_cast<Bytef*>(room.data());
    z.avail_out = piece(room.size());
    answer = deflate(&z, given == text.size() ? Z_FINISH : Z_NO_FLUSH);
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
      throw Error("zlib cannot compress");
    packed.append(room.data(), room.size() - z.avail_out);
    text.remove_prefix(given - z.avail_in);
  }
  return packed;
}

}  // namespace shapeboost
