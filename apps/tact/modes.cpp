// tact modes - every contact mode of a system: counted, listed, looked at from close by.
#include "tact/modes/modes.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/core.h>
#include <unistd.h>

#include "commands.hpp"
#include "mode_ranks.hpp"
#include "tact/io/file.hpp"
#include "tact/io/mode_checkpoint.hpp"
#include "tact/io/mode_input.hpp"
#include "tact/io/mode_report.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/modes/mode_cone.hpp"
#include "tact/modes/mode_scenes.hpp"

namespace tact::app {

namespace {

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
  std::string mode;
  Index planes = 0;
  std::string policy = "exact";
  double tolerance = tolerance::mode_sign;
  int threads = 1;
  std::uint64_t limit = 100000;
  std::string checkpoint;
  std::string resume;
  bool json = false;
};

/// What is asked about, and how it is called.
struct Asked {
  ModeSystem system;
  std::string name;
  std::string source;
  std::vector<std::string> notes;
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
  Asked out{scene->system, words.scene, "scene " + words.scene, {}};
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
  const auto bytes = read_input(words.file);
  if (!bytes) return bytes.error();
  const auto file = read_problem(*bytes, source);
  if (!file) return file.error();
  auto system = mode_system(file->file, source, {words.planes});
  if (!system) return system.error();
  const std::string& name = file->file.problem.name;
  return Asked{*system, name.empty() ? source : name, source, {}};
}

ModeOptions options_of(const ModeWords& words) {
  ModeOptions options;
  options.policy = words.policy == "exact" ? ModePolicy::exact : ModePolicy::tolerance;
  options.tolerance = words.tolerance;
  options.kind =
      words.cs ? ModeKind::contacting : (words.slip ? ModeKind::slipping : ModeKind::sliding);
  options.threads = words.threads;
  options.witnesses = words.witness;
  options.stop = &interrupted;
  return options;
}

/// A line on stderr, from one second on, twice a second, if someone is looking.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(ModeCount done, ModeCount all, ModeCount modes) {
    if (!wanted_) return;
    const double now = seconds();
    if (now < 1 || now < last_ + 0.5) return;
    last_ = now;
    shown_ = true;
    const double part =
        static_cast<double>(done) / static_cast<double>(std::max<ModeCount>(all, 1));
    fmt::print(stderr, "\r\033[K {} of {} contact modes, {} modes so far, about {:.0f} s left",
               grouped(done), grouped(all), grouped(modes), part > 0 ? now * (1 - part) / part : 0);
    std::fflush(stderr);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool wanted_;
  bool shown_ = false;
  double last_ = 0;
};

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

 private:
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
};

