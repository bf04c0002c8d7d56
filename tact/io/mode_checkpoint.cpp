#include "tact/io/mode_checkpoint.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

#include "tact/base/hash.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t hex_number(const JsonField& field) {
  const std::string text = field.text();
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size())
    field.refuse(Errc::value, "write a hexadecimal number");
  return value;
}

std::uint64_t hash_number(const JsonField& field) {
  const std::uint64_t value = hex_number(field);
  if (value >= ModeHash::prime) field.refuse(Errc::value, "hashes of modes are below 2^61 - 1");
  return value;
}

ModeCount count_number(const JsonField& field) {
  constexpr std::size_t most_digits = 38;  // of 127 bits
  const std::string text = field.text();
  ModeCount value = 0;
  bool good = !text.empty() && text.size() <= most_digits;
  for (const char c : text) {
    good = good && c >= '0' && c <= '9';
    if (good) value = value * 10 + static_cast<ModeCount>(c - '0');
  }
  if (!good) field.refuse(Errc::value, "write a count as digits in quotes");
  return value;
}

Json counts_json(const std::vector<ModeCount>& counts) {
  Json out = Json::array();
  for (const ModeCount count : counts) out.push_back(to_string(count));
  return out;
}

std::vector<ModeCount> counts_from(const JsonField& field) {
  std::vector<ModeCount> out;
  for (const JsonField& element : field.elements("a list of counts in quotes"))
    out.push_back(count_number(element));
  return out;
}

}  // namespace

std::uint64_t work_digest(const ModeSystem& system, const ModeOptions& options, bool visit) {
  StateHash hash;
  hash.add(static_cast<std::uint64_t>(system.dof()));
  for (Index i = 0; i < system.rows.rows(); ++i)
    for (Index j = 0; j < system.dof(); ++j) hash.add(system.rows(i, j));
  for (const ModeContact& contact : system.contacts)
    hash.add(static_cast<std::uint64_t>(contact.tangents));
  for (const ExactEntry& entry : system.exact) {
    hash.add(static_cast<std::uint64_t>(entry.row));
    hash.add(static_cast<std::uint64_t>(entry.column));
    hash.add(std::string_view(entry.value.numerator));
    hash.add(std::string_view(entry.value.denominator));
  }
  hash.add(static_cast<std::uint64_t>(options.policy));
  if (options.policy == ModePolicy::tolerance) hash.add(options.tolerance);
  hash.add(static_cast<std::uint64_t>(options.kind));
  hash.add(static_cast<std::uint64_t>(visit));
  // Blocks of another method are other blocks; automatic always chooses the same.
  if (options.method != ModeMethod::automatic) hash.add(static_cast<std::uint64_t>(options.method));
  return hash.value();
}

std::string write_mode_checkpoint(const ModeTotals& totals, std::uint64_t digest) {
  Json out;
  out["format"] = std::string(mode_checkpoint_format);
  out["work"] = hex_text(digest);
  out["next_block"] = hex_text(totals.next);
  out["hash"] = {hex_text(totals.hash.value()), hex_text(totals.hash.power())};
  out["inconsistent"] = totals.inconsistent;
  out["parts"] = Json::array();
  for (const ModeTotals::Part& part : totals.parts)
    out["parts"].push_back({{"cs_by_dim", counts_json(part.cs_by_dim)},
                            {"full_by_dim", counts_json(part.full_by_dim)}});
  return json_text(out.dump());
}

Result<ModeTotals> read_mode_checkpoint(std::string_view text, const std::string& source,
                                        std::uint64_t digest) {
  const JsonDocument document(text, source);
  const JsonField root = document.root();
  root.allow_only({"format", "work", "next_block", "hash", "inconsistent", "parts"});
  (void)root.required("format", "a checkpoint of tact modes says so")
      .word({mode_checkpoint_format}, "the format");
  const std::uint64_t work = hex_number(root.required("work", "the digest of the work"));
  ModeTotals out;
  out.next = hex_number(root.required("next_block", "where to go on"));
  const auto hash = root.required("hash", "value and power").elements("[value, power]");
  if (hash.size() == 2)
    out.hash = ModeHash::restore(hash_number(hash[0]), hash_number(hash[1]));
  else
    root.required("hash", "value and power").refuse(Errc::value, "write [value, power]");
  out.inconsistent = root.required("inconsistent", "true or false").boolean();
  for (const JsonField& part : root.required("parts", "a list").elements("a list of parts")) {
    part.allow_only({"cs_by_dim", "full_by_dim"});
    out.parts.push_back({counts_from(part.required("cs_by_dim", "a list")),
                         counts_from(part.required("full_by_dim", "a list"))});
  }
  if (document.error()) return *document.error();
  if (work != digest)
    return Error{Errc::value, concat({source,
                                      ": this is a checkpoint of another problem or of other "
                                      "options; resume with the ones it was made with"})};
  return out;
}

}  // namespace tact
