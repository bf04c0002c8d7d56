// tact modes - every contact mode of a system: counted, listed, looked at from close by.
#include "tact/modes/modes.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "mode_outlook.hpp"
#include "mode_ranks.hpp"
#include "mode_views.hpp"
#include "scene_input.hpp"
#include "tact/io/file.hpp"
#include "tact/io/mode_checkpoint.hpp"
#include "tact/io/mode_input.hpp"
#include "tact/io/mode_report.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/modes/mode_cone.hpp"
#include "tact/modes/mode_scenes.hpp"

namespace tact::app {

namespace {

constexpr std::int64_t longest_list = 100000;  ///< unless --limit says otherwise
constexpr ModeCount far_away = 100000000;      ///< modes that take a while to visit

struct ModeWords {
  std::string file;
  std::string scene;
  bool scenes = false;
  bool cs = false;
  bool slip = false;
  bool full = false;
  bool count = false;
  bool list = false;
  bool witness = false;
  bool hash = false;
  std::optional<std::string> mode;
  std::optional<std::string> dynamics;
  Index planes = 0;
  std::string policy = "exact";
  std::string method = "automatic";
  double tolerance = tolerance::mode_sign;
  int threads = 1;
  std::optional<std::int64_t> limit;
  std::string checkpoint;
  std::string resume;
  ModeFiles files;
  Index rim = 0;
  bool grasp = false;
  std::string wanted;
  bool json = false;
  SceneWords scene_words;
};

/// What is asked about, and how it is called.
struct Asked {
  ModeSystem system;
  std::string name;
  std::string source;
  std::vector<std::string> notes;
  std::vector<double> friction;  ///< of a file: what each tangent row may carry
  std::optional<ModeLoad> load;  ///< of a file with a mass
};

std::atomic<bool> interrupted = false;
extern "C" void on_interrupt(int /*signal*/) {
  interrupted = true;
}

Result<Asked> asked_scene(const ModeWords& words) {
  const auto scene = mode_scene(words.scene, words.planes > 0 ? words.planes : 2);
  if (!scene)
    return Error{Errc::value,
                 "there is no built-in scene " + words.scene + "; tact modes --scenes lists them"};
  Asked out{scene->system, words.scene, "scene " + words.scene, {}, {}, {}};
  for (const ModeSceneName& known : mode_scene_names()) {
    const bool differs = (known.printed_cs && known.printed_cs != known.cs) ||
                         (known.printed_ss && known.printed_ss != known.full);
    if (known.name == words.scene && differs && (words.planes == 0 || words.planes == 2))
      out.notes.push_back(fmt::format(
          "the table of the 2020 paper prints {} and {} for this scene; see docs/errata.md",
          *known.printed_cs, *known.printed_ss));
  }
  return out;
}

Result<Asked> asked_system(const ModeWords& words) {
  if (!words.scene.empty()) return asked_scene(words);
  const std::string source = source_name(words.file);
  const ModeFiles& files = words.files;
  if (const auto sentence =
          clash(words.file, {files.graph, files.svg, files.html, words.checkpoint}))
    return Error{Errc::io, *sentence};
  const auto bytes = read_problem_or_scene(words.file, words.scene_words, MomentUse::modes,
                                           {files.graph, files.svg, files.html, words.checkpoint});
  if (!bytes) return bytes.error();
  const auto file = read_problem(*bytes, source);
  if (!file) return file.error();
  auto problem = mode_problem(file->file, source, {words.planes, words.rim});
  if (!problem) return problem.error();
  const std::string& name = file->file.problem.name;
  return Asked{problem->system, name.empty() ? source : name, source, {}, problem->friction,
               problem->load};
}

ModeOptions options_of(const ModeWords& words) {
  ModeOptions options;
  options.policy = words.policy == "exact" ? ModePolicy::exact : ModePolicy::tolerance;
  options.tolerance = words.tolerance;
  options.method = words.method == "rays"        ? ModeMethod::rays
                   : words.method == "witnesses" ? ModeMethod::witnesses
                                                 : ModeMethod::automatic;
  options.kind =
      words.cs ? ModeKind::contacting : (words.slip ? ModeKind::slipping : ModeKind::sliding);
  options.threads = words.threads;
  options.witnesses = words.witness;
  options.stop = &interrupted;
  return options;
}

/// Puts listed modes into groups of one cs string.
class Listing {
 public:
  explicit Listing(std::uint64_t limit) : limit_(limit) {}

