#include "tact/io/mesh_file.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/file.hpp"

namespace tact {
namespace {

using Triangle = std::array<int, 3>;

// ---- OBJ

std::string obj_complaint(const std::string& text) {
  const auto mesh = read_obj(text, "m.obj");
  if (mesh) return "none";
  EXPECT_TRUE(mesh.error().message.starts_with("m.obj:")) << mesh.error().message;
  EXPECT_EQ(mesh.error().message.find('\n'), std::string::npos);
  return mesh.error().message.substr(6);
}

TEST(ObjMesh, EveryWayToWriteACorner) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 +1 0\n";
  for (const char* face : {"f 1 2 3", "f 1/7 2/8 3/9", "f 1//4 2//5 3//6", "f 1/1/1 2/2/2 3/3/3",
                           "f -3 -2 -1", "f -3/-1/-1 -2/-1/-1 -1/-1/-1", "f\t1  2\t3  # corners"}) {
    const auto mesh = read_obj(vertices + face, "m");
    ASSERT_TRUE(mesh) << face << ": " << mesh.error().message;
    EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}})) << face;
    EXPECT_EQ(mesh->vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  }
}

TEST(ObjMesh, PolygonsBecomeFans) {
  const auto mesh = read_obj("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 2 3 4 5 1\n", "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{1, 2, 3}, {1, 3, 4}, {1, 4, 0}}));
}

TEST(ObjMesh, NegativeIndicesCountFromTheFace) {
  const auto mesh = read_obj(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -3 -2 -1\nf 5 1 2\nv 9 9 9\n", "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 2, 3}, {4, 0, 1}}));
}

TEST(ObjMesh, IgnoresTheRest) {
  const auto mesh = read_obj(
      "\xef\xbb\xbfv 7 8 9\r\n# made in C:\\models\\\r\nmtllib a.mtl\r\no thing\r\n\r\n"
      "v 0.5 -1e-3 .25 1.0 0 0 1\r\nv 1 \\\r\n 2 \\\r\n3\r\nv 0 0 0\r\nvt 0 0\r\nvn nan 0 0\r\n"
      "s off\r\nusemtl red\r\ng a b\r\ncurv 0 1 \\\r\nf 9 9 9\r\nf 1/1/1 \\\r\n2/1/1 3/1/1\r\n"
      "l 1 2\r\np 1",
      "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices,
            (std::vector<Vec3>{{7, 8, 9}, {0.5, -1e-3, 0.25}, {1, 2, 3}, {0, 0, 0}}));
  EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(ObjMesh, ComplaintsNameLineValueAndRemedy) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(obj_complaint("v 0 0\nf 1 1 1"), "1: the line ends here; write a finite number");
  EXPECT_EQ(obj_complaint("\nv 0 0 x1\n"), "2: found \"x1\"; write a finite number");
  EXPECT_EQ(obj_complaint("v 0 nan 0\n"), "1: found \"nan\"; write a finite number");
  EXPECT_EQ(obj_complaint("v 0 -inf 0\n"), "1: found \"-inf\"; write a finite number");
  EXPECT_EQ(obj_complaint("v 0 0 1e999\n"), "1: found \"1e999\"; write a finite number");
  EXPECT_EQ(obj_complaint("v 0 0"), "1: the file ends here; write a finite number");
  const std::string corner =
      "\"; write a corner v, v/vt, v//vn or v/vt/vn whose v is the number of a vertex from 1, or "
      "from -1 counted back";
  EXPECT_EQ(obj_complaint(three + "f 1 2 x"), "4: found \"x" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 0 2"), "4: found \"0" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 -4 2"), "4: found \"-4" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 2.5 2"), "4: found \"2.5" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 2 99999999999999999999"),
            "4: found \"99999999999999999999" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 2 2147483648"), "4: found \"2147483648" + corner);
  EXPECT_EQ(obj_complaint(three + "f 1 2\n"),
            "4: the line ends here; a face has three corners or more, name them all");
  EXPECT_EQ(obj_complaint(three + "f 1 2 3\nf 1 2 4\nf 3 2 1\n"),
            "5: a face names vertex 4, and the file has 3; correct the number or add the vertices");
  EXPECT_EQ(obj_complaint(three), " there is no face in it; export a mesh with faces");
  EXPECT_EQ(obj_complaint(""), " there is no face in it; export a mesh with faces");
}

// ---- STL

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

