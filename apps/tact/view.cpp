// tact view - the viewer: live on this machine, or as one HTML file.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "built_in_page.hpp"
#include "built_in_scenes.hpp"
#include "commands.hpp"
#include "recordings.hpp"
#include "tact/io/file.hpp"
#include "tact/io/recording.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/viewer_page.hpp"
#include "view_server.hpp"
#include "view_sources.hpp"
#include "words.hpp"

namespace tact::app {

namespace {

std::atomic<bool> interrupted{false};

extern "C" void on_end_of_view(int /*signal*/) {
  interrupted = true;
}

/// Ctrl-C and a plain kill end the server, and wake it where it waits.
void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = on_end_of_view;
  (void)::sigemptyset(&action.sa_mask);
  (void)::sigaction(SIGINT, &action, nullptr);
  (void)::sigaction(SIGTERM, &action, nullptr);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.3g} MB", static_cast<double>(bytes) / 1e6);
}

/// The sentence about a recording that is not whole; nothing where it is.
std::optional<std::string> what_is_missing(const std::string& path) {
  auto read = RecordingReader::open(path);
  if (!read) return std::nullopt;
  RecordingReader reader = *std::move(read);
  while (true) {
    const auto found = reader.poll();
    if (!found) return found.error().message;
    if (*found == RecordingReader::Found::nothing) break;
  }
  if (auto cut = cut_sentence(reader, path)) return cut;
  if (reader.end()) return std::nullopt;
  return path + ": has no end: its run was interrupted, or goes on; what was recorded is shown";
}

int tell_page(const ViewWords& words, std::size_t bytes) {
  if (words.html == "-") return good;
  if (words.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"html", words.html}, {"bytes", bytes}}.dump());
  else
    fmt::print("page      {} ({}); open it in a browser\n", words.html, megabytes(bytes));
  return good;
}

int write_page(const ViewWords& words, std::string_view recording) {
  const auto page = page_with_recording(built_in_page(), recording);
  if (!page) return complain(page.error().message);
  if (words.html == "-")
    (void)std::fwrite(page->data(), 1, page->size(), stdout);  // main looks whether it arrived
  else if (const auto error = write_file({words.html, *page}))
    return complain(error->message);
  return tell_page(words, page->size());
}

int write_page_of(const ViewWords& words, const std::string& path) {
  const auto opened = RecordingReader::open(path);
  if (!opened) return complain(opened.error().message);
  const auto bytes = read_file(path);
  if (!bytes) return complain(bytes.error().message);
  return write_page(words, *bytes);
}

void tell_server(const ViewWords& words, const ViewServer& server, const std::string& path,
                 const RecordingStream& stream) {
  if (words.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"address", server.address()},
                                              {"port", server.port()},
                                              {"token", server.token()},
                                              {"file", path},
                                              {"bytes", stream.ready()}}
                           .dump());
  } else {
    fmt::print("view      {}\n          {} ({}), {}; Ctrl-C ends\n", server.address(), path,
               megabytes(stream.ready()), name(stream.state()));
  }
  (void)std::fflush(stdout);
}

int serve(const ViewWords& words, const std::string& path) {
  auto opened = RecordingStream::open(path);
  if (!opened) return complain(opened.error().message);
  RecordingStream stream = *std::move(opened);
  ServerOptions options;
  options.port = words.port;
  options.until_closed = words.until_closed;
  if (!words.host.empty()) options.host = words.host;
  auto made = ViewServer::open(options, built_in_page(), stream);
  if (!made) return complain(made.error().message);
  ViewServer server = *std::move(made);
  if (stream.state() == StreamState::ended)
    fmt::print(stderr, "{}\n", what_is_missing(path).value_or(path + ": " + stream.message()));
  if (!is_loopback_name(options.host))
    fmt::print(
        stderr,
        "--host {}: other machines can reach this viewer; who has its address can watch, and "
        "nothing is encrypted\n",
        options.host);
  tell_server(words, server, path, stream);
  server.run(interrupted);
  return good;
}

int view_recording(const ViewWords& words) {
  if (words.html.empty()) return serve(words, words.input);
  const int code = write_page_of(words, words.input);
  if (code == good)
    if (const auto sentence = what_is_missing(words.input)) fmt::print(stderr, "{}\n", *sentence);
  return code;
}

/// The run is computed on a thread of its own; viewers read what it has written.
int view_scene(const ViewWords& words) {
  std::optional<TemporaryFolder> folder;
  std::string path = words.record;
  if (path.empty()) {
    auto made = TemporaryFolder::make();
    if (!made) return complain(made.error().message);
    folder = *std::move(made);
    path = *folder / "run.tact";
  }
  auto begun = ViewedRun::begin(words, path, interrupted);
  if (!begun) return complain(begun.error().message);
  ViewedRun run = *std::move(begun);
  if (!words.html.empty()) {
    run.run(interrupted);
    if (!run.good()) fmt::print(stderr, "{}: {}\n", words.input, run.summary());
    if (!words.json && words.html != "-" && run.good()) fmt::print("run       {}\n", run.summary());
    return write_page_of(words, path);
  }
  std::atomic<bool> stop{false};
  std::thread computing([&] { run.run(stop); });
  const int code = serve(words, path);
  stop = true;
  computing.join();
  if (!run.good()) fmt::print(stderr, "{}: {}\n", words.input, run.summary());
  if (!words.json && code == good) fmt::print("run       {}\n", run.summary());
  if (!words.json && code == good && !words.record.empty())
    fmt::print("recording {}\n", words.record);
  return code;
}

