#include "tact/modes/mode_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "tact/base/expects.hpp"
#include "tact/linalg/nnls.hpp"

namespace tact {

namespace {

Error refuse(std::string message) {
  return {Errc::value, std::move(message)};
}

int sign_of(char c) {
  return c == '+' ? 1 : (c == '-' ? -1 : 0);
}

/// Calls normal(contact, row, sign) for every contact, and tangent(contact, row, sign) for the
/// tangents of those that stay.
template <class Normal, class Tangent>
void each_row(const ModeSystem& system, std::string_view cs, std::string_view ss, Normal&& normal,
              Tangent&& tangent) {
  std::size_t next = 0;
  for (std::size_t c = 0; c < system.contacts.size(); ++c) {
    const ModeContact& contact = system.contacts[c];
    normal(c, contact.normal, sign_of(cs[c]));
    if (cs[c] != '0') continue;
    for (Index t = 1; t <= contact.tangents; ++t)
      tangent(c, contact.normal + t, sign_of(ss[next++]));
  }
}

Result<bool> check_strings(const ModeSystem& system, std::string_view cs, std::string_view ss) {
  if (cs.size() != system.contacts.size() || cs.find_first_not_of("+0") != std::string_view::npos)
    return refuse(std::string("\"")
                      .append(cs)
                      .append("\" is no cs string: give one + or 0 for each of the ")
                      .append(std::to_string(system.contacts.size()))
                      .append(" contacts"));
  Index tangents = 0;
  for (std::size_t c = 0; c < cs.size(); ++c)
    if (cs[c] == '0') tangents += system.contacts[c].tangents;
  if (static_cast<Index>(ss.size()) != tangents ||
      ss.find_first_not_of("+-0") != std::string_view::npos)
    return refuse(std::string("\"")
                      .append(ss)
                      .append("\" is no ss string: give one +, - or 0 for each of the ")
                      .append(std::to_string(tangents))
                      .append(" tangents of contacts that stay"));
  return true;
}

}  // namespace

Result<bool> validate(const ModeSystem& system, const ModeLoad& load) {
  if (auto valid = validate(system); !valid) return valid;
  const Index dof = system.dof();
  if (load.mass.rows() != dof || load.mass.cols() != dof || load.load.size() != dof)
    return refuse(std::string("mass and load do not fit: give ")
                      .append(std::to_string(dof))
                      .append(" rows and columns and as many forces"));
  if (load.mu.size() != system.contacts.size())
    return refuse(std::string("there are ")
                      .append(std::to_string(load.mu.size()))
                      .append(" friction coefficients for ")
                      .append(std::to_string(system.contacts.size()))
                      .append(" contacts: give one for each"));
  for (const double mu : load.mu)
    if (!(mu >= 0) || !std::isfinite(mu))
      return refuse(std::string("a friction coefficient is ")
                        .append(std::to_string(mu))
                        .append(": give a finite one that is not negative"));
  if (!load.load.allFinite() || !load.mass.allFinite())
    return refuse("mass or load has an entry that is not finite: give numbers");
  if (dof == 0) return true;
  const double largest = load.mass.cwiseAbs().maxCoeff();
  const bool symmetric =
      (load.mass - load.mass.transpose()).cwiseAbs().maxCoeff() <= tolerance::symmetry * largest;
  if (!symmetric || Eigen::LLT<MatX>(load.mass).info() != Eigen::Success)
    return refuse("the mass matrix is not symmetric positive definite: give one that is");
  return true;
}

Result<ModeEquations> mode_equations(const ModeSystem& system, const ModeLoad& load,
                                     std::string_view cs, std::string_view ss) {
  if (auto valid = validate(system, load); !valid) return valid.error();
  if (auto valid = check_strings(system, cs, ss); !valid) return valid.error();
  const Index dof = system.dof(), rows = system.rows.rows(), width = dof + rows;
  std::vector<VecX> equal, sign;
  std::vector<bool> moving;
  const auto on_acceleration = [&](Index row, double factor) {
    VecX x = VecX::Zero(width);
    x.head(dof) = factor * system.rows.row(row).transpose();
    return x;
  };
  /// force[row] + factor * force[other]
  const auto on_forces = [&](double first, Index row, double second, Index other) {
    VecX x = VecX::Zero(width);
    x[dof + row] += first;
    x[dof + other] += second;
    return x;
  };
  const auto at_least = [&](VecX x, bool strictly) {
    sign.push_back(std::move(x));
    moving.push_back(strictly);
  };
  each_row(
      system, cs, ss,
      [&](std::size_t c, Index row, int side) {
        if (side == 0) {
          equal.push_back(on_acceleration(row, 1));
          at_least(on_forces(1, row, 0, row), false);
          return;
        }
        at_least(on_acceleration(row, 1), true);
        for (Index k = 0; k <= system.contacts[c].tangents; ++k)
          equal.push_back(on_forces(1, row + k, 0, row));
      },
      [&](std::size_t c, Index row, int side) {
        const Index normal = system.contacts[c].normal;
        if (side != 0) {
          at_least(on_acceleration(row, side), true);
          equal.push_back(on_forces(1, row, side * load.mu[c], normal));
          return;
        }
        equal.push_back(on_acceleration(row, 1));
        at_least(on_forces(1, row, load.mu[c], normal), false);
        at_least(on_forces(-1, row, load.mu[c], normal), false);
      });
  ModeEquations out;
  const auto count = static_cast<Index>(equal.size());
  out.equal = MatX::Zero(dof + count, width);
  out.right = VecX::Zero(dof + count);
  out.equal.topLeftCorner(dof, dof) = load.mass;
  out.equal.topRightCorner(dof, rows) = -system.rows.transpose();
  out.right.head(dof) = load.load;
  for (Index k = 0; k < count; ++k) out.equal.row(dof + k) = equal[k].transpose();
  out.sign.resize(static_cast<Index>(sign.size()), width);
  for (Index k = 0; k < out.sign.rows(); ++k) out.sign.row(k) = sign[k].transpose();
  out.moving = std::move(moving);
  return out;
}

DynamicsSolver::DynamicsSolver(const ModeSystem& system, const ModeLoad& load,
                               const DynamicsOptions& options)
    : system_(system), options_(options), mu_(load.mu) {
  TACT_EXPECTS(validate(system, load).has_value());
  const Eigen::LLT<MatX> cholesky(load.mass);
  factor_ = cholesky.matrixL();
  const auto lower = factor_.triangularView<Eigen::Lower>();
  unit_ = lower.solve(MatX(system.rows.transpose()));
  length_ = unit_.colwise().norm();
  for (Index k = 0; k < unit_.cols(); ++k) {
    if (length_[k] > 0)
      unit_.col(k) /= length_[k];
    else
      length_[k] = 1;
  }
  push_ = lower.solve(load.load);
  scale_ = push_.norm();
  if (scale_ > 0) push_ /= scale_;
}

namespace {

/// One mode as a non-negative least squares problem. Solutions may be scaled together with the
/// load: the motion y = L'a is the sum of x_k effects_k, the first of them the free motion.
/// Conditions say row.y = 0, or, of a row that moves, row.y >= 1, and the load is at least what it
/// is. Scaled back, rows that move do so by any amount, however small beside the rest.
struct Balance {
  struct Condition {
    VecX row;
    bool moving;
  };
  /// Friction of a sticking row is x_plus - x_minus, and x_plus + x_minus = bound x_normal.
  struct Stick {
    Index row, normal, plus;  ///< minus is the next
    double bound;
  };
  struct Slide {
    Index row, normal;
    double factor;  ///< friction is factor * x_normal
  };
  explicit Balance(const VecX& push) : effects{push} {}

