// io/websocket_test.cpp - the vectors of RFC 6455, 3174 and 4648, and bytes that are none.
#include "tact/io/websocket.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/io/sha1.hpp"

namespace tact {
namespace {

using namespace std::string_literals;

std::string hex(const std::array<std::uint8_t, 20>& digest) {
  std::string out;
  for (const std::uint8_t b : digest) {
    out.push_back("0123456789abcdef"[b >> 4U]);
    out.push_back("0123456789abcdef"[b & 15U]);
  }
  return out;
}

// RFC 3174, 7.3, and FIPS 180's empty message.
TEST(Sha1, VectorsOfTheStandard) {
  EXPECT_EQ(hex(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex(sha1(std::string(1'000'000, 'a'))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  std::string eighty;
  for (int i = 0; i < 10; ++i)
    eighty += "0123456701234567012345670123456701234567012345670123456701234567";
  EXPECT_EQ(hex(sha1(eighty)), "dea356a2cddd90c7a7ecedc5ebb563934f460452");
}

// RFC 4648, 10.
TEST(Base64, VectorsOfTheStandard) {
  const char* pairs[][2] = {{"", ""},
                            {"f", "Zg=="},
                            {"fo", "Zm8="},
                            {"foo", "Zm9v"},
                            {"foob", "Zm9vYg=="},
                            {"fooba", "Zm9vYmE="},
                            {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : pairs) {
    EXPECT_EQ(base64(plain), coded);
    EXPECT_TRUE(is_base64_of(coded, std::string_view(plain).size())) << coded;
  }
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
  EXPECT_FALSE(is_base64_of("Zg=", 1));
  EXPECT_FALSE(is_base64_of("Zm9v", 2));
  EXPECT_FALSE(is_base64_of("Zm 8=", 2));
  EXPECT_FALSE(is_base64_of("Z===", 1));
}

HttpRequest handshake() {
  HttpRequest out;
  out.method = "GET";
  out.target = "/chat";
  out.headers = {{"host", "localhost"},
                 {"upgrade", "WebSocket"},
                 {"connection", "keep-alive, Upgrade"},
                 {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="},
                 {"sec-websocket-version", "13"}};
  return out;
}

// RFC 6455, 1.3.
TEST(WebSocket, TheHandshakeOfTheStandard) {
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(upgrade_status(handshake()), 101);
  HttpRequest r = handshake();
  r.headers[4].second = "8";
  EXPECT_EQ(upgrade_status(r), 426);
  for (std::size_t i = 1; i < 4; ++i) {
    r = handshake();
    r.headers[i].second = "nothing";
    EXPECT_EQ(upgrade_status(r), 400) << i;
  }
  r = handshake();
  r.method = "POST";
  EXPECT_EQ(upgrade_status(r), 400);
  r = handshake();
  r.headers.push_back(r.headers[3]);
  EXPECT_EQ(upgrade_status(r), 400) << "two keys are none";
}

ClientFrame taken(const std::string& bytes) {
  ClientFrame out;
  std::size_t size = 0;
  std::uint16_t code = 0;
  EXPECT_EQ(take_frame(bytes, 4096, out, size, code), FrameFound::whole);
  EXPECT_EQ(size, bytes.size());
  return out;
}

std::uint16_t refused(const std::string& bytes) {
  ClientFrame out;
  std::size_t size = 0;
  std::uint16_t code = 0;
  EXPECT_EQ(take_frame(bytes, 4096, out, size, code), FrameFound::refused);
  return code;
}

std::string client_frame(std::uint8_t first, const std::string& payload) {
  const std::string mask = "\x37\xfa\x21\x3d"s;
  std::string out(1, static_cast<char>(first));
  if (payload.size() < 126) {
    out.push_back(static_cast<char>(0x80U | payload.size()));
  } else {
    out += "\xfe"s;
    out.push_back(static_cast<char>(payload.size() >> 8U));
    out.push_back(static_cast<char>(payload.size() & 0xffU));
  }
  out += mask;
  for (std::size_t i = 0; i < payload.size(); ++i)
    out.push_back(static_cast<char>(payload[i] ^ mask[i % 4]));
  return out;
}

// RFC 6455, 5.7.
TEST(WebSocket, TheFramesOfTheStandard) {
  EXPECT_EQ(frame_bytes(FrameKind::text, "Hello"), "\x81\x05Hello"s);
  const ClientFrame hello = taken("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s);
  EXPECT_EQ(hello.payload, "Hello");
  EXPECT_TRUE(hello.last);
  EXPECT_EQ(hello.kind, FrameKind::text);
  EXPECT_EQ(frame_bytes(FrameKind::ping, "Hello"), "\x89\x05Hello"s);
  EXPECT_EQ(taken("\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s).kind, FrameKind::pong);
  EXPECT_EQ(frame_head(FrameKind::binary, 256), "\x82\x7e\x01\x00"s);
  EXPECT_EQ(frame_head(FrameKind::binary, 65536), "\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"s);
  EXPECT_EQ(close_frame(1000), "\x88\x02\x03\xe8"s);
}

TEST(WebSocket, EveryPrefixOfAFrameIsPartial) {
  const std::string bytes = client_frame(0x81, std::string(300, 'x'));
  ClientFrame out;
  std::size_t size = 0;
  std::uint16_t code = 0;
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_EQ(take_frame(bytes.substr(0, cut), 4096, out, size, code), FrameFound::partial) << cut;
  EXPECT_EQ(taken(bytes).payload, std::string(300, 'x'));
}

TEST(WebSocket, BrokenRulesAreRefused) {
  EXPECT_EQ(refused("\x81\x05Hello"s), close_code::protocol_error) << "not masked";
  EXPECT_EQ(refused(client_frame(0x91, "x")), close_code::protocol_error) << "reserved bit";
  EXPECT_EQ(refused(client_frame(0x83, "x")), close_code::protocol_error) << "unknown kind";
  EXPECT_EQ(refused(client_frame(0x09, "x")), close_code::protocol_error) << "ping in parts";
  EXPECT_EQ(refused(client_frame(0x89, std::string(126, 'x'))), close_code::protocol_error)
      << "long ping";
  EXPECT_EQ(refused("\x82\xfe\x00\x05\x01\x02\x03\x04....."s), close_code::protocol_error)
      << "not the shortest form";
  EXPECT_EQ(refused("\x82\xfe\x20\x00"s), close_code::too_large) << "said before it is read";
  EXPECT_EQ(refused("\x82\xff\x80\x00\x00\x00\x00\x00\x00\x00"s), close_code::protocol_error);
}

TEST(WebSocket, MessagesComeInParts) {
  using Kind = ClientEvent::Kind;
  ClientMessages box;
  EXPECT_EQ(box.take(taken(client_frame(0x01, "{\"fr"))).kind, Kind::nothing);
  const ClientEvent ping = box.take(taken(client_frame(0x89, "now")));
  EXPECT_EQ(ping.kind, Kind::ping) << "between the parts";
  EXPECT_EQ(ping.payload, "now");
  const ClientEvent text = box.take(taken(client_frame(0x80, "om\": 0}")));
  EXPECT_EQ(text.kind, Kind::text);
  EXPECT_EQ(text.payload, "{\"from\": 0}");
  EXPECT_EQ(box.take(taken(client_frame(0x80, "more"))).code, close_code::protocol_error)
      << "continues nothing";
  EXPECT_EQ(box.take(taken(client_frame(0x82, "\xff"s))).kind, Kind::binary);
  EXPECT_EQ(box.take(taken(client_frame(0x81, "\xff"s))).code, close_code::not_utf8);
  EXPECT_EQ(box.take(taken(client_frame(0x88, "\x03\xe8 bye"s))).kind, Kind::close);
  EXPECT_EQ(box.take(taken(client_frame(0x88, "\x03"s))).kind, Kind::refuse);
  EXPECT_EQ(box.take(taken(client_frame(0x88, "\x03\xed"s))).kind, Kind::refuse) << "1005";
  ClientMessages small{8, {}, {}};
  (void)small.take(taken(client_frame(0x01, "12345")));
  EXPECT_EQ(small.take(taken(client_frame(0x80, "6789"))).code, close_code::too_large);
  ClientMessages two;
  (void)two.take(taken(client_frame(0x01, "a")));
  EXPECT_EQ(two.take(taken(client_frame(0x81, "b"))).kind, Kind::refuse) << "a new one inside";
}

TEST(WebSocket, TextIsUtf8) {
  for (const std::string& good : {""s, "a"s, "\xc2\xb5"s, "\xe2\x88\x9e"s, "\xf0\x9f\x99\x82"s})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const std::string& bad : {"\x80"s, "\xc0\xaf"s, "\xe0\x80\xaf"s, "\xed\xa0\x80"s,
                                 "\xf4\x90\x80\x80"s, "\xe2\x88"s, "\xff"s, "a\xc2"s})
    EXPECT_FALSE(is_utf8(bad));
}

TEST(WebSocket, WhateverTheBytesAreReadingEnds) {
  Rng rng(7);
  for (int k = 0; k < 20000; ++k) {
    std::string bytes;
    const int length = static_cast<int>(rng.uniform(0, 40));
    for (int i = 0; i < length; ++i)
      bytes.push_back(static_cast<char>(static_cast<int>(rng.uniform(0, 256))));
    if (k % 2 == 0 && length > 1) {  // half of them begin well
      bytes[0] = static_cast<char>(0x80 | (static_cast<unsigned char>(bytes[0]) % 3));
      bytes[1] = static_cast<char>(0x80 | (static_cast<unsigned char>(bytes[1]) % 32));
    }
    ClientMessages box;
    std::size_t at = 0;
    while (true) {
      ClientFrame frame;
      std::size_t size = 0;
      std::uint16_t code = 0;
      const FrameFound found =
          take_frame(std::string_view(bytes).substr(at), 64, frame, size, code);
      if (found == FrameFound::refused) EXPECT_GE(code, 1002);
      if (found != FrameFound::whole) break;
      ASSERT_GE(size, 6U);
      ASSERT_LE(at + size, bytes.size());
      at += size;
      if (box.take(std::move(frame)).kind == ClientEvent::Kind::refuse) break;
    }
  }
}

}  // namespace
}  // namespace tact
