#include "tact/geom/qhull_facets.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include <Eigen/Geometry>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

/// Qhull's memory, and the text of its complaints.
class Session {
 public:
  Session() : log_(open_memstream(&text_, &length_)) {
    TACT_EXPECTS(log_ != nullptr);
    qh_zero(&qh_, log_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    qh_freeqhull(&qh_, !qh_ALL);
    int pieces = 0;
    int bytes = 0;
    qh_memfreeshort(&qh_, &pieces, &bytes);
    std::fclose(log_);
    std::free(text_);  // NOLINT: made by open_memstream
  }

  int run(std::vector<double>& coordinates, std::string command) {
    return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(),
                        False, command.data(), nullptr, log_);
  }
  [[nodiscard]] qhT* get() { return &qh_; }
  [[nodiscard]] std::string first_line() {
    std::fflush(log_);
    const std::string all(text_, length_);
    return all.substr(0, all.find('\n'));
  }

 private:
  qhT qh_{};
  char* text_ = nullptr;
  std::size_t length_ = 0;
  std::FILE* log_;
};

/// How far a point is shaken at first: a thousandth of what counts as flat. Qhull's own choice is
/// the rounding of a distance; on a mesh whose triangles pair up to flat quadrilaterals it begins
/// anew several times, each time shaking ten times harder, before all facets are triangles.
constexpr double joggle = tolerance::coplanar / 1000;

using Edge = std::array<int, 2>;

/// The places of the corners of a facet or of a ridge.
template <class Out>
void add_points(qhT* qh, setT* vertices, Out& out) {
  vertexT* vertex = nullptr;
  vertexT** vertexp = nullptr;
  FOREACHvertex_(vertices) {
    out.push_back(qh_pointid(qh, vertex->point));
  }
}

std::vector<Edge> edges_of(qhT* qh, facetT* facet) {
  std::vector<int> ends;
  std::vector<Edge> edges;
  ridgeT* ridge = nullptr;
  ridgeT** ridgep = nullptr;
  FOREACHridge_(facet->ridges) {
    ends.clear();
    add_points(qh, ridge->vertices, ends);
    TACT_EXPECTS(ends.size() == 2);
    edges.push_back({ends[0], ends[1]});
  }
  return edges;
}

/// The corners in order along the edges; empty when the edges are not one closed chain.
std::vector<int> chain(const std::vector<Edge>& edges) {
  std::vector<Edge> both;  // from, to
  for (const auto& [a, b] : edges) {
    both.push_back({a, b});
    both.push_back({b, a});
  }
  std::sort(both.begin(), both.end());
  for (std::size_t i = 0; i < both.size(); i += 2) {
    if (both[i][0] != both[i + 1][0] || (i > 0 && both[i][0] == both[i - 1][0])) return {};
  }
  std::vector<int> loop;
  int previous = both[1][1];
  int here = both[0][0];
  do {
    loop.push_back(here);
    const auto out = std::lower_bound(both.begin(), both.end(), Edge{here, -1});
    const int next = (*out)[1] != previous ? (*out)[1] : (*(out + 1))[1];
    previous = std::exchange(here, next);
  } while (here != loop[0] && loop.size() <= edges.size());
  if (loop.size() != edges.size()) return {};
  return loop;
}

/// Twice the area vector of a loop.
Vec3 area_of(std::span<const Vec3> points, const std::vector<int>& loop) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (points[loop[i]] - points[loop[0]]).cross(points[loop[i + 1]] - points[loop[0]]);
  }
  return sum;
}

/// The corners of a facet, counter-clockwise seen from outside.
std::vector<int> corners_of(qhT* qh, facetT* facet, std::span<const Vec3> points) {
  if (facet->simplicial == 0U) {
    std::vector<int> loop = chain(edges_of(qh, facet));
    const Vec3 outward(facet->normal[0], facet->normal[1], facet->normal[2]);
    if (loop.size() >= 3 && area_of(points, loop).dot(outward) < 0)
      std::reverse(loop.begin(), loop.end());
    return loop;
  }
  // By Qhull's book, not by the area: a sliver may lie the other way round before it is joggled.
  std::vector<int> corners;
  corners.reserve(3);
  add_points(qh, facet->vertices, corners);
  if (facet->toporient != 0U) std::swap(corners[0], corners[1]);
  return corners;
}

}  // namespace

Result<std::vector<std::vector<int>>> qhull_facets(std::span<const Vec3> points,
                                                   QhullPrecision precision) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);

  Session session;
  const bool joggled = precision == QhullPrecision::joggled;
  // QR-like options are left out: the seed of a joggle is fixed, so runs repeat.
  std::ostringstream command;
  command << "qhull Pp";
  if (joggled) command << " QJ" << joggle;
  if (session.run(coordinates, command.str()) != 0) {
    return Error{Errc::geometry, "hull: Qhull gives up (" + session.first_line() +
                                     "); check the points for wild coordinates"};
  }
  qhT* qh = session.get();
  std::vector<std::vector<int>> loops;
  facetT* facet = nullptr;
  FORALLfacets {
    std::vector<int> loop = corners_of(qh, facet, points);
    if (loop.size() < 3) {
      return Error{Errc::geometry,
                   "hull: a facet of Qhull's is not a polygon; check the points for near copies"};
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace tact
