// solve/exact_numbers.cpp - from doubles to rationals, place by place.
#include "tact/solve/exact_numbers.hpp"

#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace tact {
namespace {

using Field = ExactNumber::Field;
using ExactMatrix = std::vector<ExactVector>;

template <class T>
std::vector<std::vector<T>> dense(const SparseMatrix& m) {
  std::vector<std::vector<T>> out(static_cast<std::size_t>(m.rows()),
                                  std::vector<T>(static_cast<std::size_t>(m.cols())));
  for (Index r = 0; r < m.outerSize(); ++r)
    for (SparseMatrix::InnerIterator it(m, r); it; ++it) out[it.row()][it.col()] = it.value();
  return out;
}

/// Empty means zero.
template <class T>
std::vector<T> entries(const VecX& x, Index size) {
  std::vector<T> out(x.begin(), x.end());
  out.resize(static_cast<std::size_t>(size));
  return out;
}

Exact* within(ExactVector& x, Index i) {
  return i >= 0 && i < static_cast<Index>(x.size()) ? &x[i] : nullptr;
}
Exact* within(ExactMatrix& m, Index i, Index j) {
  return i >= 0 && i < static_cast<Index>(m.size()) ? within(m[i], j) : nullptr;
}

/// Where an entry goes; nothing when there is no such place.
Exact* place(RationalProblem& p, const ExactNumber& e) {
  switch (e.field) {
    case Field::mass:
      return within(p.mass, e.i, e.j);
    case Field::rows:
      return within(p.rows, e.i, e.j);
    case Field::delassus:
      return within(p.delassus, e.i, e.j);
    case Field::dt:
      return &p.dt;
    default:
      break;
  }
  const std::pair<Field, ExactVector*> vectors[] = {{Field::velocity, &p.velocity},
                                                    {Field::impulse, &p.impulse},
                                                    {Field::excitation, &p.excitation},
                                                    {Field::free_velocity, &p.free_velocity},
                                                    {Field::mu, &p.mu},
                                                    {Field::restitution, &p.restitution},
                                                    {Field::gap, &p.gap},
                                                    {Field::stabilisation, &p.stabilisation},
                                                    {Field::after, &p.after},
                                                    {Field::impulses, &p.impulses}};
  for (const auto& [field, vector] : vectors)
    if (field == e.field) return within(*vector, e.i);
  return nullptr;
}

/// At most twenty binary places and thirty-two digits before them: 3, 0.5, -1.25, and no tenth.
bool is_short(double x) {
  constexpr double places = 0x1p20, largest = 0x1p52;
  const double scaled = x * places;
  return std::abs(scaled) < largest && scaled == std::nearbyint(scaled);
}

using Place = std::tuple<Field, Index, Index>;

/// Whether a double of many digits is not in quotes.
bool has_rounded(const ContactProblem& p, const std::set<Place>& quoted) {
  bool found = false;
  const auto ask = [&](Field field, Index i, Index j, double x) {
    found = found || (!is_short(x) && !quoted.contains({field, i, j}));
  };
  const auto ask_all = [&](Field field, const VecX& x) {
    for (Index k = 0; k < x.size(); ++k) ask(field, k, 0, x[k]);
  };
  for (const auto& [field, matrix] : {std::pair{Field::mass, &p.mass}, {Field::rows, &p.rows}})
    for (Index r = 0; r < matrix->outerSize(); ++r)
      for (SparseMatrix::InnerIterator it(*matrix, r); it; ++it)
        ask(field, it.row(), it.col(), it.value());
  ask_all(Field::velocity, p.velocity);
  ask_all(Field::impulse, p.impulse);
  ask_all(Field::excitation, p.excitation);
  if (p.outcome) ask_all(Field::after, p.outcome->velocity);
  for (std::size_t i = 0; i < p.contacts.size(); ++i)
    ask(Field::mu, static_cast<Index>(i), 0, friction_of(p.contacts[i].law));
  return found;
}

}  // namespace

template <class T>
ProblemNumbers<T> numbers_of(const ContactProblem& p) {
  const Index size = row_offsets(p.contacts).back();
  ProblemNumbers<T> out;
  out.mass = dense<T>(p.mass);
  out.rows = dense<T>(p.rows);
  out.delassus = dense<T>(p.delassus);
  out.velocity = entries<T>(p.velocity, p.dof());
  out.impulse = entries<T>(p.impulse, p.dof());
  out.excitation = entries<T>(p.excitation, size);
  out.free_velocity = entries<T>(p.free_velocity, size);
  out.dt = p.dt;
  for (const Contact& c : p.contacts) {
    out.mu.emplace_back(friction_of(c.law));
    out.restitution.emplace_back(c.restitution);
    out.gap.emplace_back(c.gap);
    out.stabilisation.emplace_back(c.stabilisation);
  }
  if (!p.outcome) return out;
  out.after = entries<T>(p.outcome->velocity, p.outcome->velocity.size());
  if (p.outcome->impulses)
    for (const VecX& own : *p.outcome->impulses)
      for (const double x : own) out.impulses.emplace_back(x);
  return out;
}
template ProblemNumbers<double> numbers_of(const ContactProblem&);
template ProblemNumbers<Exact> numbers_of(const ContactProblem&);

Result<RationalProblem> rational_problem(const ContactProblem& problem,
                                         const std::vector<ExactNumber>& exact) {
  RationalProblem out = numbers_of<Exact>(problem);
  std::set<Place> quoted;
  for (const ExactNumber& e : exact) {
    const bool in_matrix = e.field == Field::mass || e.field == Field::rows;
    quoted.insert({e.field, e.i, in_matrix ? e.j : 0});
    Exact* home = place(out, e);
    Exact value;
    if (home == nullptr || value.set_str(e.value, 10) != 0 || sgn(value.get_den()) == 0)
      return Error{Errc::value, "the exact number " + e.value + " fits nowhere in the problem"};
    value.canonicalize();
    *home = value;
  }
  out.rounded = has_rounded(problem, quoted);
  return out;
}

}  // namespace tact
