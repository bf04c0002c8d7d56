// The page of tact demo: one HTML file that needs nothing but a browser.
#pragma once

#include <span>
#include <string>

#include "tact/io/patch_report.hpp"

namespace tact::app {

struct DemoEntry {
  std::string name;
  PatchReport report;
};
[[nodiscard]] std::string demo_page(std::span<const DemoEntry> entries);

}  // namespace tact::app
