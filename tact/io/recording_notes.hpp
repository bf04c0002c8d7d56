// io/recording_notes.hpp - what a recording says besides motion: certificates of impacts, modes.
//
// Both are JSON, described in docs/recording.md: blocks CERT and MODE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/linalg/types.hpp"

namespace tact {

/// The contact work of one impact: what it was, and what it could have been.
struct RecordedCertificate {
  Index step = 0;
  double time = 0;
  std::vector<std::string> contacts;  ///< names of those that took part
  std::string verdict;                ///< of ImpactVerdict; of WorkVerdict where nothing was judged
  /// [J] least and largest work of impulses that explain the velocity, that of the impulses
  /// themselves; infinite where there is no bound, nothing where it is not known.
  std::optional<double> W_min, W_max, W_actual;
  std::vector<std::string> why;  ///< sentences
  std::string svg;               ///< the consistency set, or empty
};

/// The contact modes of one moment.
struct RecordedModes {
  struct Contact {
    std::string name;
    std::optional<Index> geom1, geom2;
    std::optional<Vec3> p_W, n_W;  ///< nothing where only rows are known
    std::vector<Vec3> t_W;
  };
  struct Mode {
    std::string cs, ss;
    Index dim = 0;
    VecX velocity;                         ///< [nv] one of the mode
    std::vector<Vec6> bodies;              ///< [bodies] (ω, v) at the world's origin; may be empty
    std::vector<Vec3> contact_velocities;  ///< [contacts] in W, of side 1 over side 2; may be empty
    std::vector<Index> faces;              ///< modes that are facets of this one
  };
  std::string title, policy;
  bool complete = true;  ///< else only the first modes are listed, without faces
  Index nv = 0;
  std::vector<Contact> contacts;
  std::vector<Mode> modes;
};

[[nodiscard]] std::string certificate_payload(const RecordedCertificate& certificate);
[[nodiscard]] std::string modes_payload(const RecordedModes& modes);

/// False where the payload is none.
[[nodiscard]] bool read_certificate_payload(std::string_view payload, RecordedCertificate& out);
/// The same; every list must have its size, every index be one of a geom or a mode.
[[nodiscard]] bool read_modes_payload(std::string_view payload, std::size_t geoms,
                                      std::size_t bodies, RecordedModes& out);

}  // namespace tact
