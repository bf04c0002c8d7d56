// solve/inverse_parts.cpp - posing the program, and explaining why it has no answer.
#include "tact/solve/inverse_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "tact/body/called.hpp"

namespace tact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Rows G z <= h of the actuators' bounds.
struct BoundRow {
  Index actuator;
  double sign, value;
};
std::vector<BoundRow> bound_rows(const InverseParts& parts) {
  std::vector<BoundRow> out;
  for (Index j = 0; j < parts.B.cols(); ++j) {
    const double low = parts.wish.lower[j], high = parts.wish.upper[j];
    if (std::isfinite(high)) out.push_back({j, 1, high / parts.tau_unit[j]});
    if (std::isfinite(low)) out.push_back({j, -1, -low / parts.tau_unit[j]});
  }
  return out;
}

/// Weights of τ in the program's units, the largest one.
VecX actuator_weights(const InverseParts& parts) {
  VecX out = parts.tau_unit.cwiseAbs2().cwiseProduct(parts.wish.weight);
  if (out.size() > 0) out /= out.maxCoeff();
  return out;
}

}  // namespace

std::string short_number(double x) {
  std::ostringstream out;
  out.precision(3);
  out << x;
  return out.str();
}

VecX PosedInverse::lambda(const InverseParts& parts, const VecX& z) const {
  VecX out = VecX::Zero(parts.u.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto own = out.segment(parts.offset[i], sets[i].E.rows());
    own = sets[i].E * z.segment(first[i], sets[i].E.cols()) * y_unit[i];
    if (sets[i].constant.size() > 0) own += sets[i].constant;
  }
  return out;
}

PosedInverse pose(const InverseParts& parts, double regularisation,
                  const std::vector<PressurePattern>& patterns) {
  PosedInverse out;
  const Index m = parts.B.cols();
  Index unknowns = m, cone_rows = 0;
  for (std::size_t i = 0; i < parts.laws.size(); ++i) {
    out.sets.push_back(load_set(parts.laws[i], parts.motion(static_cast<Index>(i)), patterns[i]));
    out.first.push_back(unknowns);
    unknowns += out.sets[i].E.cols();
    cone_rows += out.sets[i].C.rows();
    out.frozen = out.frozen || out.sets[i].frozen;
  }
  const auto bounds = bound_rows(parts);
  ForceProgram& p = out.program;
  p.A.resize(parts.r.size(), unknowns);
  p.r = parts.r;
  p.A.leftCols(m) = parts.B * parts.tau_unit.asDiagonal() / parts.scale;
  const auto rows = static_cast<Index>(bounds.size()) + cone_rows;
  p.G = MatX::Zero(rows, unknowns);
  p.h = VecX::Zero(rows);
  Index row = 0;
  for (const BoundRow& b : bounds) {
    p.G(row, b.actuator) = b.sign;
    p.h[row++] = b.value;
    p.cones.push_back(1);
    if (out.bounded.empty() || out.bounded.back() != b.actuator) out.bounded.push_back(b.actuator);
  }
  for (std::size_t i = 0; i < out.sets.size(); ++i) {
    const LoadSet& set = out.sets[i];
    const Index n = set.E.cols();
    const MatX effect = parts.J.middleCols(parts.offset[i], set.E.rows()) * set.E;
    const double size = n > 0 ? effect.colwise().norm().maxCoeff() : 0.0;
    out.y_unit.push_back(size > 0 ? parts.scale / size : 1);
    p.A.middleCols(out.first[i], n) = effect * (out.y_unit[i] / parts.scale);
    p.G.block(row, out.first[i], set.C.rows(), n) = -set.C;
    if (set.h.size() > 0) p.h.segment(row, set.h.size()) = set.h / out.y_unit[i];
    if (set.constant.size() > 0)
      p.r -= parts.J.middleCols(parts.offset[i], set.E.rows()) * set.constant / parts.scale;
    row += set.C.rows();
    p.cones.insert(p.cones.end(), set.cones.begin(), set.cones.end());
  }
  p.weight = VecX::Constant(unknowns, regularisation);
  p.weight.head(m) = actuator_weights(parts);
  return out;
}

