// solve/mode_system.cpp - pieces read off, and their rows.
#include "tact/solve/mode_system.hpp"

#include "tact/contact/six_rows.hpp"

namespace tact {
namespace {

/// What is apart has the rows of a unit matrix, what rests those of G.
BlockLu::Word word_of(const LocalLaw& law, const double* y, const double* image) {
  if (law.kind == LawKind::bounded)
    return image[0] == y[0] ? BlockLu::rows_of_problem : BlockLu::unknown;
  bool apart = true, same = true;
  for (Index r = 0; r < law.rows; ++r) {
    apart = apart && image[r] == 0;
    same = same && image[r] == y[r];
  }
  if (apart) return BlockLu::rows_of_unit;
  return same ? BlockLu::rows_of_problem : BlockLu::unknown;
}

template <int N>
using Block = Eigen::Matrix<double, N, N>;
template <int N>
using BlockMap = Eigen::Map<const Block<N>>;

/// Rows of contact i where G_ij stands for itself: u + pull D δ = 0.
template <int N>
void add_rest(const DelassusProblem& p, Index i, double pull, BlockLu& lu) {
  if (pull > 0) lu.add(i, p.G.diagonal[i], LocalMatrix(pull * p.metric(i).matrix()));
  for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
    const double* block = p.G.values.data() + p.G.at[e];
    if (N > 0 && p.G.rows_of(p.G.col[e]) == N)
      lu.add(i, e, BlockMap<N>(block, N, N));
    else
      lu.add(i, e, p.G.block(i, e));
  }
}

/// Rows (1 - P) δ_ij + P D⁻¹ (G_ij + pull D δ_ij).
void add_slope(const DelassusProblem& p, Index i, const LocalMatrix& P, double pull, BlockLu& lu) {
  const LocalMetric metric = p.metric(i);
  const LocalMatrix B = P.lazyProduct(metric.inverse());
  LocalMatrix block;
  for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
    block.noalias() = B.lazyProduct(p.G.block(i, e));
    if (e == p.G.diagonal[i]) {
      block -= (1 - pull) * P;
      block.diagonal().array() += 1;
    }
    lu.add(i, e, block);
  }
}

/// The same of six rows that meet six rows only, without a size to ask for.
void add_slope_of_six(const DelassusProblem& p, Index i, const LocalMatrix& P, double pull,
                      BlockLu& lu) {
  const Mat6 slope = BlockMap<6>(P.data());
  const Mat6 B = slope.lazyProduct(BlockMap<6>(p.metric(i).values + 36));
  for (Index e = p.G.row_begin[i]; e < p.G.row_begin[i + 1]; ++e) {
    Mat6 block = B.lazyProduct(BlockMap<6>(p.G.values.data() + p.G.at[e]));
    if (e == p.G.diagonal[i]) block += Mat6::Identity() - (1 - pull) * slope;
    lu.add(i, e, block);
  }
}

bool meets_only_six(const BlockMatrix& G, Index i) {
  for (Index e = G.row_begin[i]; e < G.row_begin[i + 1]; ++e)
    if (G.rows_of(G.col[e]) != 6) return false;
  return true;
}

}  // namespace

double read_pieces(const DelassusProblem& p, const VecX& lambda, const VecX& u, ModePieces& out,
                   LocalWorkspace& work, double most) {
  const auto count = static_cast<std::size_t>(p.contacts());
  out.right.resize(p.rows());
  out.words.resize(count);
  if (out.slopes.size() < count) out.slopes.resize(count);
  double sum = 0;
  double y[6], image[6];
  for (Index i = 0; i < p.contacts(); ++i) {
    const LocalLaw& law = p.laws[i];
    const LocalMetric metric = p.metric(i);
    const Index at = p.G.offset[i];
    argument_of(metric, lambda.data() + at, u.data() + at, y);
    project(law, metric, y, image, out.slopes[i], work, lambda.data() + at);
    out.words[i] = word_of(law, y, image);
    for (Index r = 0; r < law.rows; ++r) image[r] -= lambda[at + r];
    sum += energy_of(metric, image);
    if (sum > most) break;
    const bool rests = out.words[i] == BlockLu::rows_of_problem;
    for (Index r = 0; r < law.rows; ++r) out.right[at + r] = rests ? -u[at + r] : image[r];
  }
  return sum;
}

void make_system(const DelassusProblem& p, const ModePieces& pieces, double pull, BlockLu& lu) {
  lu.clear();
  for (Index i = 0; i < p.contacts(); ++i) {
    const Index rows = p.laws[i].rows;
    if (pieces.words[i] == BlockLu::rows_of_unit)
      lu.add(i, p.G.diagonal[i], LocalMatrix(LocalMatrix::Identity(rows, rows)));
    else if (pieces.words[i] == BlockLu::rows_of_problem && rows == 6)
      add_rest<6>(p, i, pull, lu);
    else if (pieces.words[i] == BlockLu::rows_of_problem)
      add_rest<Eigen::Dynamic>(p, i, pull, lu);
    else if (meets_only_six(p.G, i))
      add_slope_of_six(p, i, pieces.slopes[i], pull, lu);
    else
      add_slope(p, i, pieces.slopes[i], pull, lu);
  }
}

}  // namespace tact
