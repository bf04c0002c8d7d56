// python/runner.hpp - a simulation as Python holds it, and tables of its contacts.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "scene.hpp"
#include "tact/sim/observe.hpp"
#include "tact/sim/simulate.hpp"

namespace tact::python {

struct StepOutcome;

/// tact.Simulation. The state that Python sees is in the coordinates of the user's model; what was
/// written into it is taken over before the next step, and only then.
struct Runner {
  ModelPtr model;
  Simulation sim;
  StatePtr state;     ///< seen by Python
  bool shifted;       ///< the simulation's coordinates are not those of `state`
  State known;        ///< what `state` was after the last step, where they are not
  StepReport report;  ///< of the last step
  bool diverged = false;
  std::vector<ContactSample> contacts;
  bool observed = false;  ///< `contacts` are those of the last step
  bool stepped = false;   ///< there is a step whose contacts can be looked at
  std::atomic<bool> busy{false};
  py::object told;                 ///< the last tact.StepReport
  StepOutcome* outcome = nullptr;  ///< inside it

  Runner(ModelPtr from, Simulation made);
  Runner(const Runner& other);
  Runner& operator=(const Runner&) = delete;

  /// What `state` was after the last step.
  [[nodiscard]] const State& last() const { return shifted ? known : sim.state; }
  /// From Python's state to the simulation's where somebody has written into it.
  void push();
  /// And back.
  void pull();
  const std::vector<ContactSample>& observe_contacts();
};

/// A tact.StepReport, as the signature of step() names it.
struct Told {
  py::object object;
};

/// One simulation is used by one thread at a time; RuntimeError else.
class Turn {
 public:
  explicit Turn(Runner& runner);
  ~Turn() { runner_.busy = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Runner& runner_;
};

/// Python's state follows the simulation's at the end of a scope, also where a run ends with an
/// exception: what was simulated until then has happened.
class PullAtEnd {
 public:
  explicit PullAtEnd(Runner& runner) : runner_(runner) {}
  ~PullAtEnd() { runner_.pull(); }
  PullAtEnd(const PullAtEnd&) = delete;
  PullAtEnd& operator=(const PullAtEnd&) = delete;

 private:
  Runner& runner_;
};

/// A contact of the last step, with the names of its scene.
struct ContactReport {
  std::vector<std::string> names;  ///< of the two geoms
  ContactSample sample;
};

/// One row per contact; the columns are those of contact_dtype().
[[nodiscard]] py::array contact_table(std::span<const ContactSample> contacts);

[[nodiscard]] py::dict ledger_dict(const EnergyLedger& ledger);

/// RuntimeError with the sentence unless all is good: numerical outcomes raise only where asked to.
inline void expect_good(bool good, const std::string& sentence) {
  if (!good) throw std::runtime_error(sentence);
}

void bind_contacts(py::module_& m);
/// tact.Run, Simulation.run and tact.run_all.
void bind_run(py::module_& m, py::class_<Runner>& c);

}  // namespace tact::python

namespace pybind11::detail {

template <>
struct type_caster<tact::python::Told> {
  PYBIND11_TYPE_CASTER(tact::python::Told, const_name("tact._tact.StepReport"));
  bool load(handle, bool) { return false; }
  static handle cast(const tact::python::Told& from, return_value_policy, handle) {
    return object(from.object).release();
  }
};

}  // namespace pybind11::detail