  bool add(const ModeView& mode) {
    if (count_ == limit_) {
      cut = true;
      return false;
    }
    ++count_;
    if (groups.empty() || groups.back().cs != mode.cs)
      groups.push_back({std::string(mode.cs), {}, {}});
    groups.back().ss.emplace_back(mode.ss);
    if (!mode.witness.empty())
      groups.back().witnesses.emplace_back(
          Eigen::Map<const VecX>(mode.witness.data(), static_cast<Index>(mode.witness.size())));
    return true;
  }

  std::vector<ListedModes> groups;
  bool cut = false;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
};

/// One enumeration with its checkpoints.
class Enumeration {
 public:
  Enumeration(const Asked& asked, const ModeWords& words, ModeWork work, Listing* listing,
              Outlook outlook)
      : words_(words),
        outlook_(std::move(outlook)),
        work_(std::move(work)),
        listing_(listing),
        digest_(work_digest(asked.system, options_of(words), visits(words))),
        progress_(!words.json, !words.resume.empty()) {}

  static bool visits(const ModeWords& words) { return words.list || words.hash; }

  std::optional<Error> resume() {
    if (words_.resume.empty()) return std::nullopt;
    const auto text = read_file(words_.resume);
    if (!text) return text.error();
    auto totals = read_mode_checkpoint(*text, words_.resume, digest_);
    if (!totals) return totals.error();
    totals_ = *totals;
    return std::nullopt;
  }

  /// Returns the complaint if a checkpoint cannot be written.
  std::optional<Error> run() {
    face();
    std::uint64_t next = totals_.next;
    ModeSink sink;
    if (listing_ != nullptr) sink = [this](const ModeView& mode) { return listing_->add(mode); };
    complete_ = work_.run([&] { return std::optional(next++); },
                          [this](const ModeBlock& block) { take(block); }, sink);
    seconds_ = progress_.seconds();
    progress_.wipe();
    if (!complete_ && !failed_ && interrupted && listing_ == nullptr) failed_ = save();
    return failed_;
  }

  void run(Ranks& ranks) {
    for (const ModeBlock& block : ranks.share(work_, complete_)) {
      if (block.index == totals_.next) totals_.add(block);
    }
    seconds_ = progress_.seconds();
  }

  void fill(ModeReport& report) const {
    report.counts = work_.counts(totals_);
    report.counts.stopped = !complete_;
    if (complete_ && visits(words_)) report.hash = totals_.hash.value();
    if (listing_ != nullptr && !complete_) fill_from_list(report.counts);
    report.counts.method = work_.method();
    report.seconds = seconds_;
  }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::string checkpoint_name() const {
    return words_.checkpoint.empty() ? "tact-modes.checkpoint.json" : words_.checkpoint;
  }

 private:
  const ModeWords& words_;
  Outlook outlook_;
  ModeWork work_;
  Listing* listing_;
  std::uint64_t digest_;
  Progress progress_;
  ModeTotals totals_;
  ModeCount faces_ = 0;  ///< 0 if they are too many to know
  ModeCount modes_ = 0;
  bool complete_ = false;
  double seconds_ = 0;
  double saved_ = 0;
  std::optional<Error> failed_;

  /// What progress is measured by: modes of a visit if they are known, else contact modes.
  void face() {
    constexpr ModeCount many = 1000000;
    for (const ModeTotals::Part& part : totals_.parts)
      for (const ModeCount count : part.full_by_dim) modes_ += count;
    if (outlook_.complete || work_.method() == ModeMethod::witnesses) return;
    faces_ = work_.faces(many);
    if (faces_ < many) return;
    faces_ = 0;
    if (!visits(words_))
      fmt::print(stderr,
                 "tact: more than {} contact modes, each to be looked into; Ctrl-C leaves a "
                 "checkpoint to go on from\n",
                 grouped(many));
  }

  /// A list that ended early: how many there are if that is known, else those it has.
  void fill_from_list(ModeCounts& counts) const {
    const bool known = listing_->cut && outlook_.complete;
    counts = known ? outlook_.counts : ModeCounts{};
    if (known) return;
    counts.cs = listing_->groups.size();
    counts.full = listing_->count();
    counts.stopped = true;
  }

