#include "tact/modes/mode_cone.hpp"

#include <string>
#include <type_traits>

#include "tact/modes/mode_parts.hpp"

namespace tact {

namespace detail {
namespace {

/// The sign a mode asks of each row; rows of which it says nothing are left out.
struct AskedSign {
  int row = 0;
  int sign = 0;
};

std::optional<int> sign_named(char c) {
  if (c == '+') return 1;
  if (c == '-') return -1;
  if (c == '0') return 0;
  return std::nullopt;
}

Result<std::vector<AskedSign>> asked_signs(const ModeSystem& system, std::string_view cs,
                                           std::string_view ss) {
  const auto refuse = [](std::string text) { return Error{Errc::value, std::move(text)}; };
  if (cs.size() != system.contacts.size())
    return refuse(std::string("the mode has ") + std::to_string(cs.size()) +
                  " contacts and the system " + std::to_string(system.contacts.size()));
  std::vector<AskedSign> out;
  std::size_t next = 0;
  for (std::size_t k = 0; k < cs.size(); ++k) {
    const ModeContact& contact = system.contacts[k];
    if (cs[k] != '0' && cs[k] != '+')
      return refuse("a contact of a mode is 0 (stays) or + (separates)");
    out.push_back({static_cast<int>(contact.normal), cs[k] == '+' ? 1 : 0});
    if (cs[k] == '+') continue;
    for (Index t = 1; t <= contact.tangents; ++t) {
      const auto sign = next < ss.size() ? sign_named(ss[next]) : std::nullopt;
      if (!sign)
        return refuse(
            "the second part of a mode has one of + - 0 per tangent of the contacts "
            "that stay");
      out.push_back({static_cast<int>(contact.normal + t), *sign});
      ++next;
    }
  }
  if (next != ss.size()) return refuse("the second part of the mode is too long");
  return out;
}

Rational whole(const mpz_class& value) {
  return {value.get_str(), "1"};
}
Rational whole(std::int64_t value) {
  return {std::to_string(value), "1"};
}

template <class A>
class ConeOfMode {
 public:
  ConeOfMode(const NumberRows<A>& rows, A arithmetic) : cutter_(std::move(arithmetic)) {
    const int planes = static_cast<int>(rows.rows);
    const int dof = static_cast<int>(rows.dof);
    cone_.shape(planes, planes + dof, std::max(1, words_for(planes)));
    cone_.reserve(0, dof);
    cone_.lines = cone_.dim = dof;
    for (int j = 0; j < dof; ++j)
      first_line(rows, j, cone_.width, cone_.line(j), cone_.line_tag(j));
    cone_.classify();
  }

  /// False if no velocity is left.
  bool ask(const AskedSign& asked) {
    if (!has(cone_.cut.data(), asked.row)) {
      const int sign = has(cone_.positive.data(), asked.row)
                           ? 1
                           : (has(cone_.negative.data(), asked.row) ? -1 : 0);
      return sign == asked.sign;
    }
    cutter_.cut(cone_, asked.row, asked.sign, asked.row, spare_);
    spare_.classify();
    std::swap(cone_, spare_);
    return true;
  }

  [[nodiscard]] ModeCone result() const {
    ModeCone out;
    const int dof = cone_.width - cone_.planes;
    out.dim = cone_.dim;
    out.rays.resize(dof, cone_.rays);
    out.lines.resize(dof, cone_.lines);
    std::vector<typename A::Value> sum(dof, 0);
    for (int i = 0; i < dof; ++i) {
      for (int r = 0; r < cone_.rays; ++r) {
        out.rays(i, r) = A::approximate(cone_.ray(r)[cone_.planes + i]);
        add(sum[i], cone_.ray(r)[cone_.planes + i]);
      }
      for (int l = 0; l < cone_.lines; ++l)
        out.lines(i, l) = A::approximate(cone_.line(l)[cone_.planes + i]);
    }
    out.witness.resize(dof);
    for (int i = 0; i < dof; ++i) {
      out.witness[i] = A::approximate(sum[i]);
      if constexpr (A::exact) out.exact_witness.push_back(whole(sum[i]));
    }
    return out;
  }

 private:
  Cutter<A> cutter_;
  SplitCone<A> cone_, spare_;

  static void add(std::int64_t& sum, std::int64_t term) {
    if (__builtin_add_overflow(sum, term, &sum)) throw NumberTooLarge{};
  }
  static void add(mpz_class& sum, const mpz_class& term) { sum += term; }
  static void add(double& sum, double term) { sum += term; }
};

template <class A>
std::optional<ModeCone> cone_with(const NumberRows<A>& rows, const A& arithmetic,
                                  const std::vector<AskedSign>& asked) {
  ConeOfMode<A> cone(rows, arithmetic);
  for (const AskedSign& sign : asked)
    if (!cone.ask(sign)) return std::nullopt;
  return cone.result();
}

}  // namespace
}  // namespace detail

Result<std::optional<ModeCone>> mode_cone(const ModeSystem& system, std::string_view cs,
                                          std::string_view ss, const ModeOptions& options) {
  using namespace detail;
  if (auto valid = validate(system, options); !valid) return valid.error();
  const auto asked = asked_signs(system, cs, ss);
  if (!asked) return asked.error();
  if (options.policy == ModePolicy::tolerance)
    return cone_with(scaled_rows(system), Snapped(options.tolerance), *asked);
  try {
    return cone_with(small_rows(system), Whole64{}, *asked);
  } catch (const NumberTooLarge&) {
    return cone_with(big_rows(system), WholeBig{}, *asked);
  }
}

}  // namespace tact
