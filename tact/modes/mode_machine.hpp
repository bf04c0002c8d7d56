// modes/mode_machine.hpp - what ModeWork leaves to one way of enumerating: by rays, or by
// witnesses.
#pragma once

#include "tact/modes/mode_work.hpp"

namespace tact {

class ModeWork::Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;
  virtual bool run(const BlockSource& source, const BlockSink& done, const ModeSink& sink) = 0;
  [[nodiscard]] virtual ModeCount faces(ModeCount most) const = 0;
  [[nodiscard]] virtual ModeCount faces_passed() const = 0;
  [[nodiscard]] virtual int parts() const = 0;
  [[nodiscard]] virtual int kernel() const = 0;
  [[nodiscard]] virtual ModeMethod method() const = 0;
};

namespace detail {

/// The machine of ModeMethod::witnesses.
[[nodiscard]] std::unique_ptr<ModeWork::Machine> witness_machine(const ModeSystem& system,
                                                                 const ModeOptions& options,
                                                                 bool visit);

}  // namespace detail

}  // namespace tact
