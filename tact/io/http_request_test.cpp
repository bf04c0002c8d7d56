// io/http_request_test.cpp - requests as browsers send them, and those nobody should answer.
#include "tact/io/http_request.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

using namespace std::string_literals;

const std::string good =
    "GET /token/live HTTP/1.1\r\nHost: localhost:8080\r\nConnection:  keep-alive , Upgrade \r\n"
    "X-Empty:\r\nUpgrade: websocket\r\n\r\n";

int status_of(const std::string& bytes) {
  HttpRequest out;
  std::size_t size = 0;
  int status = 0;
  const RequestFound found = take_request(bytes, out, size, status);
  if (found == RequestFound::whole) return 200;
  return found == RequestFound::partial ? 0 : status;
}

TEST(HttpRequest, IsReadAsItIs) {
  HttpRequest out;
  std::size_t size = 0;
  int status = 0;
  ASSERT_EQ(take_request(good + "rest", out, size, status), RequestFound::whole);
  EXPECT_EQ(size, good.size());
  EXPECT_EQ(out.method, "GET");
  EXPECT_EQ(out.target, "/token/live");
  EXPECT_EQ(out.header("host"), "localhost:8080");
  EXPECT_EQ(out.header("x-empty"), "");
  EXPECT_EQ(out.header("cookie"), std::nullopt);
  EXPECT_TRUE(out.lists("connection", "upgrade"));
  EXPECT_TRUE(out.lists("connection", "Keep-Alive"));
  EXPECT_FALSE(out.lists("connection", "up"));
  for (std::size_t cut = 0; cut < good.size(); ++cut)
    EXPECT_EQ(take_request(good.substr(0, cut), out, size, status), RequestFound::partial) << cut;
}

TEST(HttpRequest, WhatIsNotExactlyOneIsRefused) {
  const std::string host = "\r\nHost: a\r\n";
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400) << "no host";
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "Host: b\r\n\r\n"), 400) << "two hosts";
  EXPECT_EQ(status_of("GET / HTTP/1.0" + host + "\r\n"), 505);
  EXPECT_EQ(status_of("GET / FTP/1.1" + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET /  HTTP/1.1" + host + "\r\n"), 400) << "two blanks";
  EXPECT_EQ(status_of("GET /"s + '\0' + " HTTP/1.1" + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET /\xff HTTP/1.1" + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET http://a/ HTTP/1.1" + host + "\r\n"), 400) << "absolute";
  EXPECT_EQ(status_of("GET *" + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET * HTTP/1.1" + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + " folded\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "No colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "Na me: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "A: \x01\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1" + host + "A: b\nC: d\r\n\r\n"), 400) << "bare line feed";
  EXPECT_EQ(status_of("POST / HTTP/1.1" + host + "Content-Length: 5\r\n\r\n"), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1" + host + "Content-Length: 0\r\n\r\n"), 200);
  EXPECT_EQ(status_of("POST / HTTP/1.1" + host + "Transfer-Encoding: chunked\r\n\r\n"), 501);
  EXPECT_EQ(status_of("\r\n\r\n"), 400);
}

TEST(HttpRequest, IsBounded) {
  EXPECT_EQ(status_of("GET /" + std::string(largest_request, 'a')), 414);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(largest_request, 'a')), 431);
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (std::size_t i = 0; i < most_request_headers; ++i) many += "A: b\r\n";
  EXPECT_EQ(status_of(many + "\r\n"), 431);
}

TEST(HttpRequest, NamesOfHosts) {
  EXPECT_EQ(host_name("LocalHost:80"), "localhost");
  EXPECT_EQ(host_name("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(host_name("[::1]:8080"), "::1");
  for (const char* bad :
       {"", ":80", "a:b", "a:123456", "[::1", "[::1]x", "a b", "a/b", "a@b", "[x]"})
    EXPECT_EQ(host_name(bad), std::nullopt) << bad;
  EXPECT_TRUE(is_loopback_name("localhost"));
  EXPECT_TRUE(is_loopback_name("::1"));
  EXPECT_FALSE(is_loopback_name("127.0.0.1.evil.example"));
  EXPECT_FALSE(is_loopback_name("evil.example"));
}

TEST(HttpRequest, SecretsAreCompared) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
}

TEST(HttpRequest, WhateverTheBytesAreReadingEnds) {
  Rng rng(3);
  const std::string letters = "GET /:\r\n\r\nHost HTTP/1.1a\t\x01\xff,";
  for (int k = 0; k < 20000; ++k) {
    std::string bytes = k % 2 == 0 ? good : "";
    const int changes = static_cast<int>(rng.uniform(0, 30));
    for (int i = 0; i < changes; ++i) {
      const char c = letters[static_cast<std::size_t>(rng.uniform(0, 1) * 0.999 *
                                                      static_cast<double>(letters.size()))];
      if (bytes.empty() || k % 2 == 1)
        bytes.push_back(c);
      else
        bytes[static_cast<std::size_t>(rng.uniform(0, 0.999) * static_cast<double>(bytes.size()))] =
            c;
    }
    HttpRequest out;
    std::size_t size = 0;
    int status = 0;
    const RequestFound found = take_request(bytes, out, size, status);
    if (found == RequestFound::whole) {
      EXPECT_LE(size, bytes.size());
      EXPECT_TRUE(out.target.starts_with('/'));
      EXPECT_TRUE(out.header("host").has_value());
    }
    if (found == RequestFound::refused) EXPECT_GE(status, 400);
    (void)host_name(bytes);
  }
}

}  // namespace
}  // namespace tact