int view_notes(const ViewWords& words, const Result<std::string>& bytes) {
  if (!bytes) return complain(bytes.error().message);
  if (!words.html.empty()) return write_page(words, *bytes);
  auto folder = TemporaryFolder::make();
  if (!folder) return complain(folder.error().message);
  const std::string path = *folder / "notes.tact";
  if (const auto error = write_file({path, *bytes})) return complain(error->message);
  return serve(words, path);
}

int run_view(const ViewWords& words) {
  if (words.input.empty() == words.scene.empty())
    return complain(
        "tact view: name one thing to view: a recording, a scene, a problem file, or --scene NAME");
  const std::string page = page_file(words);
  if (const auto sentence = clash(words.input, {page})) return complain(*sentence);
  if (!page.empty())
    if (const auto error = check_write(page)) return complain(error->message);
  listen_to_signals();
  if (!words.scene.empty()) return view_notes(words, viewed_mode_scene(words, interrupted));
  std::error_code ignored;
  const bool there = std::filesystem::exists(words.input, ignored);
  if (is_scene_name(words.input) || (!there && is_built_in(words.input))) return view_scene(words);
  if (is_recording_file(words.input)) return view_recording(words);
  if (!there && words.input != "-" && words.input.find('.') == std::string::npos)
    return complain(fmt::format(
        "{} is neither a file nor a built-in scene; tact sim --list names these", words.input));
  return view_notes(words, viewed_problem(words, interrupted));
}

void add_run_words(CLI::App& command, ViewWords& words) {
  command
      .add_option("--duration", words.duration,
                  "Of a scene: seconds to simulate; default the scene's tact_duration, else 10.")
      ->check(seconds_above_zero("--duration", "a duration", "2"));
  command.add_option("--dt", words.dt, "Of a scene: step in seconds; default the scene's.")
      ->check(seconds_above_zero("--dt", "a step", "0.001"));
  command.add_option("--keyframe", words.keyframe,
                     "Of a scene: start, name or number of a keyframe, or none; default init where "
                     "there is one.");
  command
      .add_option("--every", words.every,
                  "Of a scene: steps between two frames; default 60 frames a second.")
      ->check(count_of_steps("--every"));
  command
      .add_option("--record", words.record,
                  "Of a scene: keep the recording in this file; default a temporary one.")
      ->check(file_name("--record", "run.tact"));
  command.add_flag("--modes", words.modes, "Of a scene: with the contact modes of its start.");
  command
      .add_option("--law", words.law,
                  "Impact law of a scene; of a problem: apply it and judge what it does.")
      ->check(CLI::IsMember({"moreau", "newton", "newton_clamped", "poisson", "fremond",
                             "generalized_reflections", "sequential"}));
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto words = std::make_shared<ViewWords>();
  CLI::App* command = app.add_subcommand(
      "view", "The viewer in a browser: a recording, also while it grows, or as one HTML file.");
  command->footer(
      "Example: tact view box.tact\n"
      "         tact view tipping-box --html box.html\n"
      "         tact view --scene box-3\n"
      "The address has a secret in it and works on this machine only. Ctrl-C ends. docs/view.md\n"
      "says more.");
  command->add_option("INPUT", words->input,
                      "A recording (.tact); a scene (MJCF, URDF, or a built-in name), which is "
                      "simulated meanwhile; a problem file, for its modes and its certificate.");
  command->add_option("--scene", words->scene, "The modes of a built-in scene of tact modes.");
  command
      ->add_option("--planes", words->planes, "Of --scene: dividing planes per contact, default 2.")
      ->check(CLI::Range(0, 16));
  command
      ->add_option("--html", words->html,
                   "Write one self-contained page instead; - for standard output.")
      ->check(file_name("--html", "run.html", Dash::standard_output));
  command->add_option("--port", words->port, "To listen on; default any that is free.")
      ->check(CLI::Range(0, 65535));
  command->add_option("--host", words->host,
                      "Address to listen on instead of 127.0.0.1: lets other machines watch.");
  command->add_flag("--until-closed", words->until_closed, "End when the last viewer has left.");
  add_run_words(*command, *words);
  command->add_flag("--json", words->json,
                    "Print one line of JSON: address, port, token, file, bytes; or html, bytes.");
  command->callback([words, &action] { action = [words] { return run_view(*words); }; });
}

}  // namespace tact::app
