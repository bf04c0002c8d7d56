// mujoco_log - a MuJoCo simulation as a log that tact audit reads (docs/formats.md, tact-log/1).
//
//   mujoco_log SCENE [STEPS] > run.jsonl      SCENE: drop, bounce, slide, or a file.xml
//   tact audit run.jsonl --svg run.svg
//
// What is written, and why it is exact:
//   mass      mj_fullM of qM at the start of the step, which is what the step divides by;
//   velocity  qvel before the step; outcome.velocity: qvel after it;
//   impulse   timestep * qfrc_smooth: gravity, gyroscopic and applied forces. The Euler integrator
//             without joint damping does qvel += timestep * qacc, M qacc = qfrc_smooth + J'f;
//   contacts  rows of geom 2 against geom 1, from mj_jac at the contact point in the contact's own
//             frame. MuJoCo orders [n, t1, t2] with the normal from geom 1 to geom 2; tact orders
//             [t1, t2, n] with the normal from body 2 into body 1, so that tact's body 1 is geom 2;
//   impulses  timestep * mj_contactForce, in the same order.
// Scenes with torsional or rolling friction (condim 4, 6), joint limits, equality constraints,
// joint damping or another integrator are refused: their step is not the one above.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MuJoCo takes the larger friction of a pair, and its own default is 1: both say 0.5. */
#define GROUND "<geom name='ground' type='plane' size='5 5 0.1' friction='0.5'/>"

/* A box that falls 0.2 m, MuJoCo's own contact parameters. */
static const char* const drop =
    "<mujoco><option timestep='0.002' cone='elliptic'/><worldbody>" GROUND
    "<body pos='0 0 0.3'><freejoint/><geom name='box' type='box' size='0.1 0.1 0.1' mass='1' "
    "condim='3' friction='0.5'/></body></worldbody></mujoco>";

/* A ball that falls 0.4 m on a stiff spring with little damping: how MuJoCo bounces. */
static const char* const bounce =
    "<mujoco><option timestep='0.002' cone='elliptic'/><worldbody>"
    "<geom name='ground' type='plane' size='5 5 0.1' friction='0.5' solref='-8000 -8'/>"
    "<body pos='0 0 0.5'><freejoint/><geom name='ball' type='sphere' size='0.1' mass='1' "
    "condim='3' friction='0.5' solref='-8000 -8'/></body></worldbody></mujoco>";

/* A box that slides at 2 m/s and comes to rest, then stands. */
static const char* const slide =
    "<mujoco><option timestep='0.002' cone='elliptic'/><worldbody>" GROUND
    "<body pos='0 0 0.1'><freejoint/><geom name='box' type='box' size='0.2 0.2 0.1' mass='1' "
    "condim='3' friction='0.5'/></body></worldbody>"
    "<keyframe><key name='init' qpos='0 0 0.1 1 0 0 0' qvel='2 0 0 0 0 0'/></keyframe></mujoco>";

static int refuse(const char* sentence) {
  fprintf(stderr, "mujoco_log: %s\n", sentence);
  return 2;
}

