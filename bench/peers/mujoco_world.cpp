// MuJoCo reads the scene's own text. Its other method: elliptic cones, ten sweeps against slip.
#include <cstring>
#include <stdexcept>

#include <mujoco/mujoco.h>

#include "world.hpp"

namespace tact::bench {
namespace {

struct Delete {
  void operator()(mjModel* x) const { mj_deleteModel(x); }
  void operator()(mjData* x) const { mj_deleteData(x); }
};
using OwnModel = std::unique_ptr<mjModel, Delete>;
using OwnData = std::unique_ptr<mjData, Delete>;

void complain(const char* words) {
  throw std::runtime_error(words);
}
/// Warnings would go to a file in the folder of the user.
void be_silent(const char*) {}

OwnModel loaded(const std::string& text) {
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "scene.xml")], text.data(), text.size());
  char complaint[1000] = "";
  OwnModel out(mj_loadXML("scene.xml", files.get(), complaint, sizeof complaint));
  mj_deleteVFS(files.get());
  if (!out) throw std::runtime_error(complaint);
  return out;
}

/// Room for the contacts of a heap; what the file's own size suggests is too small for one, and
/// contacts beyond it would be dropped.
void make_room(mjModel& m) {
  constexpr int contacts_a_geom = 10, rows_a_contact = 4, numbers_a_row = 60;
  const auto least = [](int& size, int wanted) { size = size < wanted ? wanted : size; };
  least(m.nconmax, contacts_a_geom * m.ngeom);
  least(m.njmax, rows_a_contact * m.nconmax);
  const long long stack = static_cast<long long>(numbers_a_row) * m.njmax +
                          static_cast<long long>(m.nv) * m.nv * 2 + 1000000;
  least(m.nstack, stack > 400000000 ? 400000000 : static_cast<int>(stack));
}

class MujocoWorld final : public World {
 public:
  MujocoWorld(const SimScene& scene, double dt, const Setting& setting) {
    mju_user_error = complain;
    mju_user_warning = be_silent;
    m_ = loaded(scene.text);
    m_->opt.timestep = dt;
    if (setting.iterations > 0) m_->opt.iterations = setting.iterations;
    if (setting.tolerance > 0) m_->opt.tolerance = setting.tolerance;
    if (setting.other) {
      m_->opt.cone = mjCONE_ELLIPTIC;
      m_->opt.noslip_iterations = 10;
    }
    make_room(*m_);
    d_.reset(mj_makeData(m_.get()));
    if (!d_) throw std::runtime_error("no memory for the data");
    const State& start = scene.start;
    if (m_->nq != start.qpos.size() || m_->nv != start.qvel.size() || m_->nu != start.ctrl.size())
      throw std::runtime_error("the file does not mean the same model to both");
    std::copy_n(start.qpos.data(), m_->nq, d_->qpos);
    std::copy_n(start.qvel.data(), m_->nv, d_->qvel);
    std::copy_n(start.ctrl.data(), m_->nu, d_->ctrl);
  }

  bool step() override {
    mj_step(m_.get(), d_.get());
    for (const int w :
         {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
      if (d_->warning[w].number > 0) return false;
    return true;
  }
  void read(State& state) const override {
    std::copy_n(d_->qpos, m_->nq, state.qpos.data());
    std::copy_n(d_->qvel, m_->nv, state.qvel.data());
  }

 private:
  OwnModel m_;
  OwnData d_;
};

}  // namespace

std::unique_ptr<World> mujoco_world(const SimScene& scene, double dt, const Setting& setting) {
  return std::make_unique<MujocoWorld>(scene, dt, setting);
}

}  // namespace tact::bench