namespace {

/// The least of what the laws do not allow.
struct Breach {
  VecX z;                   ///< with it
  std::vector<Index> what;  ///< contact row or actuator
  VecX amount, unit;        ///< unit: what the motion needs
};

/// min |e|² with A z + Σ e_k effect_k = r, effects taken to be of length one.
std::optional<Breach> least_breach(const PosedInverse& posed, const MatX& effects,
                                   const std::vector<Index>& what, double scale) {
  Breach out;
  std::vector<double> unit;
  ForceProgram p = posed.program;
  const Index n = p.A.cols();
  for (const Index j : what) {
    const VecX effect = effects.col(j);
    const double length = effect.norm();
    if (!(length > 0)) continue;
    p.A.conservativeResize(Eigen::NoChange, p.A.cols() + 1);
    p.A.rightCols(1) = effect / length;
    unit.push_back(scale / length);
    out.what.push_back(j);
  }
  const Index k = p.A.cols() - n;
  if (k == 0) return std::nullopt;
  p.G.conservativeResize(Eigen::NoChange, n + k);
  p.G.rightCols(k).setZero();
  p.weight = VecX::Constant(n + k, tolerance::proximal);
  p.weight.tail(k).setOnes();
  const ForceProgramAnswer answer = solve(p);
  if (answer.end != ForceProgramAnswer::End::found) return std::nullopt;
  out.z = answer.z.head(n);
  out.unit = Eigen::Map<const VecX>(unit.data(), k);
  out.amount = answer.z.tail(k).cwiseProduct(out.unit);
  return out;
}

/// Its kind with its name, or with its number.
std::string called_in(const std::vector<std::string>& names, const char* kind, Index i) {
  return called(kind, i < static_cast<Index>(names.size()) ? names[i] : "", i);
}
std::string contact_called(const InverseParts& parts, Index i) {
  return called("contact", parts.problem.contacts[i].name, i);
}

bool explain_actuator(const InverseParts& parts, const PosedInverse& posed, InverseReport& report) {
  const auto breach = least_breach(posed, parts.B, posed.bounded, parts.scale);
  if (!breach) return false;
  double worst = 0, need = 0, limit = 0;
  for (Index k = 0; k < breach->amount.size(); ++k) {
    const Index j = breach->what[k];
    const double over = breach->amount[k];
    if (!(std::abs(over) / parts.tau_unit[j] > worst)) continue;
    worst = std::abs(over) / parts.tau_unit[j];
    report.actuator = j;
    need = breach->z[j] * parts.tau_unit[j] + over;
    limit = over > 0 ? parts.wish.upper[j] : parts.wish.lower[j];
  }
  report.obstacle = InverseObstacle::actuator;
  report.amount = limit != 0 ? need / limit : infinity;
  std::ostringstream text;
  text << called_in(parts.wish.actuator_names, "actuator", report.actuator) << " would need "
       << short_number(need) << ", its limit is " << short_number(limit);
  report.reason = text.str();
  return true;
}

/// The impulses with a breach in the rows of friction, or of normal loads, and the contact where it
/// is the largest. Where a contact opens friction is no help.
struct ContactBreach {
  VecX lambda;
  Index contact = -1;
};
std::optional<ContactBreach> contact_breach(const InverseParts& parts, const PosedInverse& posed,
                                            bool of_friction) {
  std::vector<Index> rows, contacts;
  for (std::size_t i = 0; i < parts.laws.size(); ++i) {
    if (of_friction && opens(parts.laws[i], parts.motion(static_cast<Index>(i)))) continue;
    const RowSplit split = row_split(parts.problem.contacts[i].law);
    const Index count = of_friction ? split.tangent_count : split.normal_count;
    for (Index k = 0; k < count; ++k)
      rows.push_back(parts.offset[i] + (of_friction ? split.tangent[k] : split.normal[k]));
  }
  const auto breach = least_breach(posed, parts.J, rows, parts.scale);
  if (!breach) return std::nullopt;
  ContactBreach out;
  out.lambda = posed.lambda(parts, breach->z);
  VecX size = VecX::Zero(static_cast<Index>(parts.laws.size()));
  for (Index k = 0; k < breach->amount.size(); ++k) {
    const Index row = breach->what[k];
    const auto next = std::upper_bound(parts.offset.begin(), parts.offset.end(), row);
    const double amount = breach->amount[k], unit = breach->unit[k];
    out.lambda[row] += amount;
    size[next - parts.offset.begin() - 1] += amount * amount / (unit * unit);
  }
  size.maxCoeff(&out.contact);
  return out;
}

/// |T| over what F(N) allows in its direction.
double friction_use(const LocalLaw& law, const double* l) {
  const double n = std::max(l[law.normal_row()], 0.0);
  if (law.kind == LawKind::patch_friction) {
    const FrictionSet set = make_friction_set(law.patch->model, law.patch->cone.hull(),
                                              NormalLoad::from_wrench({l[0], l[1], n}), law.mu);
    return set.gauge({l[3], l[4], l[2]});
  }
  const auto over = [](double T, double bound) {
    return T == 0 ? 0 : (bound > 0 ? T / bound : infinity);
  };
  if (law.kind == LawKind::bounded) return over(std::abs(l[0]), l[0] > 0 ? law.upper : -law.lower);
  double use = 0;
  for (const RoundBound& b : round_bounds(law)) {
    const double T = b.count == 2 ? std::hypot(l[b.row], l[b.row + 1]) : std::abs(l[b.row]);
    use = std::max(use, over(T, b.mu * n));
  }
  // The gauge of a polygon about the origin, edge by edge.
  const std::size_t corners = law.polygon ? law.polygon->size() : 0;
  for (std::size_t i = 0; i < corners; ++i) {
    const Vec2& a = (*law.polygon)[i];
    const Vec2 outward = perp((*law.polygon)[(i + 1) % corners] - a);
    use = std::max(use, over(outward.dot(Vec2(l[0], l[1])), outward.dot(a) * n));
  }
  return use;
}

bool explain_friction(const InverseParts& parts, const PosedInverse& posed, InverseReport& report) {
  const auto breach = contact_breach(parts, posed, true);
  if (!breach) return false;
  const Index at = breach->contact;
  report.obstacle = InverseObstacle::friction;
  report.contact = breach->contact;
  report.amount = friction_use(parts.laws[at], breach->lambda.data() + parts.offset[at]);
  std::ostringstream text;
  text << "friction of " << contact_called(parts, at) << " would have to be ";
  if (!std::isfinite(report.amount))
    text << "more than none, but it carries no load or has none";
  else if (report.amount > 1)
    text << short_number(report.amount) << " times its bound";
  else
    text << "other than what sliding in this direction gives";
  report.reason = text.str();
  return true;
}

bool explain_pull(const InverseParts& parts, const PosedInverse& posed, InverseReport& report) {
  const auto breach = contact_breach(parts, posed, false);
  if (!breach) return false;
  const Index at = breach->contact;
  const LocalLaw& law = parts.laws[at];
  const double force = breach->lambda[parts.offset[at] + law.normal_row()] / parts.dt;
  report.obstacle = InverseObstacle::pull;
  report.contact = breach->contact;
  report.amount = -force;
  std::ostringstream text;
  text << contact_called(parts, at);
  if (force < 0)
    text << " would have to pull with " << short_number(-force) << " N";
  else if (opens(law, parts.motion(at)))
    text << " opens and would still have to push with " << short_number(force) << " N";
  else
    text << " would have to press with " << short_number(force)
         << " N centred outside of what stays closed";
  report.reason = text.str();
  return true;
}

void explain_direction(const InverseParts& parts, const ForceProgramAnswer& proof,
                       InverseReport& report) {
  report.obstacle = InverseObstacle::direction;
  Index worst = 0;
  proof.ray.cwiseAbs().maxCoeff(&worst);
  const double per_unit =
      parts.scale / parts.dt / std::abs(proof.ray[worst] * parts.dof_unit[worst]);
  std::ostringstream text;
  text << "no forces of the contacts and actuators give this motion: along a direction, mostly of "
       << called_in(parts.wish.dof_names, "degree of freedom", worst);
  text << ", they can give at most " << short_number(proof.most * per_unit) << ", but "
       << short_number(proof.needed * per_unit) << " is needed";
  report.reason = text.str();
}

}  // namespace

void explain(const InverseParts& parts, const PosedInverse& posed, const ForceProgramAnswer& proof,
             InverseReport& report) {
  if (explain_actuator(parts, posed, report)) return;
  if (explain_friction(parts, posed, report)) return;
  if (explain_pull(parts, posed, report)) return;
  explain_direction(parts, proof, report);
}

}  // namespace tact
