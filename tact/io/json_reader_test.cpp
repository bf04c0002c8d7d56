#include "tact/io/json_reader.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/json_text.hpp"
#include "tact/io/json_tree.hpp"

namespace tact {
namespace {

std::string complaint(const JsonDocument& document) {
  return document.error() ? document.error()->message : "none";
}
std::string parse_complaint(const std::string& text) {
  return complaint(JsonDocument(text, "f.json"));
}

TEST(NearestDouble, ReadsDecimalsAndFractions) {
  EXPECT_EQ(nearest_double("0.1"), 0.1);
  EXPECT_EQ(nearest_double("-1/2"), -0.5);
  EXPECT_EQ(nearest_double("+3"), 3.0);
  EXPECT_EQ(nearest_double("1e-3"), 0.001);
  EXPECT_EQ(nearest_double("1/3"), 1.0 / 3.0);
  EXPECT_EQ(nearest_double("999999999999999/7"), 999999999999999.0 / 7);
}

TEST(NearestDouble, RefusesWhatIsNoFiniteRational) {
  for (const char* text : {"", "nan", "inf", "1e999", "1/0", "1/-2", "0x10", "1 ", " 1", "1/2/3",
                           "1.5/2", "1234567890123456/3", "abc", "--1", "1e", "/2", "1/"})
    EXPECT_FALSE(nearest_double(text)) << text;
}

TEST(ClosestWord, FindsTyposOnly) {
  EXPECT_EQ(closest_word("frction", {"format", "friction"}), "friction");
  EXPECT_EQ(closest_word("firction", {"format", "friction"}), "friction");
  EXPECT_EQ(closest_word("zzz", {"format", "friction"}), std::nullopt);
  EXPECT_EQ(closest_word("m", {"mu"}), "mu");
}

TEST(JsonReader, ReadsTypedValues) {
  const JsonDocument d(R"({"a": 1, "b": ["1/4", -2.5], "c": "text", "m": [[1, 2], [3, 4]]})", "f");
  const JsonField root = d.root();
  root.allow_only({"a", "b", "c", "m"});
  EXPECT_EQ(root.optional("a").number(), 1);
  EXPECT_EQ(root.optional("b").numbers(2, "two"), Vec2(0.25, -2.5));
  EXPECT_EQ(root.optional("b").all_numbers("numbers").size(), 2U);
  EXPECT_EQ(root.optional("c").text(), "text");
  EXPECT_EQ(root.optional("c").word({"other", "text"}, "it"), "text");
  EXPECT_EQ(root.optional("m").matrix(2, 2, "m")(1, 0), 3);
  EXPECT_FALSE(root.optional("z").exists());
  EXPECT_EQ(complaint(d), "none");
}

TEST(JsonReader, KeepsExactRationalsAsWritten) {
  const JsonDocument d(R"({"a": "1/3", "b": [0.5, "0.10"], "c": "x"})", "f");
  EXPECT_EQ(d.root().optional("a").number(), 1.0 / 3);
  EXPECT_EQ(d.root().optional("b").numbers(2, "two"), Vec2(0.5, 0.1));
  const std::map<std::string, std::string> kept = {{"a", "1/3"}, {"b[1]", "0.10"}};
  EXPECT_EQ(d.exact_numbers(), kept);
  EXPECT_EQ(d.root().optional("a").number_kept_as("m[0][1]"), 1.0 / 3);
  EXPECT_EQ(d.exact_numbers().at("m[0][1]"), "1/3");
  EXPECT_EQ(d.root().optional("c").number(), 0);
  EXPECT_EQ(d.exact_numbers().count("c"), 0U);
}

TEST(JsonReader, ReadsWholeNumbersAndTruth) {
  const auto told = [](const std::string& value, auto&& ask) {
    const JsonDocument d("{\"a\": " + value + "}", "f.json");
    ask(d.root().optional("a"));
    return complaint(d);
  };
  const auto whole = [](const JsonField& f) { EXPECT_EQ(f.integer(0, 9, "from 0 to 9"), 7); };
  const auto bad = [](const JsonField& f) { EXPECT_EQ(f.integer(0, 9, "from 0 to 9"), 0); };
  EXPECT_EQ(told("7", whole), "none");
  for (const char* value : {"7.5", "-1", "10", "1e300"})
    EXPECT_TRUE(told(value, bad).ends_with("; from 0 to 9")) << value;
  EXPECT_EQ(told("\"7\"", bad), "f.json: a is \"7\"; from 0 to 9");
  EXPECT_EQ(told("true", [](const JsonField& f) { EXPECT_TRUE(f.boolean()); }), "none");
  EXPECT_EQ(told("1", [](const JsonField& f) { EXPECT_FALSE(f.boolean()); }),
            "f.json: a is 1; write true or false");
}

TEST(JsonReader, SaysWhereTheTextStopsBeingJson) {
  EXPECT_TRUE(
      parse_complaint("{\n  \"a\": [1, 2\n}").starts_with("f.json:3:1: a[2] is not JSON: "));
  EXPECT_TRUE(parse_complaint("").starts_with("f.json:1:1: the file is not JSON: "));
  EXPECT_TRUE(parse_complaint("{} x").starts_with("f.json:1:4: "));
  for (const char* text :
       {"", "{", "[1,,2]", "{\"a\" 1}", "\xff\xfe", "{\"a\": tru}", "{\"\\u12\": 1}"})
    EXPECT_EQ(parse_complaint(text).find('\n'), std::string::npos) << text;
}

TEST(JsonReader, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(parse_complaint(R"({"a": [1, NaN]})"), "f.json: a[1] is NaN; write a finite number");
  EXPECT_EQ(parse_complaint(R"({"a": {"b": -Infinity}})"),
            "f.json: a.b is -Infinity; write a finite number");
  EXPECT_EQ(parse_complaint(R"({"a": 1e999})"), "f.json: a is 1e999; write a finite number");
}

TEST(JsonReader, RefusesNamesThatOccurTwiceAndEndlessNesting) {
  EXPECT_EQ(parse_complaint(R"({"p": {"a": 1, "a": 2}})"),
            "f.json: p.a occurs twice; keep one of the two");
  const std::string deep(100000, '[');
  EXPECT_NE(parse_complaint(deep).find("nested too deeply"), std::string::npos);
}

TEST(JsonReader, NamesTheUnknownFieldAndTheOneThatWasMeant) {
  const JsonDocument d(R"({"friction": {"mue": 0.3}})", "f.json");
  d.root().optional("friction").allow_only({"law", "mu"});
  EXPECT_EQ(complaint(d),
            "f.json: friction.mue is 0.3; friction has no such field, did you mean \"mu\"? (known "
            "fields: "
            "law, mu)");
}

TEST(JsonReader, KeepsTheFirstComplaint) {
  const JsonDocument d(R"({"a": "x", "b": [1]})", "f.json");
  EXPECT_EQ(d.root().optional("a").number(), 0);
  EXPECT_EQ(d.root().optional("b").numbers(2, "two numbers"), Vec2::Zero());
  EXPECT_TRUE(complaint(d).starts_with("f.json: a is \"x\"; write a finite number"));
}

TEST(JsonReader, NamesSizesWordsAndBounds) {
  const auto told = [](auto&& ask) {
    const JsonDocument d(R"({"a": [1, 2, 3], "w": "fast", "n": -2, "o": {"x": 1}})", "f.json");
    ask(d.root());
    return complaint(d);
  };
  EXPECT_EQ(told([](const JsonField& r) { (void)r.optional("a").numbers(2, "a point is [x, y]"); }),
            "f.json: a is [1, 2, 3]; a point is [x, y], and this has 3");
  EXPECT_EQ(told([](const JsonField& r) { (void)r.optional("w").word({"slow"}, "a speed"); }),
            "f.json: w is \"fast\"; a speed is one of slow");
  EXPECT_EQ(
      told([](const JsonField& r) { (void)r.optional("n").number_at_least(0, "not below 0"); }),
      "f.json: n is -2; not below 0");
  EXPECT_EQ(told([](const JsonField& r) { (void)r.optional("o").number(); }).substr(0, 23),
            "f.json: o is {\"x\": 1}; ");
  EXPECT_EQ(told([](const JsonField& r) { (void)r.required("q", "write it"); }),
            "f.json: q is missing; write it");
}

TEST(JsonTree, ShortensLongValuesAndKeepsThemOnOneLine) {
  EXPECT_EQ(detail::printable("a\nb\x01"), "a b ");
  EXPECT_EQ(detail::printable(std::string(100, 'x')).size(), 63U);
  // A character of two bytes is not cut in half.
  std::string umlauts;
  for (int i = 0; i < 50; ++i) umlauts += "\u00fc";
  EXPECT_EQ(detail::printable("a" + umlauts).size() % 2, 0U);
}

TEST(JsonText, LaysOutAndKeepsNumbers) {
  EXPECT_EQ(json_text(R"({"a":[1,0.1,-0.0],"b":{"c":"x"},"d":[]})"),
            "{\n  \"a\": [1, 0.1, 0],\n  \"b\": {\n    \"c\": \"x\"\n  },\n  \"d\": []\n}\n");
}

}  // namespace
}  // namespace tact
