// python/bind_modes.cpp - contact modes: counted, and streamed in bounded memory.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "problem.hpp"
#include "tact/base/hash.hpp"
#include "tact/io/mode_input.hpp"
#include "tact/modes/mode_cone.hpp"
#include "tact/modes/mode_scenes.hpp"
#include "tact/modes/modes.hpp"

namespace tact::python {
namespace {

constexpr std::string_view kinds[] = {"contacting", "sliding", "slipping"};
constexpr std::string_view policies[] = {"exact", "tolerance"};
constexpr std::string_view methods[] = {"automatic", "rays", "witnesses"};

py::int_ big(ModeCount count) {
  return py::int_(py::module_::import("builtins").attr("int")(to_string(count)));
}

py::dict by_dim(const std::vector<ModeCount>& counts) {
  py::dict out;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] != 0) out[py::int_(k)] = big(counts[k]);
  return out;
}

/// A scene by its name, a problem, or a system of rows.
ModeSystem system_of(const py::object& what, Index planes, Index rim) {
  if (py::isinstance<ModeSystem>(what)) return what.cast<ModeSystem>();
  if (py::isinstance<Problem>(what)) {
    const auto& p = what.cast<const Problem&>();
    return unwrap(mode_problem(p.file, p.source, {planes, rim})).system;
  }
  if (!py::isinstance<py::str>(what))
    throw KindError(
        "what: expected a ContactProblem, a ModeSystem or the name of a built-in scene");
  const auto scene = mode_scene(what.cast<std::string>(), planes > 0 ? planes : 2);
  if (!scene)
    throw DataError("there is no built-in scene " + what.cast<std::string>() +
                    "; tact.mode_scenes() lists them");
  return scene->system;
}

ModeOptions options_of(const std::string& kind, const std::string& policy,
                       const std::string& method, std::optional<double> tolerance, int threads,
                       bool witnesses) {
  ModeOptions options;
  options.kind = static_cast<ModeKind>(read_word(kind, "kind", kinds));
  options.policy = static_cast<ModePolicy>(read_word(policy, "policy", policies));
  options.method = static_cast<ModeMethod>(read_word(method, "method", methods));
  if (tolerance) options.tolerance = *tolerance;
  if (threads < 1) throw DataError("threads must be at least 1");
  options.threads = threads;
  options.witnesses = witnesses;
  return options;
}

/// tact.Mode.
struct Mode {
  std::string cs, ss;
  Index dim = 0;
  std::vector<double> witness;
};

/// A worker visits the modes and waits while the queue is full; Python takes them out one by one.
/// Nobody ever holds more than the queue, however many modes there are.
class ModeStream {
 public:
  ModeStream(ModeSystem system, ModeOptions options)
      : system_(std::move(system)), options_(options) {
    (void)unwrap(validate(system_, options_));
    options_.stop = &stop_;
    worker_ = std::thread([this] { work(); });
  }
  ModeStream(const ModeStream&) = delete;
  ModeStream& operator=(const ModeStream&) = delete;
  ~ModeStream() { close(); }