  void take(const ModeBlock& block) {
    totals_.add(block);
    for (const ModeCount count : block.full_by_dim) modes_ += count;
    if (outlook_.complete)
      progress_.show(modes_, outlook_.counts.full, "modes", std::nullopt);
    else
      progress_.show(work_.faces_passed(), faces_, "contact modes", modes_);
    constexpr double seldom = 10;  // seconds between checkpoints
    if (!words_.checkpoint.empty() && progress_.seconds() > saved_ + seldom) {
      saved_ = progress_.seconds();
      failed_ = save();
      if (failed_) interrupted = true;
    }
  }
  [[nodiscard]] std::optional<Error> save() const {
    return write_file({checkpoint_name(), write_mode_checkpoint(totals_, digest_)});
  }
};

ModeReport report_of(const Asked& asked, const ModeWords& words) {
  ModeReport report;
  report.name = asked.name;
  report.contacts = static_cast<Index>(asked.system.contacts.size());
  report.dof = asked.system.dof();
  report.options = options_of(words);
  report.notes = asked.notes;
  bool first = true;
  for (const ModeContact& contact : asked.system.contacts) {
    report.planes_least =
        first ? contact.tangents : std::min(report.planes_least, contact.tangents);
    report.planes_most = std::max(report.planes_most, contact.tangents);
    first = false;
  }
  if (words.policy == "exact" && words.planes > 2 && words.planes != 4)
    report.notes.emplace_back(
        "directions of planes at other angles than 45 and 90 degrees are off by up to 1e-9; modes "
        "are exact for these directions");
  return report;
}

int list_scenes(bool as_json) {
  if (as_json) {
    fmt::print("{{\"scenes\": [");
    const char* comma = "";
    for (const ModeSceneName& scene : mode_scene_names()) {
      fmt::print("{}\"{}\"", comma, scene.name);
      comma = ", ";
    }
    fmt::print("]}}\n");
    return good;
  }
  for (const ModeSceneName& scene : mode_scene_names())
    fmt::print("{:<12} {}\n", scene.name, scene.description);
  return good;
}

/// One mode, CS|SS: its velocities, or what it takes to start into it.
int look_at(const Asked& asked, const ModeWords& words) {
  const std::string& mode = words.mode ? *words.mode : *words.dynamics;
  const std::size_t bar = mode.find('|');
  const std::string cs = mode.substr(0, bar);
  const std::string ss = bar == std::string::npos ? "" : mode.substr(bar + 1);
  const auto cone = mode_cone(asked.system, cs, ss, options_of(words));
  if (!cone) return complain(asked.source + ": " + cone.error().message);
  if (!*cone) {
    if (words.json)
      fmt::print("{{\"cs\": \"{}\", \"ss\": \"{}\", \"exists\": false}}\n", cs, ss);
    else
      fmt::print("no velocity has the mode {}|{}\n", cs, ss);
    return violated;
  }
  if (words.dynamics)
    return tell_dynamics(asked.system, asked.source, asked.load, cs, ss, words.json);
  fmt::print("{}", words.json ? mode_cone_json(**cone, cs, ss) : mode_cone_table(**cone, cs, ss));
  return good;
}

/// A sentence of one rank, not of all.
int say(const Ranks& ranks, const std::string& sentence) {
  return ranks.first() ? complain(sentence) : unusable;
}

/// Before a visit that will take long: how many modes it will see.
void warn(const Outlook& outlook) {
  if (outlook.counts.full <= far_away) return;
  fmt::print(stderr, "tact: {}{} modes to visit, one by one; --count does not visit them\n",
             outlook.complete ? "" : "more than ", grouped(outlook.counts.full));
}

/// Signs that a tolerance has made contradict each other are counted differently than visited:
/// where there are not too many modes, that is looked at.
void compare_with_visit(const Asked& asked, const ModeWords& words, ModeCounts& counts) {
  constexpr ModeCount few = 1000000;
  if (counts.full > few) return;
  const auto visit = visit_modes(asked.system, options_of(words), {});
  if (visit && !visit->counts.stopped && visit->counts.full != counts.full)
    counts.inconsistent = true;
}

int enumerate(const Asked& asked, const ModeWords& words, Ranks& ranks) {
  std::optional<Result<ModeWork>> work;
  Outlook outlook;
  {
    const auto contacts = static_cast<Index>(asked.system.contacts.size());
    const Index dof = asked.system.dof();
    const Alarm alarm(std::chrono::seconds(3), [contacts, dof] {
      fmt::print(stderr,
                 "tact: still looking for the extreme velocities that {} contacts leave in {} "
                 "dimensions, up to {:.2g} of them; Ctrl-C ends it\n",
                 contacts, dof, most_rays(contacts, dof));
    });
    work = ModeWork::prepare(asked.system, options_of(words), Enumeration::visits(words));
    if (!*work) return say(ranks, asked.source + ": " + work->error().message);
    // Witnesses see what is there when they come to it.
    if (Enumeration::visits(words) && ranks.first() && (*work)->method() == ModeMethod::rays)
      outlook = look_ahead(asked.system, options_of(words));
  }
  const auto limit = static_cast<std::uint64_t>(words.limit.value_or(longest_list));
  Listing listing(limit);
  Enumeration enumeration(asked, words, **std::move(work), words.list ? &listing : nullptr,
                          outlook);
  if (const auto error = enumeration.resume()) return complain(error->message);
  // Only now is there something to save; before, a signal simply ends the program.
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (!words.list || limit > far_away) warn(outlook);
  if (ranks.count() > 1) {
    enumeration.run(ranks);
    if (!ranks.first()) return good;
  } else if (const auto error = enumeration.run()) {
    return complain(error->message);
  }
  ModeReport report = report_of(asked, words);
  enumeration.fill(report);
  if (words.policy == "tolerance" && enumeration.complete() && !Enumeration::visits(words) &&
      report.counts.method == ModeMethod::rays)
    compare_with_visit(asked, words, report.counts);
  if (words.list) {
    report.list = std::move(listing.groups);
    report.list_cut = listing.cut;
  }
  fmt::print("{}", words.json ? mode_json(report) : mode_table(report));
  if (interrupted && !enumeration.complete()) {
    if (words.list || ranks.count() > 1)
      fmt::print(stderr, "tact: interrupted; run it again to have all\n");
    else
      fmt::print(stderr, "tact: interrupted; go on with --resume {}\n",
                 enumeration.checkpoint_name());
    return violated;
  }
  return report.counts.inconsistent ? violated : good;
}

/// Who looks at one mode looks at no other.
std::optional<std::string> more_than_one(const ModeWords& words, bool kept) {
  const bool many = kept || words.cs || words.slip || words.count || words.list || words.hash;
  if (words.mode && many)
    return "--mode looks at one mode, signs and all; leave out what counts, lists or hashes many";
  if (words.dynamics && (many || words.mode || words.grasp || words.files.any()))
    return "--dynamics looks at one mode, signs and all; leave out what asks something else";
  return std::nullopt;
}

std::optional<std::string> contradiction(const ModeWords& words, const Ranks& ranks) {
  if (words.scene.empty() == words.file.empty())
    return "tact modes needs a problem file or --scene NAME, one of the two";
  if (int{words.cs} + int{words.slip} + int{words.full} > 1)
    return "--full, --cs and --slip exclude each other; choose one";
  if (!words.list && words.witness) return "--witness belongs to --list";
  if (!words.list && words.limit) return "--limit belongs to --list";
  const bool kept = !words.checkpoint.empty() || !words.resume.empty();
  if (kept && words.list)
    return "a list starts anew; --checkpoint and --resume go with counting or --hash";
  if (auto sentence = more_than_one(words, kept)) return sentence;
  if (ranks.count() > 1 && (words.list || words.mode || words.dynamics || kept))
    return "under mpirun modes are counted or hashed; --list, --mode, --dynamics and checkpoints "
           "work without it";
  if (!words.grasp && !words.wanted.empty()) return "--wanted belongs to --grasp";
  if (words.grasp && words.files.any())
    return "--grasp reports; pictures and graphs are made without";
  if (words.files.any() && words.slip)
    return "modes of stick and slip are no cones and have no lattice; leave out --slip";
  if (words.tolerance != tolerance::mode_sign && words.policy == "exact")
    return "--tolerance belongs to --policy tolerance";
  return std::nullopt;
}

int run_modes(const ModeWords& words) {
  if (words.scenes) return list_scenes(words.json);
  if (Ranks::missing())
    return complain(
        "tact: built without MPI, so that mpirun would do everything several times; "
        "use --threads, or install libopenmpi-dev and build again");
  Ranks ranks;
  if (const auto sentence = contradiction(words, ranks)) return say(ranks, *sentence);
  const auto asked = asked_system(words);
  if (!asked) return say(ranks, asked.error().message);
  if (words.mode || words.dynamics) return look_at(*asked, words);
  if (words.grasp)
    return tell_grasp(asked->system, asked->source, asked->friction, asked->load, words.wanted,
                      options_of(words), words.json);
  if (words.files.any() && ranks.first())
    if (const auto error = write_views(asked->system, asked->name, options_of(words), words.files))
      return complain(asked->source + ": " + error->message);
  return enumerate(*asked, words, ranks);
}

/// How it is to be done, as against what is asked.
void add_settings(CLI::App* command, ModeWords& words) {
  command
      ->add_option("--planes", words.planes,
                   "This many dividing planes per contact, from its two tangents.")
      ->check(CLI::Range(Index{1}, Index{64}));
  command->add_option("--policy", words.policy, "exact (default) or tolerance.")
      ->check(CLI::IsMember({"exact", "tolerance"}));
  command
      ->add_option("--tolerance", words.tolerance,
                   "Policy tolerance: what is zero, for rows and velocities of size 1.")
      ->check(share_above_zero(0.1))
      ->capture_default_str();
  command
      ->add_option("--method", words.method,
                   "rays of cones, or witnesses, one velocity at a time, where rays are too many; "
                   "automatic (default) chooses. Same modes, same order.")
      ->check(CLI::IsMember({"automatic", "rays", "witnesses"}));
  command->add_option("--threads", words.threads, "Same result for any number.")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--rim", words.rim,
                   "Patches with a round rim: this many corners per turn stand for it.")
      ->check(CLI::Range(Index{3}, Index{1000}));
  command->add_option("--graph", words.files.graph,
                      "Write which mode borders on which: FILE.graphml, FILE.dot or FILE.json.");
  command->add_option("--svg", words.files.svg, "Draw the lattice, a layer per dimension.");
  command->add_option("--html", words.files.html, "The same as a page to point at.");
  command->add_flag(
      "--grasp", words.grasp,
      "Form closure, force closure, and whether from rest the file's mass, impulse and "
      "friction allow only the mode at rest. Friction is a box on the tangent rows "
      "inside the law's own. Exit code 1 if not.");
  command->add_option("--wanted", words.wanted,
                      "With --grasp: the mode, CS|SS, that should be the only one.");
  command->add_option("--checkpoint", words.checkpoint,
                      "Where to leave the state now and then, and when interrupted.");
  command->add_option("--resume", words.resume, "Go on from a checkpoint.");
}

}  // namespace

