#include "demo_page.hpp"

#include <fmt/core.h>

#include "tact/base/version.hpp"
#include "tact/io/cone_picture.hpp"
#include "tact/io/patch_file.hpp"
#include "tact/io/patch_picture.hpp"
#include "tact/io/patch_words.hpp"
#include "tact/io/svg.hpp"

namespace tact::app {

namespace {

constexpr const char* style = R"(
:root{color-scheme:light dark}
body{margin:0 auto;max-width:1280px;padding:24px;background:#fff;color:#1c2128;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
a{color:#0064a8}h1{margin:0}h2{margin:48px 0 4px;border-top:1px solid #dde2e7;padding-top:20px}
.sub{color:#57606a;margin:0 0 12px}nav{margin:16px 0;line-height:2}nav a{margin-right:14px;white-space:nowrap}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:16px}
.pictures svg{width:100%;height:auto;border:1px solid #dde2e7;border-radius:8px}
table{border-collapse:collapse;margin:12px 0}td{padding:2px 14px 2px 0;vertical-align:top}
td:first-child{color:#57606a}summary{cursor:pointer;color:#57606a}
pre{overflow-x:auto;background:#f4f6f8;padding:12px;border-radius:8px;font-size:13px}
@media (prefers-color-scheme:dark){body{background:#14181d;color:#e9edf1}a{color:#56b4e9}
.sub,td:first-child,summary{color:#a3adb8}h2,.pictures svg{border-color:#2c343c}pre{background:#1d232a}}
)";

std::string heading(const DemoEntry& entry) {
  return entry.report.regime ? std::string(name(*entry.report.regime)) : "violated";
}

std::string section(const DemoEntry& entry) {
  std::string rows;
  for (const ReportLine& line : report_lines(entry.report))
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", line.label, xml_escaped(line.text));
  return fmt::format(
      "<section id=\"{0}\">\n<h2>{1}: {2}</h2>\n<p class=\"sub\">{3}</p>\n"
      "<div class=\"pictures\">\n{4}{5}</div>\n<table>\n{6}</table>\n"
      "<details><summary>{0}.json</summary><pre>{7}</pre></details>\n</section>\n",
      entry.name, heading(entry), xml_escaped(entry.report.file.name),
      xml_escaped(headline(entry.report)), patch_picture(entry.report), cone_picture(entry.report),
      rows, xml_escaped_lines(write_patch_file(entry.report.file)));
}

}  // namespace

std::string demo_page(std::span<const DemoEntry> entries) {
  std::string links, sections;
  for (const DemoEntry& entry : entries) {
    links += fmt::format("<a href=\"#{}\">{}</a>\n", entry.name,
                         entry.name.starts_with("foot-") ? heading(entry) : entry.name);
    sections += section(entry);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>tact {0}: what a patch "
      "does</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>What a contact patch does</h1>\n"
      "<p class=\"sub\">One foot in every regime of planar contact, a disc, and a foot of separate "
      "pads; tact {0}. On the left the patch from above, on the right the cone of its wrenches and "
      "the "
      "dual cone of its twists.</p>\n<nav>{2}</nav>\n{3}</body>\n</html>\n",
      version(), style, links, sections);
}

}  // namespace tact::app
