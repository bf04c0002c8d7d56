#include "tact/io/step_log.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tact/io/number_text.hpp"
#include "tact/io/problem_fields.hpp"
#include "tact/io/step_log_csv.hpp"

namespace tact {
namespace {

const std::string header =
    R"({"format": "tact-log/1", "name": "run", "dof": 2, "inertia": [1, 2], "dt": 0.01, "contacts": [)"
    R"({"name": "ground", "normal": [0, 1], "tangents": [[1, 0]], "friction": {"mu": 0.5}},)"
    R"({"name": "wall", "normal": [-1, 0], "excitation": {"normal": 0.25}}]})";

const std::string step =
    R"({"step": 7, "time": 0.5, "velocity": [1, 0], "impulse": [0, -0.2], "contacts": [{"name": "ground", "gap": -0.001}],)"
    R"( "outcome": {"velocity": [0.9, 0], "impulses": [[-0.1, 0.2]]}})";

struct Read {
  std::vector<LoggedStep> steps;
  std::string error;
};

Read read(const std::string& text) {
  std::istringstream in(text);
  Read out;
  auto opened = StepLog::open(in, "log");
  if (!opened) {
    out.error = opened.error().message;
    return out;
  }
  StepLog log = *std::move(opened);
  while (true) {
    LoggedStep one;
    const auto more = log.next(one);
    if (!more) out.error = more.error().message;
    if (!more || !*more) return out;
    out.steps.push_back(std::move(one));
  }
}

TEST(StepLog, AStepIsAProblemWithItsOutcome) {
  const Read log = read(header + "\n\n" + step + "\r\n" + step);
  ASSERT_EQ(log.error, "");
  ASSERT_EQ(log.steps.size(), 2);
  const LoggedStep& s = log.steps[0];
  EXPECT_EQ(s.line, 3) << "blank lines count, and are left out";
  EXPECT_EQ(s.step, 7);
  EXPECT_EQ(s.time, 0.5);
  EXPECT_FALSE(s.own_mass);
  const ContactProblem& p = s.problem;
  EXPECT_EQ(p.dt, 0.01);
  EXPECT_EQ(MatX(p.mass), MatX(Vec2(1, 2).asDiagonal()));
  EXPECT_EQ(MatX(p.rows), MatX(Mat2::Identity())) << "the tangent first, then the normal";
  ASSERT_EQ(p.contacts.size(), 1);
  EXPECT_EQ(p.contacts[0].gap, -0.001);
  EXPECT_EQ(friction_of(p.contacts[0].law), 0.5) << "from the header, by name";
  EXPECT_EQ(p.outcome->velocity, VecX(Vec2(0.9, 0)));
  EXPECT_EQ((*p.outcome->impulses)[0], VecX(Vec2(-0.1, 0.2)));
}

TEST(StepLog, WithoutContactsAllOfTheHeaderTouch) {
  const Read log =
      read(header + "\n" +
           R"({"velocity": [1, 0], "outcome": {"velocity": [1, 0], "impulses": [[0, 0], [0]]}})");
  ASSERT_EQ(log.error, "");
  const ContactProblem& p = log.steps.at(0).problem;
  ASSERT_EQ(p.contacts.size(), 2);
  EXPECT_EQ(p.excitation, VecX(Vec3(0, 0, 0.25)));
  EXPECT_EQ(log.steps[0].step, 0);
}

TEST(StepLog, AStepMayHaveEverythingOfItsOwn) {
  const Read log = read(
      R"({"format": "tact-log/1", "dof": 1})"
      "\n"
      R"({"mass": [[3]], "dt": 0.1, "velocity": [-1], "potential": 5, "contacts": [{"normal": {"rows": 1, "cols": 1, "entries": [[0, 0, 1]]}, "gap": 0.5}], "outcome": {"velocity": [0], "impulses": [[3]]}})"
      "\n"
      R"({"inertia": [4], "velocity": [0], "contacts": [], "outcome": {"velocity": [0], "impulses": []}})");
  ASSERT_EQ(log.error, "");
  EXPECT_TRUE(log.steps[0].own_mass);
  EXPECT_EQ(log.steps[0].problem.mass.coeff(0, 0), 3);
  EXPECT_EQ(log.steps[0].potential, 5);
  EXPECT_EQ(log.steps[1].problem.mass.coeff(0, 0), 4);
  EXPECT_EQ(log.steps[1].step, 1);
}

TEST(StepLog, TablesSayTheSame) {
  const Read lines = read(
      header + "\n" +
      R"({"step": 7, "time": 0.5, "velocity": [1, 0], "impulse": [0, -0.2], "contacts": [)"
      R"({"name": "ground", "gap": -0.001, "excitation": {"normal": 0, "tangents": [-2]}}, {"name": "wall"}],)"
      R"("outcome": {"velocity": [0.9, 0], "impulses": [[-0.1, 0.2], [0]]}})");
  const Read table = read("#" + header +
                          "\nstep, time, velocity.0, velocity.1, impulse.1, after.0, after.1, "
                          "ground.n, ground.t, ground.gap, ground.chi.t, wall.n\n"
                          "7, 0.5, 1, 0, -0.2, 9e-1, +0, 0.2, -.1, -0.001, -2, 0\n");
  ASSERT_EQ(lines.error, "");
  ASSERT_EQ(table.error, "");
  const ContactProblem &a = lines.steps.at(0).problem, &b = table.steps.at(0).problem;
  EXPECT_EQ(table.steps[0].step, 7);
  EXPECT_EQ(MatX(a.mass), MatX(b.mass));
  EXPECT_EQ(MatX(a.rows), MatX(b.rows));
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.impulse, b.impulse);
  EXPECT_EQ(a.excitation, b.excitation);
  EXPECT_EQ(a.contacts[0].gap, b.contacts[0].gap);
  EXPECT_EQ(a.contacts[0].law, b.contacts[0].law);
  EXPECT_EQ(a.outcome->velocity, b.outcome->velocity);
  EXPECT_EQ(*a.outcome->impulses, *b.outcome->impulses);
}

TEST(StepLog, AColumnOfExcitationLeavesTheRestOfTheHeader) {
  const auto table = [](const char* chi, const char* column) {
    return concat(
        {R"(# {"format": "tact-log/1", "dof": 2, "inertia": [1, 1], "contacts": [{"name": "a",)",
         R"( "normal": [0, 1], "tangents": [[1, 0]], "friction": {"mu": 0.5}, "excitation": )", chi,
         "}]}\nvelocity.0,velocity.1,after.0,after.1,a.t,a.n,", column, "\n1,0,1,0,0,0,7\n"});
  };
  const char* both = R"({"normal": "-1/4", "tangents": ["-3/2"]})";
  const Read slip = read(table(both, "a.chi.t")), lift = read(table(both, "a.chi.n"));
  ASSERT_EQ(slip.error, "");
  ASSERT_EQ(lift.error, "");
  EXPECT_EQ(slip.steps.at(0).problem.excitation, Vec2(7, -0.25));
  EXPECT_EQ(lift.steps.at(0).problem.excitation, Vec2(-1.5, 7));
  const Read added = read(table(R"({"normal": -0.25})", "a.chi.t"));
  ASSERT_EQ(added.error, "");
  EXPECT_EQ(added.steps.at(0).problem.excitation, Vec2(7, -0.25));
}

struct Complaint {
  std::string text, part;
};

TEST(StepLog, ComplaintsNameLineFieldAndRemedy) {
  const std::string table = "# " + header + "\n";
  const std::string names = "velocity.0,velocity.1,after.0,after.1,ground.t,ground.n,wall.n\n";
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<Complaint> complaints = {
      {"", "log: is empty; a log begins with"},
      {"{\"format\": }", "log:1:12: format is not JSON"},
      {"{}", "log:1: format is missing;"},
      {with(header, "tact-log/1", "tact-log/9"), "log:1: format is \"tact-log/9\"; write"},
      {with(header, "\"dof\": 2", "\"dof\": 0"), "log:1: dof is 0;"},
      {with(header, "[1, 2]", "[1, 2, 3]"), "log:1: inertia is [1, 2, 3];"},
      {with(header, "[1, 2]", "[1, -2]"), "log:1: inertia is [1, -2]; inertias are positive"},
      {with(header, "\"wall\"", "\"ground\""), "log:1: contacts[1].name is \"ground\"; another"},
      {with(header, "\"name\": \"wall\", ", ""), "log:1: contacts[1].name is missing;"},
      {with(header, "0.5", "-0.5"), "log:1: contacts[0].friction.mu is -0.5;"},
      {with(header, "\"normal\": [0, 1]", "\"normal\": [0]"), "log:1: contacts[0].normal is [0];"},
      {with(header, "tangents", "tangent"), "did you mean \"tangents\"?"},
      {header + "\n" + with(step, "[1, 0]", "[1, NaN]"), "log:2: velocity[1] is NaN;"},
      {header + "\n" + with(step, "[1, 0]", "[1]"), "log:2: velocity is [1];"},
      {header + "\n" + with(step, "\"impulse\": [0, -0.2]", "\"impulse\": [0]"),
       "log:2: impulse is [0];"},
      {header + "\n" + with(step, "[0.9, 0]", "[0.9, 0, 0]"), "log:2: outcome.velocity is"},
      {header + "\n" + with(step, "[-0.1, 0.2]", "[0.2]"), "log:2: outcome.impulses[0] is [0.2];"},
      {header + "\n" + with(step, ", \"impulses\": [[-0.1, 0.2]]", ""),
       "log:2: outcome.impulses is missing;"},
      {header + "\n" + with(step, "\"velocity\": [1, 0], ", ""), "log:2: velocity is missing;"},
      {header + "\n" + with(step, "\"outcome\"", "\"result\""), "log:2: result is"},
      {header + "\n" + step.substr(0, 60), "log:2:60: impulse[1] is not JSON"},
      {header + "\n" + step + "\n" + with(step, "7", "-7"), "log:3: step is -7;"},
      {with(header, "\"inertia\": [1, 2], ", "") + "\n" + step, "log:2: mass is missing; write"},
      {table, "log: has no columns;"},
      {table + "velocity.0,velocity.1,after.0,ground.t,ground.n,wall.n\n",
       "log:2: column after.1 is missing;"},
      {table + "velocity.0,velocity.1,after.0,after.1,ground.t,wall.n\n",
       "log:2: column ground.n is missing;"},
      {table + "speed," + names, "log:2: column \"speed\" is unknown;"},
      {table + "wall.n," + names, "log:2: column wall.n is there twice;"},
      {table + names + "1,0,1,0,0,0\n", "log:3: the line has 6 cells and the table 7 columns;"},
      {table + names + "1,0,1,nan,0,0,0\n", "log:3: after.1 is \"nan\"; write a finite number"},
      {table + names + "1,0,1,,0,0,0\n", "log:3: after.1 is \"\"; write a finite number"},
      {table + names + "1,0,1,+-0,0,0,0\n", "log:3: after.1 is \"+-0\"; write a finite number"},
      {table + names + "1,0,1,++0,0,0,0\n", "log:3: after.1 is \"++0\"; write a finite number"},
      {with(table, "\"wall\"", "\"ground.chi\"") +
           "velocity.0,velocity.1,after.0,after.1,ground.t,ground.n,ground.chi.n\n",
       "log:2: column ground.chi.n could mean two things; give"},
      {with(table, "\"normal\": [0, 1], \"tangents\": [[1, 0]], ", "") + names,
       "log:1: in CSV every contact"},
  };
  for (const Complaint& c : complaints) {
    const Read log = read(c.text);
    EXPECT_NE(log.error.find(c.part), std::string::npos)
        << "wanted: " << c.part << "\n   got: " << log.error;
    EXPECT_EQ(log.error.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace tact