void add_modes(CLI::App& app, Action& action) {
  auto words = std::make_shared<ModeWords>();
  CLI::App* command = app.add_subcommand(
      "modes",
      "Every contact mode of a system: which contacts can stay (0) or separate (+), and how those "
      "that stay can slide (signs of their tangent rows).");
  command->footer(
      "Example: tact modes --scene box-2\n"
      "         tact modes hand.json --list --policy tolerance\n"
      "         tact modes --scene box-1 --html lattice.html\n"
      "         tact modes push.json --dynamics '00|00'\n"
      "         tact modes --scene hand-ball --count --threads 2 --checkpoint hand.checkpoint\n"
      "A mode is written CS|SS, as 00++|+-0000: one character per contact, then one per tangent\n"
      "row of the contacts that stay. Exact takes every number for what it is; with a tolerance\n"
      "signs near zero are zero first. Ctrl-C leaves a checkpoint. Theory: docs/modes.md.");
  command->add_option("PROBLEM", words->file, "A problem file or a scene; - for standard input.");
  add_scene_words(*command, words->scene_words);
  command->add_option("--scene", words->scene, "A built-in scene instead of a file.");
  command->add_flag("--scenes", words->scenes, "List the built-in scenes.");
  command->add_flag("--full", words->full, "Contacting and sliding modes (the default).");
  command->add_flag("--cs", words->cs, "Only which contacts stay and which separate.");
  command->add_flag("--slip", words->slip,
                    "Round friction cones: a contact that stays sticks (0) or slips (s).");
  command->add_flag("--count", words->count, "Count them (the default), without visiting each.");
  command->add_flag("--list", words->list, "List them, sorted.");
  command->add_option("--limit", words->limit, "The longest list.")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->default_str(std::to_string(longest_list));
  command->add_flag("--witness", words->witness, "With --list: a velocity of each mode.");
  command->add_flag("--hash", words->hash, "Visit all of them; a hash of the sorted list.");
  command->add_option("--mode", words->mode,
                      "One mode, CS|SS: its velocities, as rays and lines, and a witness.");
  command->add_option("--dynamics", words->dynamics,
                      "One mode, CS|SS: the equations by which the file's mass and impulse start "
                      "into it from rest, with an acceleration and forces that solve them. "
                      "Friction as with --grasp. Exit code 1 if there are none.");
  add_settings(command, *words);
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_modes(*words); }; });
}

}  // namespace tact::app
