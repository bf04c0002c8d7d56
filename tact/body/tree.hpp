// body/tree.hpp - the constant part of the recursions over a model, close together in memory.
//
// A link is a moving body (one with joints) and everything welded to it: one rigid body. Bodies
// that hang on the world without a joint in between belong to no link.
//
// A matrix with the pattern of the tree couples a dof with itself and the dofs above it only. Row d
// holds them from the root downwards, the diagonal last; the dofs above an ancestor a of d come in
// row a and at the start of row d in the same order, which makes the factorisation a sequence of
// subtractions of contiguous rows.
#pragma once

#include <vector>

#include "tact/linalg/types.hpp"
#include "tact/spatial/se3.hpp"

namespace tact {

struct Model;
enum class JointType;

struct Tree {
  /// Where a body sits, in the order of the bodies.
  struct Frame {
    Index parent = 0;
    Index link = -1;      ///< to which it belongs, or -1
    bool moves = false;   ///< it has joints: its pose is that of its link
    bool turned = false;  ///< X_PB.R is not the identity
    Index driven = -1;    ///< its place in State::driven, or -1
    Pose X_PB;
  };

  struct Joint {
    JointType type{};
    bool off_centre = false;  ///< the anchor is not the origin of the body
    int along = -1;           ///< the axis of B that a hinge turns about, if it is one
    Index qpos = 0, dof = 0;
    double reference = 0;
    Vec3 anchor_B = Vec3::Zero(), axis_B = Vec3::Zero();
  };

  struct Link {
    Index body = 0;     ///< the moving one
    Index parent = -1;  ///< link above, or -1
    Index root = 0;     ///< first link of its tree
    Index first_joint = 0, joint_count = 0, first_dof = 0, dof_count = 0;
    bool free = false;      ///< its joint is a free one
    bool alone = false;     ///< free, and nothing moves relative to it
    bool diagonal = false;  ///< inertia_com_B is
    double mass = 0;        ///< these three are of all its bodies, in the frame of the moving one
    Vec3 com_B = Vec3::Zero();
    Mat3 inertia_com_B = Mat3::Zero();
    Mat3 inertia_B = Mat3::Zero();  ///< about the origin of B
  };

  std::vector<Frame> frames;
  std::vector<Joint> joints;  ///< in the order of the model
  std::vector<Link> links;    ///< a link after the one above it
  std::vector<Index> row;     ///< [nv + 1] where row d begins
  std::vector<Index> column;  ///< [row[nv]]
  VecX armature;              ///< [nv]
  Vec3 gravity = Vec3::Zero();
  bool compensated = false;  ///< some body's weight is taken off

  /// Of the body with joints that body i is or is welded to, or -1.
  [[nodiscard]] Index link_of(Index body) const { return frames[body].link; }
};

/// Expects a model whose addresses and dof_parent are set.
[[nodiscard]] Tree make_tree(const Model& model);

}  // namespace tact
