#include "tact/io/gzip.hpp"

#include <algorithm>

#include <zlib.h>

#include "tact/base/expects.hpp"

namespace tact {

namespace {

constexpr int gzip_window = MAX_WBITS + 16;  ///< zlib's way to ask for the gzip wrapper
constexpr std::size_t most = std::size_t{1} << 28;
constexpr std::size_t block = std::size_t{1} << 18;

void set_input(z_stream& stream, std::string_view bytes) {
  // zlib reads through a pointer to mutable bytes and does not write there.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
}

/// Room for another block at the end of `out`.
void set_output(z_stream& stream, std::string& out) {
  const std::size_t size = out.size();
  out.resize(size + block);
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + size);
  stream.avail_out = static_cast<uInt>(block);
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

Result<std::string> gunzip(std::string_view bytes, const std::string& source) {
  const auto failure = [&](const std::string& sentence) {
    return Error{Errc::parse, source + ": " + sentence};
  };
  if (bytes.size() > most) return failure("is larger than 256 MiB; name another file");
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK)
    return failure("cannot be decompressed, there is not enough memory");
  set_input(stream, bytes);
  std::string out;
  int status = Z_OK;
  while (status == Z_OK && out.size() <= most) {
    set_output(stream, out);
    status = inflate(&stream, Z_NO_FLUSH);
    out.erase(out.size() - stream.avail_out);
    // Several compressed parts after each other are one file.
    if (status == Z_STREAM_END && stream.avail_in > 0) status = inflateReset(&stream);
  }
  const std::string place = "byte " + std::to_string(stream.total_in);
  inflateEnd(&stream);
  if (status == Z_STREAM_END) return out;
  if (status == Z_OK) return failure("decompresses to more than 256 MiB; name another file");
  if (status == Z_BUF_ERROR)
    return failure("the compressed data ends early, after " + place + "; copy the file again");
  return failure("the compressed data is damaged near " + place + "; copy the file again");
}

std::string gzip(std::string_view bytes) {
  TACT_EXPECTS(bytes.size() <= most);
  z_stream stream{};
  constexpr int memory_level = 8;
  const int made = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window,
                                memory_level, Z_DEFAULT_STRATEGY);
  TACT_EXPECTS(made == Z_OK);
  set_input(stream, bytes);
  std::string out;
  int status = Z_OK;
  while (status == Z_OK) {
    set_output(stream, out);
    status = deflate(&stream, Z_FINISH);
    out.erase(out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace tact
