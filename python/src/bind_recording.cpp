// python/bind_recording.cpp - recordings as arrays, also of files that still grow.
#include <cstring>

#include "runner.hpp"
#include "tact/io/file.hpp"
#include "tact/io/recorder.hpp"
#include "tact/io/recording.hpp"
#include "tact/io/scene_simulation.hpp"

namespace tact::python {
namespace {

/// tact.Recording: all frames so far, column by column.
struct Recorded {
  std::string path;
  RecordingReader reader;
  std::vector<double> times, qpos, qvel, ctrl, works, bodies, energies, figures;
  std::vector<std::int64_t> steps, offsets{0};
  std::vector<ContactSample> contacts;
  std::vector<std::pair<Index, ImpactEvent>> impacts;
  std::optional<std::string> cut;

  explicit Recorded(RecordingReader from, std::string name)
      : path(std::move(name)), reader(std::move(from)) {}

  [[nodiscard]] Index frames() const { return static_cast<Index>(times.size()); }

  void add(const RecordedFrame& f) {
    const auto put = [](std::vector<double>& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    times.push_back(f.time);
    steps.push_back(f.step);
    put(qpos, f.qpos);
    put(qvel, f.qvel);
    put(ctrl, f.ctrl);
    put(works, f.works);
    for (const double x : {f.kinetic_change, f.potential_change, f.moved, f.closure})
      energies.push_back(x);
    for (const double x : {f.figures.residual, f.figures.penetration}) figures.push_back(x);
    for (const Pose& X : f.bodies) {
      const Mat4 h = matrix(X);
      for (int k = 0; k < 16; ++k) bodies.push_back(h(k / 4, k % 4));
    }
    contacts.insert(contacts.end(), f.contacts.begin(), f.contacts.end());
    offsets.push_back(static_cast<std::int64_t>(contacts.size()));
  }

  /// How many frames came.
  Index refresh() {
    const Index before = frames();
    for (;;) {
      const auto found = reader.poll();
      if (!found) {
        cut = found.error().message;
        break;
      }
      if (*found == RecordingReader::Found::frame) add(reader.frame());
      if (*found == RecordingReader::Found::impacts)
        for (const ImpactEvent& e : reader.impacts().events)
          impacts.emplace_back(reader.impacts().step, e);
      if (*found == RecordingReader::Found::nothing || *found == RecordingReader::Found::end) break;
    }
    return frames() - before;
  }
};

Doubles table(const std::vector<double>& flat, std::vector<py::ssize_t> shape) {
  Doubles out(std::move(shape));
  if (!flat.empty()) std::memcpy(out.mutable_data(), flat.data(), flat.size() * sizeof(double));
  return out;
}

/// Column k of rows of `width`.
Doubles column(const std::vector<double>& flat, std::size_t width, std::size_t k) {
  Doubles out(static_cast<py::ssize_t>(flat.size() / width));
  double* at = out.mutable_data();
  for (std::size_t i = k; i < flat.size(); i += width) *at++ = flat[i];
  return out;
}

py::array_t<std::int64_t> integers(const std::vector<std::int64_t>& x) {
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(x.size()), x.data());
}

py::dict ledger_of(const Recorded& r) {
  py::dict out;
  const auto& names = r.reader.header().accounts;
  for (std::size_t k = 0; k < names.size(); ++k)
    out[py::str(names[k])] = column(r.works, names.size(), k);
  constexpr std::string_view words[] = {"kinetic_change", "potential_change", "moved", "closure"};
  for (std::size_t k = 0; k < 4; ++k)
    out[py::str(std::string(words[k]))] = column(r.energies, 4, k);
  return out;
}

py::list impacts_of(const Recorded& r) {
  py::list out;
  for (const auto& [step, e] : r.impacts)
    out.append(py::dict("step"_a = step, "time"_a = e.time, "contacts"_a = e.contacts,
                        "geom1"_a = e.geom1, "geom2"_a = e.geom2, "approach"_a = e.approach,
                        "work"_a = e.work, "verdict"_a = word(e.verdict),
                        "at_its_time"_a = e.at_its_time));
  return out;
}

py::array contacts_at(const Recorded& r, Index frame) {
  const Index at = frame < 0 ? frame + r.frames() : frame;
  if (at < 0 || at >= r.frames())
    throw py::index_error("frame " + std::to_string(frame) + " of " + std::to_string(r.frames()));
  const auto begin = static_cast<std::size_t>(r.offsets[static_cast<std::size_t>(at)]);
  const auto end = static_cast<std::size_t>(r.offsets[static_cast<std::size_t>(at) + 1]);
  return contact_table(std::span(r.contacts).subspan(begin, end - begin));
}

using Class = py::class_<Recorded>;

void bind_frames(Class& c) {
  c.def_property_readonly(
       "times", [](const Recorded& r) { return table(r.times, {r.frames()}); }, "[frames] s.")
      .def_property_readonly(
          "steps", [](const Recorded& r) { return integers(r.steps); }, "[frames]")
      .def_property_readonly(
          "qpos",
          [](const Recorded& r) {
            return table(r.qpos, {r.frames(), r.reader.header().nq});
          },
          "[frames, nq], in the coordinates of the scene's file.")
      .def_property_readonly(
          "qvel",
          [](const Recorded& r) {
            return table(r.qvel, {r.frames(), r.reader.header().nv});
          },
          "[frames, nv]")
      .def_property_readonly(
          "ctrl",
          [](const Recorded& r) {
            return table(r.ctrl, {r.frames(), r.reader.header().controls});
          },
          "[frames, nu]")
      .def_property_readonly(
          "body_poses",
          [](const Recorded& r) {
            return table(
                r.bodies,
                {r.frames(), static_cast<py::ssize_t>(r.reader.header().bodies.size()), 4, 4});
          },
          "X_WB [frames, bodies, 4, 4], single precision.")
      .def_property_readonly("ledger", &ledger_of,
                             "Work since the start by account, and closure; each [frames] J.")
      .def_property_readonly(
          "residual", [](const Recorded& r) { return column(r.figures, 2, 0); },
          "The largest since the frame before [frames].")
      .def_property_readonly(
          "penetration", [](const Recorded& r) { return column(r.figures, 2, 1); },
          "The deepest since the frame before [frames] m.")
      .def_property_readonly(
          "contacts", [](const Recorded& r) { return contact_table(r.contacts); },
          "All contacts of all frames as one structured array; frame k has the rows "
          "contact_offsets[k] to contact_offsets[k + 1].")
      .def_property_readonly(
          "contact_offsets", [](const Recorded& r) { return integers(r.offsets); }, "[frames + 1]")
      .def("contacts_at", &contacts_at, "frame"_a,
           "The contacts of one frame as a structured array.")
      .def_property_readonly("impacts", &impacts_of,
                             "One dict each: step, time [s], approach [m/s], work [J], verdict.");
}

void bind_header(Class& c) {
  c.def_property_readonly(
       "path", [](const Recorded& r) { return r.path; }, "Of the file.")
      .def_property_readonly(
          "name", [](const Recorded& r) { return r.reader.header().name; }, "Of the scene.")
      .def_property_readonly(
          "dt", [](const Recorded& r) { return r.reader.header().dt; }, "The step [s].")
      .def_property_readonly(
          "header", [](const Recorded& r) { return from_json(r.reader.header().json); },
          "All that stays the same, as a dict (docs/recording.md).")
      .def_property_readonly(
          "body_names", [](const Recorded& r) { return r.reader.header().bodies; },
          "The world first.")
      .def_property_readonly(
          "geom_names",
          [](const Recorded& r) {
            std::vector<std::string> out;
            for (const auto& g : r.reader.header().geoms) out.push_back(g.name);
            return out;
          },
          "By index.")
      .def_property_readonly(
          "finished", [](const Recorded& r) { return r.reader.end().has_value(); },
          "Whether the run came to its end.")
      .def_property_readonly(
          "status",
          [](const Recorded& r) -> std::string {
            return r.reader.end() ? r.reader.end()->status : "open";
          },
          "finished, stopped or diverged; open while there is no end.")
      .def_property_readonly(
          "cut", [](const Recorded& r) { return r.cut; }, "Why a part is not readable, or None.")
      .def("__len__", &Recorded::frames)
      .def("__repr__", [](const Recorded& r) {
        return "<tact.Recording of \"" + r.reader.header().name +
               "\": " + std::to_string(r.frames()) + " frames>";
      });
}

}  // namespace

void bind_recording(py::module_& m) {
  Class c(m, "Recording",
          "A recording (.tact) as arrays; also of a run that is not over: refresh() reads what "
          "came since.");
  c.def(py::init([](const PathLike& path) {
          auto out =
              std::make_unique<Recorded>(unwrap(RecordingReader::open(path.text)), path.text);
          const py::gil_scoped_release release;
          out->refresh();
          return out;
        }),
        "path"_a, "Reads all frames there are.")
      .def(
          "refresh",
          [](Recorded& r) {
            const py::gil_scoped_release release;
            return r.refresh();
          },
          "Reads on where the file has grown; how many frames came.");
  bind_header(c);
  bind_frames(c);
  m.def(
      "write_still",
      [](Runner& runner, const PathLike& path) {
        runner.push();
        (void)unwrap(Recorder::open(path.text, runner.sim,
                                    {1, runner.sim.scene.model.name, runner.model->source}));
      },
      "sim"_a, "path"_a, "A recording of one frame: the state now.");
}

}  // namespace tact::python
