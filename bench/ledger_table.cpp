// bench/ledger_table.cpp - a million steps of the shaken stack: do the books close in every one?
//
//   ledger_table FOLDER [STEPS]     writes ledger_table.csv and ledger_table.md
//
// Five balls between a running belt, a pumping ceiling and shaking walls, with friction, bounces
// and stabilisation (tests/support/shaken_stack.hpp); once as it should be, and once with each
// planted fault. `residual` is the largest of all steps, relative to the energy the step moved.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/table.hpp"
#include "tact/impact/audit.hpp"
#include "tests/support/shaken_stack.hpp"

namespace {

using namespace tact;
using namespace tact::bench;
using Clock = std::chrono::steady_clock;

struct Sums {
  long steps = 0, generating = 0, by_average = 0, momentum = 0, penetrating = 0, closure = 0;
  double residual = 0, force = 0, contact = 0, stabilisation = 0, wall = 0, change = 0;
  double largest = 0;
  double seconds = 0, ledger_seconds = 0;
};

Sums run(testing::Fault fault, long steps) {
  testing::StackOptions options;
  options.fault = fault;
  testing::ShakenStack stack(options);
  LedgerWorkspace work;
  StepLedger l;
  Sums out;
  const auto start = Clock::now();
  for (long k = 0; k < steps; ++k) {
    const testing::StackStep& s = stack.step();
    const auto before = Clock::now();
    step_ledger(s.problem, s.laws, {s.free, s.after, s.lambda, s.potential_change}, work, l);
    out.ledger_seconds += std::chrono::duration<double>(Clock::now() - before).count();
    const StepFindings found = judge(l, tolerance::contact_work);
    const auto has = [&](Violation v) { return found[static_cast<std::size_t>(v)] ? 1 : 0; };
    out.generating += has(Violation::dissipation);
    out.momentum += has(Violation::momentum);
    out.penetrating += has(Violation::penetration);
    out.closure += has(Violation::closure);
    out.by_average += l.W_contact_average > l.work.slack(tolerance::contact_work) ? 1 : 0;
    out.residual = std::max(out.residual, l.closure.relative());
    out.force += l.W_force;
    out.contact += l.W_contact;
    out.stabilisation += l.W_stab;
    out.wall += l.W_wall;
    out.change += l.change;
    out.largest = std::max(out.largest, l.T_plus);
  }
  out.steps = steps;
  out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: ledger_table FOLDER [STEPS]\n", stderr);
    return 2;
  }
  const long steps = argc > 2 ? std::atol(argv[2]) : 1000000;
  Table table({"engine", "steps", "residual", "W_force [J]", "W_contact [J]", "W_stab [J]",
               "W_wall [J]", "change of T [J]", "unbooked [J]", "generating", "by average split",
               "momentum", "penetration", "closure", "step", "ledger"});
  const std::pair<const char*, testing::Fault> engines[] = {
      {"as it should be", testing::Fault::none},
      {"e = 1.05", testing::Fault::bouncy},
      {"walls of the wrong sign", testing::Fault::flipped_walls},
      {"one impulse not logged", testing::Fault::dropped_contact}};
  for (const auto& [label, fault] : engines) {
    // The faults show at once; only the honest engine has to go all the way.
    const Sums s = run(fault, fault == testing::Fault::none ? steps : std::min(steps, 20000L));
    const double booked = s.force + s.contact + s.stabilisation + s.wall;
    const auto each = static_cast<double>(s.steps);
    table.add({label, std::to_string(s.steps), figure(s.residual), figure(s.force),
               figure(s.contact), figure(s.stabilisation), figure(s.wall), figure(s.change),
               figure(s.change - booked), std::to_string(s.generating),
               std::to_string(s.by_average), std::to_string(s.momentum),
               std::to_string(s.penetrating), std::to_string(s.closure), duration(s.seconds / each),
               duration(s.ledger_seconds / each)});
  }
  std::printf("%s", table.markdown().c_str());
  return write_table(argv[1], "ledger_table", table.csv(), table.markdown()) ? 0 : 1;
}
