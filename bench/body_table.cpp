// bench/body_table.cpp - kinematics, mass matrix and bias force of robots, beside MuJoCo.
//
//   body_table FOLDER [QUICK]     writes body_table.csv and body_table.md
//
// Both sides do the same stages of the same model in the same states: poses, mass matrix, bias
// force. Runs of the two take turns in one program, and the median of the ratios of each pair
// counts: what disturbs one disturbs the other. `difference` is the largest of mass matrix and bias
// force relative to their largest entries. Where MuJoCo is not installed, tact is timed alone.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "support/measure.hpp"
#include "support/table.hpp"
#include "tact/body/bias.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tests/support/robots.hpp"
#ifdef TACT_HAVE_MUJOCO
#include "tests/support/mujoco_peer.hpp"
#endif

namespace {

using namespace tact;
using namespace tact::bench;
using namespace tact::testing;

struct Work {
  Kinematics kin;
  MassMatrix mass;
  BiasWorkspace bias;
  VecX c;

  void run(const Model& model, const State& state) {
    forward_kinematics(model, state, kin);
    mass_matrix(model, kin, mass);
    forward_velocities(model, state.qvel, kin);
    bias_force(model, state.qvel, kin, bias, c);
  }
};

#ifdef TACT_HAVE_MUJOCO
using Peer = MujocoPeer;
double difference_of(const Model& model, const Work& work, const Peer& peer) {
  const MatX M = peer.mass();
  const VecX c = peer.over_dofs(peer.d->qfrc_bias);
  return std::max(max_error(dense(model, work.mass), M) / M.cwiseAbs().maxCoeff(),
                  max_error(work.c, c) / c.cwiseAbs().maxCoeff());
}
#else
/// Nobody there.
struct Peer {
  explicit Peer(const Model&) {}
  void set(const State&) {}
  void run() {}
};
double difference_of(const Model&, const Work&, const Peer&) {
  return 0;
}
#endif

/// Seconds for one call, from `calls` in a row.
template <class Call>
double seconds_of(int calls, Call call) {
  const double start = cpu_seconds();
  for (int i = 0; i < calls; ++i) call();
  return (cpu_seconds() - start) / calls;
}

std::string text(const char* format, double x) {
  char out[40];
  std::snprintf(out, sizeof out, format, x);
  return out;
}

/// `count` bodies that fly alone: what a heap of things costs before they touch.
Model crowd(Index count) {
  Model draft;
  draft.name = "crowd";
  draft.bodies.resize(1);
  Rng rng(7);
  for (Index i = 1; i <= count; ++i) {
    Body b;
    b.name = numbered('b', i);
    b.X_PB.p = random_vec3(rng, 10);
    give_inertia(b, 1, {0.1, 0.2, 0.3}, Vec3::Zero(), rng);
    Joint j;
    j.name = b.name;
    j.type = JointType::free;
    j.body = i;
    draft.bodies.push_back(b);
    draft.joints.push_back(j);
  }
  return *make_model(std::move(draft));
}

void measure(const Model& model, int pairs, int calls, Table& csv, Table& markdown) {
  Peer peer(model);
  Work work;
  Rng rng(1);
  double difference = 0;
  std::vector<double> ours, theirs, ratios;
  for (int i = 0; i < pairs; ++i) {
    const State state = random_state(model, rng);
    peer.set(state);
    peer.run();
    work.run(model, state);
    difference = std::max(difference, difference_of(model, work, peer));
    theirs.push_back(seconds_of(calls, [&] { peer.run(); }));
    ours.push_back(seconds_of(calls, [&] { work.run(model, state); }));
    ratios.push_back(ours.back() / theirs.back());
  }
  std::vector<std::string> row = {model.name, std::to_string(model.nv),
                                  text("%.2f", 1e6 * median(ours))};
#ifdef TACT_HAVE_MUJOCO
  row.insert(row.end(), {text("%.2f", 1e6 * median(theirs)), text("%.2f", median(ratios)),
                         text("%.0e", difference)});
#else
  row.insert(row.end(), {"", "", ""});
#endif
  csv.add(row);
  markdown.add(row);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "body_table FOLDER [QUICK]\n");
    return 2;
  }
  const int pairs = argc > 2 ? 5 : 21;
  const int calls = argc > 2 ? 2000 : 20000;
  Table csv({"model", "dofs", "tact_us", "mujoco_us", "ratio", "difference"});
  Table markdown({"model", "dofs", "tact [us]", "MuJoCo [us]", "ratio", "difference"});
  measure(quadruped(), pairs, calls, csv, markdown);
  measure(humanoid(), pairs, calls, csv, markdown);
  measure(crowd(100), pairs, calls / 10, csv, markdown);
  return write_table(argv[1], "body_table", csv.csv(), markdown.markdown()) ? 0 : 1;
}
