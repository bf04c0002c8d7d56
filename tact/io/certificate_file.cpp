// io/certificate_file.cpp - one layout for doubles and rationals.
#include "tact/io/certificate_file.hpp"

#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include "tact/io/exact_number.hpp"
#include "tact/io/json_reader.hpp"
#include "tact/io/json_text.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

// ---------------------------------------------------------------------------------------- writing

Json number(double x) {
  return x;
}
Json number(const Exact& x) {
  return x.get_str();
}

template <class T>
Json list(const std::vector<T>& x) {
  Json out = Json::array();
  for (const T& v : x) out.push_back(number(v));
  return out;
}

template <class T>
Json pieces_json(const Distribution<T>& pieces) {
  Json out = Json::array();
  for (const auto& own : pieces) {
    Json contact = Json::array();
    for (const auto& piece : own) {
      Json p = {{"weight", number(piece.weight)}};
      if (!piece.member.empty()) {
        p["member"] = piece.member;
        p["s"] = Json::array();
        for (const auto& s : piece.s) p["s"].push_back(list(s));
      }
      contact.push_back(std::move(p));
    }
    out.push_back(std::move(contact));
  }
  return out;
}

template <class T>
Json bound_json(const WorkBound<T>& bound) {
  using End = typename WorkBound<T>::End;
  Json out = {{"end", bound.end == End::finite ? "finite" : "unbounded"}};
  if (bound.end == End::finite) {
    out["low"] = number(bound.low);
    out["high"] = number(bound.high);
    out["velocity"] = list(bound.velocity);
  }
  out["impulses"] = pieces_json(bound.impulses);
  if (bound.end == End::unbounded) out["ray"] = pieces_json(bound.ray);
  return out;
}

template <class T>
void write(const ImpactCertificate<T>& c, Json& out) {
  out["verdict"] = std::string(name(c.verdict));
  out["tolerance"] = c.tolerance;
  out["free_velocity"] = list(c.free);
  out["velocity"] = list(c.after);
  using End = typename WorkBound<T>::End;
  if (c.minimum.end != End::none) out["minimum"] = bound_json(c.minimum);
  if (c.maximum.end != End::none) out["maximum"] = bound_json(c.maximum);
  if (!c.separator.empty()) out["separator"] = list(c.separator);
  if (!c.jam.empty()) out["jam"] = pieces_json(c.jam);
  if (!c.admissible.empty()) out["admissible"] = list(c.admissible);
}

// ---------------------------------------------------------------------------------------- reading

void read_number(const JsonField& field, double& out) {
  out = field.number();
}
void read_number(const JsonField& field, Exact& out) {
  if (!field.is_string()) {
    out = field.number();
    return;
  }
  const std::string text = field.text();
  // Rationals of certificates are long: GMP reads fractions of whole numbers itself.
  const bool fraction =
      !text.empty() && text.find_first_not_of("-0123456789/") == std::string::npos;
  const auto value = fraction ? std::nullopt : exact_value(text);
  const std::string spelled = value ? value->numerator + "/" + value->denominator : text;
  if ((!fraction && !value) || out.set_str(spelled, 10) != 0 || sgn(out.get_den()) == 0) {
    field.refuse(Errc::value, "write a rational such as \"-1/2\"");
    out = 0;
    return;
  }
  out.canonicalize();
}

template <class T>
std::vector<T> read_list(const JsonField& field) {
  std::vector<T> out;
  for (const JsonField& x : field.elements("write a list of numbers")) {
    out.emplace_back(0);
    read_number(x, out.back());
  }
  return out;
}

template <class T>
ConePiece<T> read_piece(const JsonField& field) {
  field.allow_only({"weight", "member", "s"});
  ConePiece<T> out;
  read_number(field.required("weight", "write how much of this generator is used"), out.weight);
  if (const JsonField member = field.optional("member"); member.exists())
    for (const JsonField& m : member.elements("write one index per factor of the cone")) {
      constexpr Index most = 1000000;
      out.member.push_back(m.integer(0, most, "write the index of a member of the hull"));
    }
  if (const JsonField s = field.optional("s"); s.exists())
    for (const JsonField& own : s.elements("write one list per factor of the cone"))
      out.s.push_back(read_list<T>(own));
  return out;
}

