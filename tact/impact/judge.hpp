// impact/judge.hpp - the least and the largest contact work of an impact, and its verdict with a
// certificate.
//
//     W_min = ½|du|² + min { γ(z).λ : J'λ = d, λ in K },     W_max likewise.
// Two linear programs over the generators of the cones, in coordinates where the kinetic energy is
// half a square (so that neither units nor frames matter). Exact where the cones are polyhedral and
// the data rational; brackets where they are round (impact/conic_judge.hpp). [Glocker] 7,
// completed: lineality, rays and moving frames (docs/impact.md).
#pragma once

#include "tact/base/tolerance.hpp"
#include "tact/impact/certificate.hpp"

namespace tact {

/// In doubles; `tolerance` is the certificate's, whatever the data: what counts as zero, relative.
[[nodiscard]] ImpactCertificate<double> judge(const Impact<double>& impact,
                                              double tolerance = tolerance::contact_work);

/// In rationals, with zero tolerance where impulses explain the outcome exactly or are far from it.
/// `rounded` is the certificate of the same impact in doubles. Data that were rounded
/// (Impact::rounded) are judged with its tolerance; where impulses explain the outcome only up to
/// that, the nearest explained velocity is judged instead.
[[nodiscard]] ImpactCertificate<Exact> judge(const Impact<Exact>& impact,
                                             const ImpactCertificate<double>& rounded);

/// What given impulses did, for laws and engines that report them.
struct ActualWork {
  double work = 0;     ///< ½ (γ(u⁺) + γ(z)).λ
  double slack = 0;    ///< what is no more than rounding
  double average = 0;  ///< ½ (γ(u⁺) + γ(u⁻)).λ: the split that shares the smooth impulse
  double off_momentum = 0;     ///< |M⁻¹ J'λ - (u⁺ - z)|_M
  bool momentum = false;       ///< whether that is no more than rounding
  std::vector<Index> outside;  ///< contacts whose impulse is not in their cone
  std::vector<double> by_contact;
  [[nodiscard]] bool generating() const { return work > slack; }
};
[[nodiscard]] ActualWork actual_work(const Impact<double>& impact,
                                     const std::vector<double>& lambda,
                                     double tolerance = tolerance::contact_work);

}  // namespace tact
