// tests/support/mujoco_peer.hpp - a tact model in MuJoCo, with its numbers in tact's order.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

#include "tact/body/model.hpp"
#include "tests/support/robots.hpp"

namespace tact::testing {

/// Throws what MuJoCo says where it refuses.
class MujocoPeer {
 public:
  explicit MujocoPeer(const Model& model) : MujocoPeer(model, mjcf_text(model)) {}

  /// Bodies and joints of `text` are found by their names.
  MujocoPeer(const Model& model, const std::string& text) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const auto size = static_cast<int>(text.size());
    mj_makeEmptyFileVFS(files.get(), "model.xml", size);
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "model.xml")], text.data(),
                text.size());
    char complaint[1000] = "";
    m.reset(mj_loadXML("model.xml", files.get(), complaint, sizeof complaint));
    mj_deleteVFS(files.get());
    if (!m) throw std::runtime_error(complaint);
    d.reset(mj_makeData(m.get()));
    map(model);
  }

  void set(const State& state) {
    for (std::size_t i = 0; i < qpos_of.size(); ++i)
      d->qpos[qpos_of[i]] = state.qpos[static_cast<Index>(i)];
    for (std::size_t i = 0; i < dof_of.size(); ++i)
      d->qvel[dof_of[i]] = state.qvel[static_cast<Index>(i)];
  }

  /// MuJoCo's stages up to the mass matrix and the bias force, and no others.
  void run() {
    mj_kinematics(m.get(), d.get());
    mj_comPos(m.get(), d.get());
    mj_crb(m.get(), d.get());
    mj_comVel(m.get(), d.get());
    mj_rne(m.get(), d.get(), 0, d->qfrc_bias);
  }

  [[nodiscard]] MatX mass() const {
    const Index n = m->nv;
    Eigen::Matrix<double, -1, -1, Eigen::RowMajor> M(n, n);
    mj_fullM(m.get(), M.data(), d->qM);
    MatX out(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) out(i, j) = M(dof_of[i], dof_of[j]);
    return out;
  }

  /// A vector over the dofs, such as qfrc_bias.
  [[nodiscard]] VecX over_dofs(const mjtNum* values) const {
    VecX out(m->nv);
    for (Index i = 0; i < out.size(); ++i) out[i] = values[dof_of[i]];
    return out;
  }

  [[nodiscard]] Pose body(Index i) const {
    Pose X;
    const int k = body_of[i];
    for (int a = 0; a < 3; ++a) {
      X.p[a] = d->xpos[3 * k + a];
      for (int b = 0; b < 3; ++b) X.R(a, b) = d->xmat[9 * k + 3 * a + b];
    }
    return X;
  }

  struct Delete {
    void operator()(mjModel* x) const { mj_deleteModel(x); }
    void operator()(mjData* x) const { mj_deleteData(x); }
  };
  std::unique_ptr<mjModel, Delete> m;
  std::unique_ptr<mjData, Delete> d;
  std::vector<int> body_of, qpos_of, dof_of;  ///< MuJoCo's place of each of tact's

 private:
  void map(const Model& model) {
    body_of.assign(model.bodies.size(), 0);
    for (std::size_t i = 1; i < model.bodies.size(); ++i)
      body_of[i] = mj_name2id(m.get(), mjOBJ_BODY, model.bodies[i].name.c_str());
    for (const Joint& j : model.joints) {
      const int k = mj_name2id(m.get(), mjOBJ_JOINT, j.name.c_str());
      for (int i = 0; i < qpos_size(j.type); ++i) qpos_of.push_back(m->jnt_qposadr[k] + i);
      for (int i = 0; i < dof_size(j.type); ++i) dof_of.push_back(m->jnt_dofadr[k] + i);
    }
  }
};

}  // namespace tact::testing