/// One enumeration with its checkpoints.
class Enumeration {
 public:
  Enumeration(const Asked& asked, const ModeWords& words, ModeWork work, Listing* listing)
      : words_(words),
        work_(std::move(work)),
        listing_(listing),
        digest_(work_digest(asked.system, options_of(words), visits(words))),
        progress_(!words.json) {}

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
    faces_ = work_.faces();
    std::uint64_t next = totals_.next;
    ModeSink sink;
    if (listing_ != nullptr) sink = [this](const ModeView& mode) { return listing_->add(mode); };
    complete_ = work_.run([&] { return std::optional(next++); },
                          [this](const ModeBlock& block) { take(block); }, sink);
    seconds_ = progress_.seconds();
    if (!complete_ && !failed_ && interrupted) failed_ = save();
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
    report.counts.stopped = !complete_ && (listing_ == nullptr || !listing_->cut);
    if (visits(words_)) report.hash = totals_.hash.value();
    report.seconds = seconds_;
  }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] std::string checkpoint_name() const {
    return words_.checkpoint.empty() ? "tact-modes.checkpoint.json" : words_.checkpoint;
  }

 private:
  const ModeWords& words_;
  ModeWork work_;
  Listing* listing_;
  std::uint64_t digest_;
  Progress progress_;
  ModeTotals totals_;
  ModeCount faces_ = 0;
  ModeCount modes_ = 0;
  bool complete_ = false;
  double seconds_ = 0;
  double saved_ = 0;
  std::optional<Error> failed_;

  void take(const ModeBlock& block) {
    totals_.add(block);
    for (const ModeCount count : block.full_by_dim) modes_ += count;
    progress_.show(work_.faces_passed(), faces_, modes_);
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
  if (words.policy == "exact" && words.planes > 2)
    report.notes.emplace_back(
        "planes at other angles than 90 degrees have rounded rows, taken for what they are");
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

int look_at(const Asked& asked, const ModeWords& words) {
  const std::size_t bar = words.mode.find('|');
  const std::string cs = words.mode.substr(0, bar);
  const std::string ss = bar == std::string::npos ? "" : words.mode.substr(bar + 1);
  const auto cone = mode_cone(asked.system, cs, ss, options_of(words));
  if (!cone) return complain(asked.source + ": " + cone.error().message);
  if (!*cone) {
    if (words.json)
      fmt::print("{{\"cs\": \"{}\", \"ss\": \"{}\", \"exists\": false}}\n", cs, ss);
    else
      fmt::print("no velocity has the mode {}\n", words.mode);
    return violated;
  }
  fmt::print("{}", words.json ? mode_cone_json(**cone, cs, ss) : mode_cone_table(**cone, cs, ss));
  return good;
}

int enumerate(const Asked& asked, const ModeWords& words, Ranks& ranks) {
  auto work = ModeWork::prepare(asked.system, options_of(words), Enumeration::visits(words));
  if (!work) return complain(asked.source + ": " + work.error().message);
  Listing listing(words.limit);
  Enumeration enumeration(asked, words, *std::move(work), words.list ? &listing : nullptr);
  if (const auto error = enumeration.resume()) return complain(error->message);
  if (ranks.count() > 1) {
    enumeration.run(ranks);
    if (!ranks.first()) return good;
  } else if (const auto error = enumeration.run()) {
    return complain(error->message);
  }
  ModeReport report = report_of(asked, words);
  enumeration.fill(report);
  if (words.list) {
    report.list = std::move(listing.groups);
    report.list_cut = listing.cut;
    if (listing.cut) report.hash.reset();
  }
  fmt::print("{}", words.json ? mode_json(report) : mode_table(report));
  if (report.counts.stopped) {
    fmt::print(stderr, "tact: interrupted; go on with --resume {}\n",
               enumeration.checkpoint_name());
    return violated;
  }
  return report.counts.inconsistent ? violated : good;
}

std::optional<std::string> contradiction(const ModeWords& words, const Ranks& ranks) {
  if (words.scene.empty() == words.file.empty())
    return "tact modes needs a problem file or --scene NAME, one of the two";
  if (words.cs && words.slip) return "--cs and --slip exclude each other";
  if (!words.resume.empty() && words.list)
    return "--resume goes on counting or hashing; a list starts anew";
  if (ranks.count() > 1 && (words.list || !words.checkpoint.empty() || !words.resume.empty()))
    return "under mpirun modes are counted or hashed; --list and checkpoints work with --threads";
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
  if (const auto sentence = contradiction(words, ranks)) return complain(*sentence);
  const auto asked = asked_system(words);
  if (!asked) return complain(asked.error().message);
  if (!words.mode.empty()) return look_at(*asked, words);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return enumerate(*asked, words, ranks);
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
      "         tact modes --scene hand-ball --count --threads 2 --checkpoint hand.checkpoint\n"
      "A mode is written CS|SS, as 00++|+-0000: one character per contact, then one per tangent\n"
      "row of the contacts that stay. Exact takes every number for what it is; with a tolerance\n"
      "signs near zero are zero first. Ctrl-C leaves a checkpoint. Theory: docs/modes.md.");
  command->add_option("PROBLEM", words->file, "A problem file; - for standard input.");
  command->add_option("--scene", words->scene, "A built-in scene instead of a file.");
  command->add_flag("--scenes", words->scenes, "List the built-in scenes.");
  command->add_flag("--full", words->full, "Contacting and sliding modes (the default).");
  command->add_flag("--cs", words->cs, "Only which contacts stay and which separate.");
  command->add_flag("--slip", words->slip,
                    "Round friction cones: a contact that stays sticks (0) or slips (s).");
  command->add_flag("--count", words->count, "Count them (the default), without visiting each.");
  command->add_flag("--list", words->list, "List them, sorted.");
  command->add_option("--limit", words->limit, "The longest list.")->capture_default_str();
  command->add_flag("--witness", words->witness, "With --list: a velocity of each mode.");
  command->add_flag("--hash", words->hash, "Visit all of them; a hash of the sorted list.");
  command->add_option("--mode", words->mode,
                      "One mode, CS|SS: its velocities, as rays and lines, and a witness.");
  command
      ->add_option("--planes", words->planes,
                   "This many dividing planes per contact, from its two tangents.")
      ->check(CLI::Range(Index{1}, Index{64}));
  command->add_option("--policy", words->policy, "exact (default) or tolerance.")
      ->check(CLI::IsMember({"exact", "tolerance"}));
  command
      ->add_option("--tolerance", words->tolerance,
                   "Policy tolerance: what is zero, for rows and velocities of size 1.")
      ->check(CLI::Range(tolerance::epsilon, 0.1))
      ->capture_default_str();
  command->add_option("--threads", words->threads, "Same result for any number.")
      ->check(CLI::Range(1, 1024));
  command->add_option("--checkpoint", words->checkpoint,
                      "Where to leave the state now and then, and when interrupted.");
  command->add_option("--resume", words->resume, "Go on from a checkpoint.");
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_modes(*words); }; });
}

}  // namespace tact::app