static mjModel* load(const char* scene, char* error, int size) {
  const char* text = NULL;
  if (strcmp(scene, "drop") == 0) text = drop;
  if (strcmp(scene, "bounce") == 0) text = bounce;
  if (strcmp(scene, "slide") == 0) text = slide;
  if (text == NULL) return mj_loadXML(scene, NULL, error, size);
  mjVFS* vfs = malloc(sizeof(mjVFS));
  if (vfs == NULL) return NULL;
  mj_defaultVFS(vfs);
  const int length = (int)strlen(text);
  mjModel* model = NULL;
  if (mj_makeEmptyFileVFS(vfs, "scene.xml", length) == 0) {
    memcpy(vfs->filedata[vfs->nfile - 1], text, (size_t)length);
    model = mj_loadXML("scene.xml", vfs, error, size);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  return model;
}

static const char* reason_to_refuse(const mjModel* m) {
  if (m->opt.integrator != mjINT_EULER) return "only the Euler integrator is written down exactly";
  for (int i = 0; i < m->nv; ++i) {
    if (m->dof_damping[i] != 0) return "joint damping is integrated implicitly; leave it out";
    if (m->dof_frictionloss[i] != 0) return "joint friction is no contact; leave it out";
  }
  return NULL;
}

static void print_vector(const char* name, const mjtNum* x, int n, mjtNum factor) {
  printf("\"%s\": [", name);
  for (int i = 0; i < n; ++i) printf("%s%.17g", i > 0 ? ", " : "", factor * x[i]);
  printf("]");
}

/* Row `axis` of the contact frame times the relative velocity of the contact point. */
static void frame_row(const mjContact* c, int axis, const mjtNum* relative, int nv, mjtNum* row) {
  for (int k = 0; k < nv; ++k) {
    row[k] = 0;
    for (int a = 0; a < 3; ++a) row[k] += c->frame[3 * axis + a] * relative[a * nv + k];
  }
}

static const char* geom_name(const mjModel* m, int geom, char* spare, size_t size) {
  const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
  if (name != NULL && name[0] != '\0') return name;
  snprintf(spare, size, "geom%d", geom);
  return spare;
}

static void print_contact(const mjModel* m, mjData* d, int i, mjtNum* jac) {
  const int nv = m->nv;
  const mjContact* c = &d->contact[i];
  mjtNum *one = jac, *two = jac + 3 * nv, *row = jac + 6 * nv;
  mj_jac(m, d, one, NULL, c->pos, m->geom_bodyid[c->geom1]);
  mj_jac(m, d, two, NULL, c->pos, m->geom_bodyid[c->geom2]);
  for (int k = 0; k < 3 * nv; ++k) two[k] -= one[k];
  char a[32], b[32];
  printf("{\"name\": \"%s/%s %d\", ", geom_name(m, c->geom2, a, sizeof a),
         geom_name(m, c->geom1, b, sizeof b), i);
  frame_row(c, 0, two, nv, row);
  print_vector("normal", row, nv, 1);
  if (c->dim == 3) {
    printf(", \"tangents\": [");
    for (int axis = 1; axis <= 2; ++axis) {
      frame_row(c, axis, two, nv, row);
      printf("%s[", axis == 2 ? ", " : "");
      for (int k = 0; k < nv; ++k) printf("%s%.17g", k > 0 ? ", " : "", row[k]);
      printf("]");
    }
    printf("], \"friction\": {\"law\": \"coulomb\", \"mu\": %.17g}", c->friction[0]);
  }
  printf(", \"gap\": %.17g}", c->dist);
}

static void print_impulses(const mjModel* m, const mjData* d, mjtNum dt) {
  int first = 1;
  for (int i = 0; i < d->ncon; ++i) {
    mjtNum f[6];
    if (d->contact[i].efc_address < 0) continue;
    mj_contactForce(m, d, i, f);
    printf("%s[", first ? "" : ", ");
    if (d->contact[i].dim == 3) printf("%.17g, %.17g, ", dt * f[1], dt * f[2]);
    printf("%.17g]", dt * f[0]);
    first = 0;
  }
}

/* Contacts that are not solved (in the margin, or inactive) carry nothing and are left out. */
static const char* print_step(const mjModel* m, mjData* d, int step, mjtNum time,
                              const mjtNum* before, mjtNum* mass, mjtNum* jac) {
  const mjtNum dt = m->opt.timestep;
  const int nv = m->nv;
  for (int i = 0; i < d->nefc; ++i)
    if (d->efc_type[i] < mjCNSTR_CONTACT_FRICTIONLESS)
      return "a limit or an equality constraint is active; leave it out of the scene";
  for (int i = 0; i < d->ncon; ++i)
    if (d->contact[i].dim > 3) return "condim must be 1 or 3: tact-log/1 has points";
  mj_fullM(m, mass, d->qM);
  printf("{\"step\": %d, \"time\": %.17g, ", step, time);
  print_vector("velocity", before, nv, 1);
  printf(", ");
  print_vector("impulse", d->qfrc_smooth, nv, dt);
  printf(", \"mass\": [");
  for (int i = 0; i < nv; ++i) {
    printf("%s[", i > 0 ? ", " : "");
    for (int k = 0; k < nv; ++k) printf("%s%.17g", k > 0 ? ", " : "", mass[i * nv + k]);
    printf("]");
  }
  printf("], \"contacts\": [");
  int first = 1;
  for (int i = 0; i < d->ncon; ++i) {
    if (d->contact[i].efc_address < 0) continue;
    if (!first) printf(", ");
    print_contact(m, d, i, jac);
    first = 0;
  }
  printf("], \"outcome\": {");
  print_vector("velocity", d->qvel, nv, 1);
  printf(", \"impulses\": [");
  print_impulses(m, d, dt);
  printf("]}}\n");
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 2) return refuse("usage: mujoco_log drop|bounce|slide|FILE.xml [STEPS] > run.jsonl");
  const int steps = argc > 2 ? atoi(argv[2]) : 1000;
  char error[500] = "out of memory";
  mjModel* m = load(argv[1], error, sizeof error);
  if (m == NULL) return refuse(error);
  const char* trouble = reason_to_refuse(m);
  mjData* d = mj_makeData(m);
  const int nv = m->nv;
  /* before, mass, and rows of two bodies with one in between */
  mjtNum* memory = malloc(sizeof(mjtNum) * (size_t)(nv + nv * nv + 7 * nv + 1));
  if (d == NULL || memory == NULL) trouble = "out of memory";
  if (trouble == NULL) {
    const int key = mj_name2id(m, mjOBJ_KEY, "init");
    if (key >= 0) mj_resetDataKeyframe(m, d, key);
    printf(
        "{\"format\": \"tact-log/1\", \"name\": \"MuJoCo %s, %s\", \"dof\": %d, \"dt\": %.17g}\n",
        mj_versionString(), argv[1], nv, m->opt.timestep);
  }
  for (int step = 0; step < steps && trouble == NULL; ++step) {
    const mjtNum time = d->time;
    memcpy(memory, d->qvel, sizeof(mjtNum) * (size_t)nv);
    mj_step(m, d); /* contacts, forces and qM stay those the step began with */
    trouble = print_step(m, d, step, time, memory, memory + nv, memory + nv + nv * nv);
  }
  free(memory);
  if (d != NULL) mj_deleteData(d);
  mj_deleteModel(m);
  return trouble == NULL ? 0 : refuse(trouble);
}