/// The four faces of a corner of a cube, twelve corners in all.
const std::vector<Vec3> tetrahedron{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0},
                                    {1, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 1},
                                    {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Vec3> its_vertices{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
const std::vector<Triangle> its_triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {2, 1, 3}};

std::string binary_stl(const std::vector<Vec3>& corners, const std::string& header) {
  std::string bytes = header;
  bytes.resize(80, header.empty() ? '\0' : ' ');
  append(bytes, static_cast<std::uint32_t>(corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    for (int k = 0; k < 3; ++k) append(bytes, std::numeric_limits<float>::quiet_NaN());  // normal
    for (std::size_t c = i; c < i + 3; ++c)
      for (const double x : corners[c]) append(bytes, static_cast<float>(x));
    append(bytes, std::uint16_t{7});
  }
  return bytes;
}

std::string ascii_stl(const std::vector<Vec3>& corners) {
  std::string text = "solid a corner of a cube\n";
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    text += "  facet normal nan 0 0\n    outer loop\n";
    for (std::size_t c = i; c < i + 3; ++c) {
      text += "      vertex";
      for (const double x : corners[c]) text.append(" ").append(std::to_string(x));
      text += "\n";
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid a corner of a cube\n";
}

std::string stl_complaint(const std::string& bytes) {
  const auto mesh = read_stl(bytes, "m.stl");
  if (mesh) return "none";
  EXPECT_TRUE(mesh.error().message.starts_with("m.stl:")) << mesh.error().message;
  EXPECT_EQ(mesh.error().message.find('\n'), std::string::npos);
  return mesh.error().message.substr(6);
}

TEST(StlMesh, BothKindsWeldTheirCorners) {
  for (const std::string& bytes :
       {binary_stl(tetrahedron, ""), binary_stl(tetrahedron, "solid but binary"),
        binary_stl(tetrahedron, "") + "tail", ascii_stl(tetrahedron),
        "\r\n " + ascii_stl(tetrahedron), ascii_stl(tetrahedron) + "SOLID\nENDSOLID"}) {
    const auto mesh = read_stl(bytes, "m");
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices, its_vertices);
    EXPECT_EQ(mesh->triangles, its_triangles);
  }
}

TEST(StlMesh, WeldsEqualBitsAndNothingElse) {
  const double next = static_cast<double>(std::nextafter(1.0F, 2.0F));
  const std::vector<Vec3> corners{{1, 0, 0},    {0, 1, 0},       {0, 0, 1},
                                  {next, 0, 0}, {-0.0, 1, -0.0}, {0, 0, 1}};
  const auto mesh = read_stl(binary_stl(corners, ""), "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices, (std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {next, 0, 0}}));
  EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {3, 1, 2}}));
}

TEST(StlMesh, ManyDifferentVertices) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 3000; ++i) corners.emplace_back(i, i * i, -i);
  const auto mesh = read_stl(binary_stl(corners, ""), "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices, corners);
  EXPECT_EQ(mesh->triangles.back(), (Triangle{2997, 2998, 2999}));
}