  /// The next mode, nothing at the end. Waits without the interpreter's lock.
  std::optional<Mode> next() {
    for (;;) {
      {
        const py::gil_scoped_release release;
        std::unique_lock lock(guard_);
        changed_.wait_for(lock, std::chrono::milliseconds(100),
                          [&] { return !queue_.empty() || done_; });
        if (!queue_.empty()) {
          Mode mode = std::move(queue_.front());
          queue_.pop_front();
          ++given_;
          if (queue_.size() == least) changed_.notify_all();
          return mode;
        }
        if (done_) break;
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    finish();
    ended_ = true;
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }

  /// Stops the worker; what it has not visited is left.
  void close() {
    stop_ = true;
    {
      const std::lock_guard lock(guard_);
      closed_ = true;
    }
    changed_.notify_all();
    if (!worker_.joinable()) return;
    // pybind11's guard of the lock may throw, which a destructor must not.
    PyThreadState* const held = PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr;
    worker_.join();
    if (held != nullptr) PyEval_RestoreThread(held);
  }

  /// What was counted on the way; only after the last mode.
  const ModeVisit& visit() {
    // The worker may be done before its modes are taken; only what was taken counts.
    if (!ended_ || !visit_) throw DataError("the modes are not all visited yet");
    return *visit_;
  }
  [[nodiscard]] std::uint64_t given() const { return given_; }

 private:
  static constexpr std::size_t most = 4096, least = 1024;

  void work() {
    try {
      visit_all();
    } catch (...) {  // a thread that throws ends the program; the one that asks is told instead
      const std::lock_guard lock(guard_);
      failure_ = std::current_exception();
      done_ = true;
      changed_.notify_all();
    }
  }
  void visit_all() {
    auto visited = visit_modes(system_, options_, [this](const ModeView& view) {
      std::unique_lock lock(guard_);
      changed_.wait(lock, [&] { return queue_.size() < most || closed_; });
      if (closed_) return false;
      queue_.push_back({std::string(view.cs), std::string(view.ss), view.dim,
                        std::vector<double>(view.witness.begin(), view.witness.end())});
      if (queue_.size() == 1) changed_.notify_all();
      return true;
    });
    const std::lock_guard lock(guard_);
    if (!visited) failure_ = std::make_exception_ptr(DataError(visited.error().message));
    if (visited && !visited->counts.stopped && !closed_) visit_ = *std::move(visited);
    done_ = true;
    changed_.notify_all();
  }
  void finish() {
    const py::gil_scoped_release release;
    if (worker_.joinable()) worker_.join();
  }

  ModeSystem system_;
  ModeOptions options_;
  std::atomic<bool> stop_{false};
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<Mode> queue_;
  bool done_ = false, closed_ = false;
  bool ended_ = false;  ///< the last mode was taken; of the thread that takes them
  std::optional<ModeVisit> visit_;
  std::exception_ptr failure_;
  std::uint64_t given_ = 0;
  std::thread worker_;
};

ModeSystem from_rows(const std::vector<std::pair<ArrayLike, Maybe>>& contacts) {
  ModeSystem system;
  Index dof = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::string place = "contacts[" + std::to_string(i) + "]";
    const VecX normal = read_vector(contacts[i].first, place + ".normal", dof);
    dof = normal.size();
    MatX tangents(0, dof);
    if (contacts[i].second)
      tangents = read_matrix(*contacts[i].second, place + ".tangents", -1, dof);
    if (system.rows.cols() == 0) system.rows.resize(0, dof);
    add_contact(system, normal, tangents);
  }
  return system;
}

void bind_system(py::module_& m) {
  py::class_<ModeSystem>(
      m, "ModeSystem",
      "The rows of contacts whose modes are asked for: n·x > 0 separates, n·x = 0 keeps "
      "contact, the signs of t·x say how it slides. [Huang20] (5)")
      .def(py::init(&from_rows), "contacts"_a,
           "One pair (normal [dof], tangents [k, dof] or None) per contact.")
      .def_static(
          "scene",
          [](const std::string& name, Index planes) { return system_of(py::str(name), planes, 0); },
          "name"_a, "planes"_a = 2, "A built-in scene: tact.mode_scenes() lists them.")
      .def_property_readonly(
          "rows", [](const ModeSystem& s) { return to_array(s.rows); }, "[rows, dof]")
      .def_property_readonly("dof", &ModeSystem::dof, "Columns.")
      .def("__len__", [](const ModeSystem& s) { return s.contacts.size(); });
  m.def(
      "mode_scenes",
      [] {
        py::dict out;
        for (const ModeSceneName& s : mode_scene_names())
          out[py::str(std::string(s.name))] = std::string(s.description);
        return out;
      },
      "Built-in scenes of modes, with what they are.");
}

void bind_counts(py::module_& m) {
  py::class_<ModeCounts>(m, "ModeCounts", "How many modes a system has; exact whole numbers.")
      .def_property_readonly(
          "cs", [](const ModeCounts& c) { return big(c.cs); }, "Contacting/separating modes.")
      .def_property_readonly(
          "full", [](const ModeCounts& c) { return big(c.full); }, "Of the kind asked for.")
      .def_property_readonly(
          "cs_by_dim", [](const ModeCounts& c) { return by_dim(c.cs_by_dim); },
          "By the dimension of the velocity cone.")
      .def_property_readonly(
          "full_by_dim", [](const ModeCounts& c) { return by_dim(c.full_by_dim); }, "Likewise.")
      .def_readonly("inconsistent", &ModeCounts::inconsistent,
                    "Policy tolerance: it joined what does not belong together.")
      .def_property_readonly(
          "method",
          [](const ModeCounts& c) {
            return std::string(methods[static_cast<std::size_t>(c.method)]);
          },
          "That was used.")
      .def("__repr__", [](const ModeCounts& c) {
        return "<tact.ModeCounts cs " + to_string(c.cs) + ", full " + to_string(c.full) + ">";
      });
  m.def(
      "count_modes",
      [](const py::object& what, const std::string& kind, const std::string& policy,
         const std::string& method, std::optional<double> tolerance, int threads, Index planes,
         Index rim) {
        const ModeSystem system = system_of(what, planes, rim);
        const ModeOptions options = options_of(kind, policy, method, tolerance, threads, false);
        const py::gil_scoped_release release;
        return unwrap(count_modes(system, options));
      },
      "what"_a, py::kw_only(), "kind"_a = "sliding", "policy"_a = "exact", "method"_a = "automatic",
      "tolerance"_a = py::none(), "threads"_a = 1, "planes"_a = 0, "rim"_a = 0,
      "Counts modes without visiting them. what: a ContactProblem, a ModeSystem or the name of a "
      "built-in scene. kind: "
      "contacting, sliding, slipping. planes: dividing planes per contact instead of its tangents. "
      "[Huang20] (7), (8)");
}

void bind_stream(py::module_& m) {
  py::class_<Mode>(m, "Mode", "One contact mode.")
      .def_readonly("cs", &Mode::cs, "One character per contact: 0 stays, + separates.")
      .def_readonly(
          "ss", &Mode::ss,
          "One sign per tangent of the contacts that stay: - 0 +; of kind slipping 0 or s.")
      .def_readonly("dim", &Mode::dim, "Dimension of its velocity cone.")
      .def_property_readonly(
          "witness",
          [](const Mode& mode) -> std::optional<Doubles> {
            if (mode.witness.empty()) return std::nullopt;
            return to_array(std::span<const double>(mode.witness));
          },
          "A velocity of this mode, where asked for; else None.")
      .def("__repr__",
           [](const Mode& mode) { return "<tact.Mode " + mode.cs + " " + mode.ss + ">"; });
  py::class_<ModeStream>(
      m, "ModeIterator",
      "Modes in order, as they are found; memory is bounded whatever their number.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__",
           [](ModeStream& s) {
             auto mode = s.next();
             if (!mode) throw py::stop_iteration();
             return *std::move(mode);
           })
      .def("close", &ModeStream::close, "Stops looking for more.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](ModeStream& s, const py::args&) { s.close(); })
      .def_property_readonly("given", &ModeStream::given, "How many were taken so far.")
      .def_property_readonly(
          "counts", [](ModeStream& s) { return s.visit().counts; },
          "After the last mode: tact.ModeCounts.")
      .def_property_readonly(
          "hash", [](ModeStream& s) { return hex_text(s.visit().hash); },
          "After the last mode: of their sequence.");
}

void bind_enumeration(py::module_& m) {
  m.def(
      "modes",
      [](const py::object& what, const std::string& kind, const std::string& policy,
         const std::string& method, std::optional<double> tolerance, int threads, Index planes,
         Index rim, bool witnesses) {
        return std::make_unique<ModeStream>(
            system_of(what, planes, rim),
            options_of(kind, policy, method, tolerance, threads, witnesses));
      },
      "what"_a, py::kw_only(), "kind"_a = "sliding", "policy"_a = "exact", "method"_a = "automatic",
      "tolerance"_a = py::none(), "threads"_a = 1, "planes"_a = 0, "rim"_a = 0,
      "witnesses"_a = false,
      "Every mode once, in order, as an iterator; the arguments are those of count_modes. "
      "witnesses: with a velocity each.");
  m.def(
      "mode_cone",
      [](const py::object& what, const std::string& cs, const std::string& ss,
         Index planes) -> std::optional<py::dict> {
        const auto cone = unwrap(mode_cone(system_of(what, planes, 0), cs, ss));
        if (!cone) return std::nullopt;
        return py::dict("dim"_a = cone->dim, "rays"_a = to_array(MatX(cone->rays.transpose())),
                        "lines"_a = to_array(MatX(cone->lines.transpose())),
                        "witness"_a = to_array(cone->witness));
      },
      "what"_a, "cs"_a, "ss"_a = "", "planes"_a = 0,
      "The velocities of one mode: dim, rays and lines as rows, a witness; None if no velocity has "
      "these signs.");
}

}  // namespace

void bind_modes(py::module_& m) {
  bind_system(m);
  bind_counts(m);
  bind_stream(m);
  bind_enumeration(m);
}

}  // namespace tact::python
