// solve/local_equation.hpp - one contact's equations for Newton's method, and their derivatives.
//
//     F(λ, u) = 0 iff the law holds,      dF = A dλ + B du.
// Two choices. The natural map λ - Π(λ - D⁻¹ u) knows every law. Fischer-Burmeister's function,
// x + y - (x∘x + y∘y)^½ on the second-order cone, is smooth away from the tip of the cone; it knows
// points without friction and with exact Coulomb friction, and other laws take the natural map.
// [FrictionM4] NCP
#pragma once

#include "tact/contact/local_law.hpp"

namespace tact {

enum class NewtonMap { natural, fischer_burmeister };

/// F, in the unit of λ.
void local_equation(NewtonMap map, const LocalLaw& law, const LocalMetric& metric,
                    const double* lambda, const double* u, double* F, LocalWorkspace& work);

/// F, A and B of the natural map for a point with friction in two directions. False when the
/// contact is open: A is the identity and B zero then, and neither is written.
bool point_equation(const LocalLaw& law, const LocalMetric& metric, const double* lambda,
                    const double* u, double* F, Mat3& A, Mat3& B);

/// F, A and B.
void local_equation(NewtonMap map, const LocalLaw& law, const LocalMetric& metric,
                    const double* lambda, const double* u, double* F, LocalMatrix& A,
                    LocalMatrix& B, LocalWorkspace& work);

}  // namespace tact