TEST(StlMesh, ComplaintsAboutBinaryFilesNameTheByte) {
  const std::string good = binary_stl(tetrahedron, "solid");
  EXPECT_EQ(stl_complaint(good.substr(0, 283)),
            " byte 80: the count of 4 triangles needs 284 bytes, and the file has 283; copy or "
            "export it again");
  EXPECT_EQ(stl_complaint(good + good.substr(84, 50)),
            " byte 80: the count of 4 triangles needs 284 bytes, and the file has 334; copy or "
            "export it again");
  EXPECT_EQ(stl_complaint(std::string(83, '\0')),
            " byte 83: the file ends within the header of 84 bytes of a binary STL; copy it again");
  EXPECT_EQ(stl_complaint(""),
            " byte 0: the file ends within the header of 84 bytes of a binary STL; copy it again");
  EXPECT_EQ(
      stl_complaint(std::string(80, '\0') + "\xff\xff\xff\xff"),
      " byte 80: the count of 4294967295 triangles needs 214748364834 bytes, and the file has "
      "84; copy or export it again");
  EXPECT_EQ(stl_complaint(binary_stl({}, "")),
            " there is no triangle in it; export a mesh with faces");
  std::vector<Vec3> corners = tetrahedron;
  corners[4][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(stl_complaint(binary_stl(corners, "")),
            " byte 162: a coordinate is nan; export the mesh again with finite numbers");
  corners[4][1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(stl_complaint(binary_stl(corners, "")),
            " byte 162: a coordinate is infinite; export the mesh again with finite numbers");
}

TEST(StlMesh, ComplaintsAboutTextsNameTheLine) {
  const std::string good = ascii_stl(tetrahedron);
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    return stl_complaint(text.replace(text.find(what), what.size(), by));
  };
  EXPECT_EQ(with("vertex 0.000000", "vertex inf"), "4: found \"inf\"; write a finite number");
  EXPECT_EQ(with("outer loop", "outer hoop"), "3: found \"hoop\"; write loop");
  EXPECT_EQ(with("endfacet", "facet"), "8: found \"facet\"; write endfacet");
  EXPECT_EQ(with("endsolid a corner", "solid"), "30: found \"solid\"; write facet or endsolid");
  EXPECT_EQ(stl_complaint(good.substr(0, good.find("endsolid"))),
            "30: the file ends here; write facet or endsolid");
  EXPECT_EQ(stl_complaint(good + "more"), "31: found \"more\"; write solid");
  EXPECT_EQ(stl_complaint("solid\nendsolid\n"),
            " there is no triangle in it; export a mesh with faces");
}

// ---- MSH

std::string msh(const std::array<std::int32_t, 4>& counts, const std::vector<Vec3>& vertices,
                std::size_t other_floats, const std::vector<Triangle>& faces) {
  std::string bytes;
  for (const std::int32_t count : counts) append(bytes, count);
  for (const Vec3& vertex : vertices)
    for (const double x : vertex) append(bytes, static_cast<float>(x));
  for (std::size_t i = 0; i < other_floats; ++i) append(bytes, 0.5F);
  for (const Triangle& face : faces)
    for (const int vertex : face) append(bytes, vertex);
  return bytes;
}

std::string msh_complaint(const std::string& bytes) {
  const auto mesh = read_msh(bytes, "m.msh");
  return mesh ? "none" : mesh.error().message;
}

TEST(MshMesh, SkipsNormalsAndTextureCoordinates) {
  const auto mesh = read_msh(msh({4, 4, 5, 4}, its_vertices, 22, its_triangles), "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices, its_vertices);
  EXPECT_EQ(mesh->triangles, its_triangles);
}

TEST(MshMesh, MayBeACloudOfPoints) {
  const auto mesh = read_msh(msh({4, 0, 0, 0}, its_vertices, 0, {}), "m");
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_EQ(mesh->vertices, its_vertices);
  EXPECT_TRUE(mesh->triangles.empty());
}

TEST(MshMesh, Complaints) {
  const std::string good = msh({4, 0, 0, 4}, its_vertices, 0, its_triangles);
  EXPECT_EQ(msh_complaint(good.substr(0, 15)),
            "m.msh: byte 15: the file ends within its header of four counts; copy it again");
  EXPECT_EQ(msh_complaint(good.substr(0, 100)),
            "m.msh: byte 0: the four counts say a file of 112 bytes, and this one has 100; copy or "
            "export it again");
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(msh_complaint(msh({most, most, most, most}, {}, 0, {})),
            "m.msh: byte 0: the four counts say a file of 94489280484 bytes, and this one has 16; "
            "copy or export it again");
  EXPECT_EQ(
      msh_complaint(msh({4, -1, 0, 0}, {}, 0, {})),
      "m.msh: byte 4: the number of normals is -1; export a mesh with normals in MuJoCo's MSH "
      "format");
  EXPECT_EQ(
      msh_complaint(msh({0, 0, 0, 0}, {}, 0, {})),
      "m.msh: byte 0: the number of vertices is 0; export a mesh with vertices in MuJoCo's MSH "
      "format");
  EXPECT_EQ(
      msh_complaint(msh({4, 0, 0, 1}, its_vertices, 0, {{0, 4, 1}})),
      "m.msh: byte 68: a face names vertex 4, and they go from 0 to 3; export the mesh again");
  EXPECT_EQ(
      msh_complaint(msh({1, 0, 0, 0}, {{0, 1, std::numeric_limits<double>::infinity()}}, 0, {})),
      "m.msh: byte 24: a coordinate is infinite; export the mesh again with finite numbers");
}

// ---- files

TEST(MeshFile, TheExtensionTellsTheFormat) {
  const std::string folder = ::testing::TempDir();
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"tact_mesh.STL", ascii_stl(tetrahedron)},
        {"tact_mesh.msh", msh({4, 0, 0, 4}, its_vertices, 0, its_triangles)},
        {"tact_mesh.Obj",
         "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 3 2 4"}}) {
    const std::string path = folder + name;
    ASSERT_FALSE(write_file({path, bytes}));
    const auto mesh = read_mesh_file(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_EQ(mesh->vertices, its_vertices) << name;
    EXPECT_EQ(mesh->triangles, its_triangles) << name;
  }
  const auto other = read_mesh("", "a/b.dae");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "a/b.dae: meshes of kind \".dae\" are not read; convert it to .obj or .stl");
  const auto none = read_mesh_file("/nowhere/a.stl");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "/nowhere/a.stl: no such file; check the name and the folder");
}

}  // namespace
}  // namespace tact
