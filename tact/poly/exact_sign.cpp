#include "tact/poly/exact_sign.hpp"

#include "tact/poly/expansion.hpp"

namespace tact {

namespace {

/// Multiplied out, so that every term is a product of given numbers.
Expansion<16> cross_expansion(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  Expansion<16> sum;
  sum.add_product(b[0], d[1]);
  sum.add_product(-b[0], c[1]);
  sum.add_product(-a[0], d[1]);
  sum.add_product(a[0], c[1]);
  sum.add_product(-b[1], d[0]);
  sum.add_product(b[1], c[0]);
  sum.add_product(a[1], d[0]);
  sum.add_product(-a[1], c[0]);
  return sum;
}

}  // namespace

int detail::exact_cross_sign(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return cross_expansion(a, b, c, d).sign();
}

double detail::exact_cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return cross_expansion(a, b, c, d).value();
}

int dot_sign(const Vec2& a, const Vec2& b) {
  Expansion<4> sum;
  sum.add_product(a[0], b[0]);
  sum.add_product(a[1], b[1]);
  return sum.sign();
}

int det_sign(const Vec2& a, const Vec2& b) {
  Expansion<4> sum;
  sum.add_product(a[0], b[1]);
  sum.add_product(-a[1], b[0]);
  return sum.sign();
}

}  // namespace tact