template <class T>
Distribution<T> read_pieces(const JsonField& field) {
  Distribution<T> out;
  for (const JsonField& contact : field.elements("write one list per contact")) {
    out.emplace_back();
    for (const JsonField& piece : contact.elements("write the pieces of one contact"))
      out.back().push_back(read_piece<T>(piece));
  }
  return out;
}

template <class T>
WorkBound<T> read_bound(const JsonField& field) {
  WorkBound<T> out;
  if (!field.exists()) return out;
  field.allow_only({"end", "low", "high", "velocity", "impulses", "ray"});
  const std::string end =
      field.required("end", "write finite or unbounded").word({"finite", "unbounded"}, "an end");
  out.impulses = read_pieces<T>(field.required("impulses", "write the impulses, by contact"));
  if (end == "unbounded") {
    out.end = WorkBound<T>::End::unbounded;
    out.ray = read_pieces<T>(field.required("ray", "write the ray, by contact"));
    return out;
  }
  out.end = WorkBound<T>::End::finite;
  read_number(field.required("low", "write the lower end of the bracket [J]"), out.low);
  read_number(field.required("high", "write the upper end of the bracket [J]"), out.high);
  out.velocity = read_list<T>(field.required("velocity", "write the velocity that proves it"));
  return out;
}

ImpactVerdict read_verdict(const JsonField& field) {
  constexpr std::array all{ImpactVerdict::kinetically_incompatible,
                           ImpactVerdict::kinematically_infeasible,
                           ImpactVerdict::kinematically_incompatible,
                           ImpactVerdict::inconsistent,
                           ImpactVerdict::consistent_weak,
                           ImpactVerdict::consistent_strong,
                           ImpactVerdict::undecided};
  const std::string word = field.word({name(all[0]), name(all[1]), name(all[2]), name(all[3]),
                                       name(all[4]), name(all[5]), name(all[6])},
                                      "a verdict");
  for (const ImpactVerdict verdict : all)
    if (name(verdict) == word) return verdict;
  return ImpactVerdict::undecided;
}

template <class T>
ImpactCertificate<T> read(const JsonField& root) {
  ImpactCertificate<T> out;
  out.verdict = read_verdict(root.required("verdict", "write what is claimed"));
  out.tolerance = root.required("tolerance", "write 0 for an exact claim")
                      .number_at_least(0, "write a share of zero or more");
  out.free = read_list<T>(root.required("free_velocity", "write the velocity before contact"));
  out.after = read_list<T>(root.required("velocity", "write the velocity that is judged"));
  out.minimum = read_bound<T>(root.optional("minimum"));
  out.maximum = read_bound<T>(root.optional("maximum"));
  if (const JsonField f = root.optional("separator"); f.exists()) out.separator = read_list<T>(f);
  if (const JsonField f = root.optional("jam"); f.exists()) out.jam = read_pieces<T>(f);
  if (const JsonField f = root.optional("admissible"); f.exists()) out.admissible = read_list<T>(f);
  return out;
}

}  // namespace

std::string write_certificate(const CertificateFile& file) {
  Json out = {{"format", std::string(certificate_format)}};
  if (!file.problem.empty()) out["problem"] = file.problem;
  out["arithmetic"] = file.exact() ? "exact" : "double";
  std::visit([&](const auto& c) { write(c, out); }, file.certificate);
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Result<CertificateFile> read_certificate(std::string_view text, const std::string& source) {
  const JsonDocument document(text, source);
  const JsonField root = document.root();
  root.allow_only({"format", "problem", "arithmetic", "verdict", "tolerance", "free_velocity",
                   "velocity", "minimum", "maximum", "separator", "jam", "admissible"});
  static_cast<void>(root.required("format", "write \"tact-certificate/1\"")
                        .word({certificate_format}, "a format"));
  CertificateFile out;
  if (const JsonField problem = root.optional("problem"); problem.exists())
    out.problem = problem.text();
  const std::string arithmetic =
      root.required("arithmetic", "write exact or double").word({"exact", "double"}, "arithmetic");
  if (arithmetic == "exact")
    out.certificate = read<Exact>(root);
  else
    out.certificate = read<double>(root);
  if (document.error()) return *document.error();
  return out;
}

}  // namespace tact
