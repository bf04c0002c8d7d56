// python/module.cpp - the module tact._tact: every subject in a file of its own.
#include "convert.hpp"
#include "tact/base/version.hpp"

namespace tact::python {
namespace {

/// What the library throws or returns as an error, in Python's own kinds.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const FileError& e) {
    PyErr_SetString(e.missing ? PyExc_FileNotFoundError : PyExc_OSError, e.what());
  } catch (const DataError& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const KindError& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  } catch (const ContractViolation& e) {
    // Where the library stands on disk is of no use to a caller; what it expects is.
    const std::string_view all = e.what();
    const auto at = all.find("expects ");
    PyErr_SetString(PyExc_ValueError, at == std::string_view::npos ? e.what() : e.what() + at);
  }
}

}  // namespace
}  // namespace tact::python

PYBIND11_MODULE(_tact, m) {
  namespace tp = tact::python;
  m.doc() = "Bindings of the tact library; import tact instead.";
  m.attr("__version__") = std::string(tact::version());
  pybind11::register_exception_translator(&tp::translate);
  tp::bind_patch(m);
  tp::bind_model(m);
  tp::bind_problem(m);
  tp::bind_solve(m);
  tp::bind_modes(m);
  tp::bind_impact(m);
  tp::bind_sim(m);
  tp::bind_soft(m);
  tp::bind_recording(m);
}