  std::vector<VecX> effects;
  std::vector<Condition> conditions;
  std::vector<Stick> sticks;
  std::vector<Slide> slides;
  bool possible = true;  ///< no row moves that cannot

  Index add(VecX effect) {
    effects.push_back(std::move(effect));
    return static_cast<Index>(effects.size()) - 1;
  }
  void require(const VecX& row, int side) {
    const bool zero = row.isZero(0);
    possible = possible && (side == 0 || !zero);
    if (!zero) conditions.push_back({side < 0 ? VecX(-row) : row, side != 0});
  }
  [[nodiscard]] Nnls solve() const {
    const auto rows = static_cast<Index>(conditions.size());
    const auto unknowns = static_cast<Index>(effects.size());
    const auto surplus = std::ranges::count_if(conditions, &Condition::moving);
    MatX A = MatX::Zero(rows + static_cast<Index>(sticks.size()) + 1, unknowns + surplus + 1);
    VecX b = VecX::Zero(A.rows());
    Index next = unknowns;
    for (Index r = 0; r < rows; ++r) {
      const auto& [row, moves] = conditions[r];
      for (Index u = 0; u < unknowns; ++u) A(r, u) = row.dot(effects[u]);
      if (!moves) continue;
      A(r, next++) = -1;
      b[r] = 1;
    }
    for (std::size_t k = 0; k < sticks.size(); ++k) {
      const Stick& stick = sticks[k];
      const Index r = rows + static_cast<Index>(k);
      A(r, stick.plus) = A(r, stick.plus + 1) = 1;
      A(r, stick.normal) = -stick.bound;
    }
    A(A.rows() - 1, 0) = 1;
    A(A.rows() - 1, next) = -1;
    b[b.size() - 1] = 1;
    return nnls(A, b);
  }
};

}  // namespace

ModeDynamics DynamicsSolver::solve(std::string_view cs, std::string_view ss) const {
  Balance problem(push_);
  std::vector<std::pair<Index, Index>> normals;  // row, unknown
  each_row(
      system_, cs, ss,
      [&](std::size_t /*contact*/, Index row, int side) {
        problem.require(unit_.col(row), side);
        if (side == 0) normals.emplace_back(row, problem.add(unit_.col(row)));
      },
      [&](std::size_t contact, Index row, int side) {
        problem.require(unit_.col(row), side);
        const auto [normal_row, normal] = normals.back();
        const double bound = mu_[contact] * length_[row] / length_[normal_row];
        if (side != 0) {
          problem.effects[normal] -= side * bound * unit_.col(row);
          problem.slides.push_back({row, normal, -side * bound});
        } else if (bound > 0 && !unit_.col(row).isZero(0)) {
          problem.sticks.push_back({row, normal, problem.add(unit_.col(row)), bound});
          problem.add(-unit_.col(row));
        }
      });
  ModeDynamics out;
  out.residual = 1;
  if (!problem.possible) return out;
  Nnls found = problem.solve();
  // Rounding grows with the unknowns; what cannot be balanced does not shrink with them.
  out.residual = found.residual.norm() / std::max(1.0, found.x.cwiseAbs().maxCoeff());
  out.consistent = out.residual <= options_.balance;
  if (!out.consistent) return out;

  const double scale = scale_ > 0 ? scale_ : 1;
  found.x /= found.x[0];
  VecX y = VecX::Zero(system_.dof());
  for (std::size_t u = 0; u < problem.effects.size(); ++u)
    y += found.x[static_cast<Index>(u)] * problem.effects[u];
  out.acceleration = scale * factor_.transpose().triangularView<Eigen::Upper>().solve(y);
  out.forces = VecX::Zero(system_.rows.rows());
  for (const auto& [row, normal] : normals) out.forces[row] = found.x[normal];
  for (const auto& [row, normal, plus, bound] : problem.sticks)
    out.forces[row] = found.x[plus] - found.x[plus + 1];
  for (const auto& [row, normal, factor] : problem.slides)
    out.forces[row] = factor * found.x[normal];
  out.forces = scale * out.forces.cwiseQuotient(length_);
  return out;
}

Result<ModeDynamics> mode_dynamics(const ModeSystem& system, const ModeLoad& load,
                                   std::string_view cs, std::string_view ss,
                                   const DynamicsOptions& options) {
  const auto equations = mode_equations(system, load, cs, ss);
  if (!equations) return equations.error();
  ModeDynamics out = DynamicsSolver(system, load, options).solve(cs, ss);
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(tolerance::rank);
  if (equations->equal.size() > 0)
    out.undetermined = equations->equal.cols() - qr.compute(equations->equal).rank();
  return out;
}

}  // namespace tact
