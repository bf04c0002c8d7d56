// soft/port.cpp - poses of a foreign simulator into a step of the contact.
#include "tact/soft/port.hpp"

#include <string>
#include <utility>

namespace tact {

Result<SoftPort> soft_port(const Surface& body1, const Surface& body2, const SoftPair& pair,
                           const Pose& X_W1, const Pose& X_W2) {
  auto one = checked(body2);
  if (!one) return one.error();
  auto two = checked(body1);
  if (!two) return two.error();
  auto fine = checked(pair);
  if (!fine) return fine.error();
  SoftPort out;
  out.model = soft_contact_model(*std::move(one), *std::move(two), *std::move(fine));
  const Pose X_12 = inverse(X_W2) * X_W1;
  const FacingSearch search = find_facing(out.model.one, out.model.two, X_12);
  if (search.found.empty())
    return Error{Errc::value, "the bodies of the port have no facing points: " +
                                  std::string(describe(search.status))};
  out.state = soft_contact_state(out.model, search.found.front(), X_12);
  out.supplied = stored_energy(out.state);
  return out;
}

PortStep advance(SoftPort& port, const Pose& X_W1, const Twist& T1_W, const Pose& X_W2,
                 const Twist& T2_W, double dt) {
  const auto pose_after = [&](double t) {
    return inverse(integrate_spatial(X_W2, T2_W, t)) * integrate_spatial(X_W1, T1_W, t);
  };
  PortStep out;
  out.status = begin_soft_step(port.model, port.state, pose_after(dt / 2), port.frame);
  if (out.status != TrackStatus::tracked) return out;
  const Pose X_WC = integrate_spatial(X_W2, T2_W, dt / 2) * port.frame.X_1C;
  const Twist T_C = transform_inverse(X_WC, T1_W - T2_W);
  try_soft_step(port.model, port.state, port.frame, T_C, dt, pose_after(dt), port.answer);
  out.status = port.answer.status;
  if (out.status != TrackStatus::tracked) return out;
  out.on_body1 = transform(X_WC, Wrench::from(port.answer.impulse / dt));
  out.normal_force = port.answer.normal_force;
  out.slips = port.answer.slips;
  port.supplied -= port.answer.impulse.dot(T_C.vec());
  port.dissipated += port.answer.viscous_loss + port.answer.slip_loss;
  std::swap(port.state, port.answer.end);
  return out;
}

}  // namespace tact
