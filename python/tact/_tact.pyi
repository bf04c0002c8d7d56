"""Types of the compiled part of tact; written by tools/python_stubs.py."""

import os
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union, overload

import numpy
import numpy.typing

__version__: str

class AllSolutions:
    """Every solution of a contact problem, with the proof that there is no other."""
    def __len__(self) -> int:
        ...
    @property
    def certificates(self) -> int:
        """Refuted branches."""
    @property
    def checked(self) -> bool:
        """Whether the independent verifier accepted the proof."""
    @property
    def count(self) -> int:
        """Connected sets of solutions: how many different ones there are."""
    @property
    def pieces(self) -> list:
        """Convex pieces as dicts: labels, component, impulse, low and high of every row, vertices, rays."""
    @property
    def status(self) -> str:
        """complete, undecided (there may be more) or too_large (given up)."""
    def to_dict(self) -> dict:
        """What `tact solve --all-solutions --json` says."""
    @property
    def undecided(self) -> int:
        """Branches without an answer."""
    @property
    def verdict(self) -> str:
        """In words."""

class Certificate:
    """What is certain about the contact work of an impact, with all that is needed to check it by products alone. [Glocker] 6, 7"""
    @property
    def W_actual(self) -> Optional[float]:
        """Of the impulses given [J], or None."""
    @property
    def W_max(self) -> Optional[float]:
        """The largest [J]; inf, or None."""
    @property
    def W_min(self) -> Optional[float]:
        """The least work the contacts can have done [J]; -inf, or None."""
    @property
    def accepted(self) -> bool:
        """Whether the verifier accepted it."""
    @property
    def consistent(self) -> bool:
        """Whether nothing is violated."""
    @property
    def exact(self) -> bool:
        """Whether it is decided in rationals, without rounding."""
    @property
    def problem(self) -> ContactProblem:
        """With the outcome that was judged."""
    @property
    def sentence(self) -> str:
        """In words."""
    def to_dict(self) -> dict:
        """What `tact impact --json` says."""
    def to_json(self) -> str:
        """As tact-certificate/1 text, to be kept, sent and checked elsewhere."""
    @property
    def verdict(self) -> str:
        """kinetically_incompatible, kinematically_infeasible, kinematically_incompatible, inconsistent, consistent_weak, consistent_strong or undecided."""
    def verify(self, tolerance: float = ...) -> bool:
        """Checks it again: products, sums and comparisons only."""

class Contact:
    """One contact of a problem: a law, and its rows.

A point has `normal` [dof] and `tangents` [2, dof] (or one row: planar), a patch has `twist` [6, dof], rows [ω_T(2), ω_N, v_T(2), v_N] at the origin of its frame, and a bounded row has `row` [dof]. The normal points from body 2 into body 1; rows give the velocity of body 1 relative to body 2. Impulses come in the order [n], [t1, t2, n], [t, n], [m_T(2), f_N] or [m_T(2), m_N, f_T(2), f_N]."""
    def __init__(self, normal: Optional[numpy.typing.ArrayLike] = ..., tangents: Optional[numpy.typing.ArrayLike] = ..., *, mu: Optional[float] = ..., law: str = ..., name: str = ..., patch: Optional[Patch] = ..., twist: Optional[numpy.typing.ArrayLike] = ..., row: Optional[numpy.typing.ArrayLike] = ..., bounds: Optional[numpy.typing.ArrayLike] = ..., excitation: Optional[numpy.typing.ArrayLike] = ..., restitution: float = ..., gap: float = ..., gap_slope: Optional[numpy.typing.ArrayLike] = ..., stabilisation: float = ..., planar: Optional[bool] = ..., scale: float = ..., edges: int = ..., rolling: float = ..., spinning: float = ..., pressure: str = ..., pattern: Optional[str] = ..., radius: Optional[float] = ..., nodes: Optional[numpy.typing.ArrayLike] = ..., areas: Optional[numpy.typing.ArrayLike] = ..., radii: Optional[numpy.typing.ArrayLike] = ...) -> None:
        """law: none, coulomb (default with mu), box, pyramid; rolling with a patch. mu: friction. restitution e of γ⁺ = -e γ⁻; gap [m]; excitation χ of γ = row·u + χ, tangents first, normal last. pressure: effective, ellipsoid, vertex, winkler, of patches with friction."""
    @property
    def law(self) -> str:
        """frictionless, coulomb, box, pyramid, rolling, patch, patch_friction or bounded."""
    @property
    def name(self) -> str:
        """May be empty."""
    @property
    def rows(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rows of the law in its order [rows, dof]."""

class ContactProblem:
    """One contact problem: M (u⁺ - u⁻) = p + J'λ, γ = J u⁺ + χ, law(λ, γ + e γ⁻ + s) at every contact."""
    def __init__(self, contacts: List[Contact], mass: Optional[numpy.typing.ArrayLike] = ..., velocity: Optional[numpy.typing.ArrayLike] = ..., impulse: Optional[numpy.typing.ArrayLike] = ..., dt: float = ..., rows: Optional[numpy.typing.ArrayLike] = ..., excitation: Optional[numpy.typing.ArrayLike] = ..., name: str = ...) -> None:
        """From arrays. mass [dof, dof] symmetric positive definite, dense or anything with tocsr(); velocity u⁻ [dof]; impulse p [dof] of the smooth forces [N s]; dt [s] where gaps are given. rows: all of J [rows, dof] in the order of the contacts, where they have none of their own; excitation χ [rows] beside it. Modes need no mass."""
    def __len__(self) -> int:
        ...
    @property
    def contacts(self) -> list:
        """One dict per contact: name, law, rows, mu, restitution, gap, gap_slope, stabilisation."""
    @property
    def dof(self) -> int:
        """Degrees of freedom."""
    @property
    def dt(self) -> float:
        """[s]"""
    @property
    def excitation(self) -> numpy.typing.NDArray[numpy.float64]:
        """χ [rows], or empty: zero."""
    @staticmethod
    def from_delassus(delassus: numpy.typing.ArrayLike, free_velocity: numpy.typing.ArrayLike, contacts: List[Contact], name: str = ...) -> ContactProblem:
        """From G [rows, rows] and b [rows] of γ = G λ + b; excitation, restitution and gaps are already in b."""
    @staticmethod
    def from_file(path: Union[str, "os.PathLike[str]"]) -> ContactProblem:
        """Reads tact-problem/1, .fcp[.gz] or FCLIB's HDF5; the content decides."""
    @staticmethod
    def from_json(text: str) -> ContactProblem:
        """From the text of a tact-problem/1 file."""
    @staticmethod
    def from_model(model: Model, state: Optional[State] = ..., *, keyframe: str = ..., use: str = ..., dt: float = ..., touch: float = ...) -> ContactProblem:
        """The contact problem of a scene at one moment. use: step (contacts near enough to close, all forces), modes (what touches now), impact (what touches now; no forces)."""
    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """p [dof], or empty: zero."""
    @property
    def in_mass_form(self) -> bool:
        """Whether mass and rows are given, and not G and b."""
    @property
    def mass(self) -> numpy.typing.NDArray[numpy.float64]:
        """M [dof, dof]."""
    @property
    def name(self) -> str:
        """Title; may be empty."""
    @property
    def offsets(self) -> List[int]:
        """First row of every contact, and the number of rows."""
    @property
    def outcome(self) -> Optional[dict]:
        """What somebody claims to be the answer: velocity and impulses, or None."""
    def reduced(self) -> Tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """G = J M⁻¹ J' [rows, rows] and b = J (u⁻ + M⁻¹ p) + χ + e γ⁻ + s [rows]."""
    @property
    def rows(self) -> numpy.typing.NDArray[numpy.float64]:
        """J [rows, dof], contact after contact."""
    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a tact-problem/1 file, entirely or not at all."""
    def to_json(self) -> str:
        """As tact-problem/1 text; reads back to the same bits."""
    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u⁻ [dof]."""
    def with_outcome(self, velocity: numpy.typing.ArrayLike, impulses: Any = ...) -> ContactProblem:
        """The same problem with somebody's outcome, to be judged: u⁺ [dof], and impulses where they are known."""

class ContactReport:
    """What one contact of the last step did. Frame C: z is the normal from geom 2 into geom 1."""
    def _repr_html_(self) -> str:
        """Its picture, for notebooks."""
    @property
    def closing(self) -> numpy.typing.NDArray[numpy.float64]:
        """The twist with the gap, W + Γ/h: what the load is complementary to."""
    @property
    def cop(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """Centre of pressure in C [m], or None. [MontMarin25] (8)"""
    @property
    def cop_W(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """The same in the world [m], or None."""
    @property
    def distance(self) -> float:
        """The least gap at the start of the step [m]."""
    @property
    def extended_cop_W(self) -> numpy.typing.NDArray[numpy.float64]:
        """Where it presses, or would touch first: one point, an edge or the corners [n, 3] m. [MontMarin25] (18), (19)"""
    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """On geom1 in the axes of the world [N]."""
    @property
    def geoms(self) -> Tuple[int, int]:
        """Indices of the two geoms; the normal points from the second into the first."""
    @property
    def kind(self) -> str:
        """point, segment, polygon, disc, ellipse or stadium."""
    @property
    def lift_margin(self) -> float:
        """Normal force left before it lifts [N]."""
    @property
    def mu(self) -> float:
        """Coefficient of friction."""
    @property
    def names(self) -> Tuple[str, str]:
        """Their names."""
    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the world."""
    @property
    def patch(self) -> Patch:
        """As a tact.Patch in C, with its load and motion."""
    @property
    def points(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of the patch in C [n, 2] m; of a disc its centre, of a stadium two centres."""
    @property
    def points_W(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same in the world [n, 3] m."""
    @property
    def pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """X_WC (4 x 4) in the middle of the step; z is the normal."""
    @property
    def position(self) -> numpy.typing.NDArray[numpy.float64]:
        """Origin of C in the world [m]."""
    @property
    def regime(self) -> str:
        """idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, slide_tip_vertex, slide_tip_edge."""
    @property
    def sliding_speed(self) -> float:
        """[m/s]"""
    @property
    def slip_margin(self) -> float:
        """Friction left before it slips [N]."""
    def svg(self) -> str:
        """Its picture from above."""
    @property
    def tip_margin(self) -> float:
        """f_N times the distance of the centre of pressure to the rim [N m]."""
    @property
    def twist(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of geom1 relative to geom2 after the step, in C: [ω_T(2), ω_N, v_T(2), v_N]."""
    @property
    def which(self) -> int:
        """Of several contacts of the pair."""
    @property
    def wrench(self) -> numpy.typing.NDArray[numpy.float64]:
        """On geom1 in C, about its origin: [m_T(2), m_N, f_T(2), f_N], the mean over the step [N m, N]."""

class CoulombCone:
    """The friction cone |f_t| <= mu f_n of a point. [FrictionM4] stick, slip"""
    def __init__(self, mu: float) -> None:
        ...
    def contains(self, x: numpy.typing.ArrayLike) -> bool:
        """Whether x lies in the cone, decided by its distance to it."""
    @property
    def dual(self) -> CoulombDual:
        """The velocities mu |v_t| <= v_n."""
    def margin(self, x: numpy.typing.ArrayLike) -> float:
        """How deep x lies in the cone, in the unit of its tangents; negative outside."""
    @property
    def mu(self) -> float:
        """Coefficient of friction."""
    def project(self, x: numpy.typing.ArrayLike, metric: Optional[numpy.typing.ArrayLike] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest point of the cone, in the Euclidean metric or |y|² = y'My. Rows [t1, t2, n]."""
    def support(self, direction: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """The generator with the largest product with the direction."""

class CoulombDual:
    """The dual of a friction cone: mu |v_t| <= v_n."""
    def contains(self, x: numpy.typing.ArrayLike) -> bool:
        """Whether x lies in the cone, decided by its distance to it."""
    @property
    def dual(self) -> CoulombCone:
        """The friction cone."""
    def margin(self, x: numpy.typing.ArrayLike) -> float:
        """How deep x lies in the cone, in the unit of its tangents; negative outside."""
    def project(self, x: numpy.typing.ArrayLike, metric: Optional[numpy.typing.ArrayLike] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest point of the cone, in the Euclidean metric or |y|² = y'My. Rows [t1, t2, n]."""
    def support(self, direction: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """The generator with the largest product with the direction."""

class FrictionSet:
    """The friction loads T = [f_T(2), m_N] that a pressure allows: F(N)."""
    def contains(self, load: numpy.typing.ArrayLike) -> bool:
        """Whether T is in F(N)."""
    def force(self, sliding: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """The load of maximum dissipation against [v_T(2), ω_N]."""
    def gauge(self, load: numpy.typing.ArrayLike) -> float:
        """The least s with T in s F(N); above one the limit is exceeded."""
    @property
    def mu(self) -> float:
        """Coefficient of friction."""
    @property
    def reliable(self) -> bool:
        """False where an elastic bed found no pressure for the load."""
    def support(self, sliding: numpy.typing.ArrayLike) -> float:
        """The most that friction dissipates at [v_T(2), ω_N] [W]."""

class ImpactOutcome:
    """What an impact law makes of a contact problem."""
    @property
    def events(self) -> int:
        """Impacts in a row."""
    @property
    def gamma_minus(self) -> numpy.typing.NDArray[numpy.float64]:
        """Relative velocities before, per row."""
    @property
    def gamma_plus(self) -> numpy.typing.NDArray[numpy.float64]:
        """And after."""
    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """λ of all rows [N s]."""
    @property
    def impulses(self) -> List[numpy.typing.NDArray[numpy.float64]]:
        """λ, one array per contact."""
    @property
    def law(self) -> str:
        """Its name."""
    @property
    def problem(self) -> ContactProblem:
        """The problem with this outcome, to be certified."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless solved."""
    @property
    def ray(self) -> numpy.typing.NDArray[numpy.float64]:
        """Proof of no_solution or does_not_end; may be empty."""
    @property
    def solutions(self) -> Optional[int]:
        """Where counted; else None."""
    @property
    def status(self) -> str:
        """solved, no_solution, does_not_end, not_converged or undefined_for_law."""
    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u⁺ [dof]."""
    @property
    def why(self) -> str:
        """One sentence where it is not solved."""
    @property
    def work(self) -> float:
        """Of the contacts, ½(γ⁺ + γ⁻)·λ [J]. [Glocker] 3"""

class Inverse:
    """The forces behind a motion: of least actuator effort, or the reason there are none."""
    @property
    def actuator_forces(self) -> numpy.typing.NDArray[numpy.float64]:
        """τ, one per actuator [N] or [N m]."""
    @property
    def actuators(self) -> List[str]:
        """Their names."""
    @property
    def contact_forces(self) -> List[numpy.typing.NDArray[numpy.float64]]:
        """λ/dt, one array per contact [N]."""
    @property
    def contacts(self) -> List[str]:
        """Their names."""
    @property
    def cost(self) -> float:
        """½ Σ weight τ²."""
    @property
    def impulses(self) -> List[numpy.typing.NDArray[numpy.float64]]:
        """λ, one array per contact [N s]."""
    @property
    def labels(self) -> List[Label]:
        """What every contact does."""
    @property
    def motion_error(self) -> float:
        """Relative."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless solved."""
    @property
    def ray(self) -> numpy.typing.NDArray[numpy.float64]:
        """When infeasible: a motion that proves it; may be empty."""
    @property
    def reason(self) -> str:
        """When infeasible: one sentence."""
    @property
    def residual(self) -> float:
        """The judge's, of the forward problem with these actuators."""
    @property
    def status(self) -> str:
        """solved, infeasible or not_converged."""

class Label:
    """What a contact of a solved problem does, and how far it is from doing something else."""
    @property
    def cop(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """Centre of pressure of a patch [m], or None."""
    @property
    def direction(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of sliding, unit; zero when nothing slides."""
    @property
    def lift_margin(self) -> float:
        """Normal impulse left before it lifts [N s]."""
    @property
    def regime(self) -> str:
        """idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, slide_tip_vertex, slide_tip_edge."""
    @property
    def sliding_speed(self) -> float:
        """[m/s]"""
    @property
    def slip_margin(self) -> float:
        """Friction left before it slips [N s]."""
    @property
    def tip_margin(self) -> float:
        """Of a patch [N m s]."""

class Mode:
    """One contact mode."""
    @property
    def cs(self) -> str:
        """One character per contact: 0 stays, + separates."""
    @property
    def dim(self) -> int:
        """Dimension of its velocity cone."""
    @property
    def ss(self) -> str:
        """One sign per tangent of the contacts that stay: - 0 +; of kind slipping 0 or s."""
    @property
    def witness(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """A velocity of this mode, where asked for; else None."""

class ModeCounts:
    """How many modes a system has; exact whole numbers."""
    @property
    def cs(self) -> int:
        """Contacting/separating modes."""
    @property
    def cs_by_dim(self) -> dict:
        """By the dimension of the velocity cone."""
    @property
    def full(self) -> int:
        """Of the kind asked for."""
    @property
    def full_by_dim(self) -> dict:
        """Likewise."""
    @property
    def inconsistent(self) -> bool:
        """Policy tolerance: it joined what does not belong together."""
    @property
    def method(self) -> str:
        """That was used."""

class ModeIterator:
    """Modes in order, as they are found; memory is bounded whatever their number."""
    def __enter__(self) -> Any:
        ...
    def __exit__(self, *args: Any) -> None:
        ...
    def __iter__(self) -> Any:
        ...
    def __next__(self) -> Mode:
        ...
    def close(self) -> None:
        """Stops looking for more."""
    @property
    def counts(self) -> ModeCounts:
        """After the last mode: tact.ModeCounts."""
    @property
    def given(self) -> int:
        """How many were taken so far."""
    @property
    def hash(self) -> str:
        """After the last mode: of their sequence."""

class ModeSystem:
    """The rows of contacts whose modes are asked for: n·x > 0 separates, n·x = 0 keeps contact, the signs of t·x say how it slides. [Huang20] (5)"""
    def __init__(self, contacts: List[Tuple[numpy.typing.ArrayLike, Optional[numpy.typing.ArrayLike]]]) -> None:
        """One pair (normal [dof], tangents [k, dof] or None) per contact."""
    def __len__(self) -> int:
        ...
    @property
    def dof(self) -> int:
        """Columns."""
    @property
    def rows(self) -> numpy.typing.NDArray[numpy.float64]:
        """[rows, dof]"""
    @staticmethod
    def scene(name: str, planes: int = ...) -> ModeSystem:
        """A built-in scene: tact.mode_scenes() lists them."""

class Model:
    """A scene: bodies in trees, their joints, shapes, actuators and constraints; it does not change."""
    @property
    def actuator_names(self) -> List[str]:
        """By index: the order of State.ctrl."""
    def bias_force(self, state: Optional[State] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """c(q, q̇) [nv] of M q̈ + c = τ: Coriolis, gyroscopic terms and weight."""
    def body_id(self, name: str) -> int:
        """Index of a body."""
    @property
    def body_names(self) -> List[str]:
        """By index; the world first."""
    def body_poses(self, state: Optional[State] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """X_WB of every body [nbody, 4, 4]."""
    @staticmethod
    def built_in(name: str) -> Model:
        """One of the scenes inside tact: tact.built_in_scenes() lists them."""
    @property
    def dof_names(self) -> List[str]:
        """By index: the order of State.qvel."""
    def energy(self, state: Optional[State] = ...) -> Tuple[float, float]:
        """Kinetic and potential energy [J]."""
    @staticmethod
    def from_xml_path(path: Union[str, "os.PathLike[str]"], free_base: bool = ...) -> Model:
        """Reads MJCF (.xml, .mjcf) or URDF (.urdf), with NAME.tact.json beside it where there is one. free_base: the root link of a URDF moves freely."""
    @staticmethod
    def from_xml_string(text: str, name: str = ..., files: Dict[str, str] = ..., free_base: bool = ...) -> Model:
        """The same from text; `files` has meshes and includes by the names that the text uses, and NAME.tact.json, where `name` is what the text is called in complaints."""
    def geom_id(self, name: str) -> int:
        """Index of a geom."""
    @property
    def geom_names(self) -> List[str]:
        """By index: its own name or that of its body."""
    @property
    def gravity(self) -> numpy.typing.NDArray[numpy.float64]:
        """[m/s²]"""
    def jacobian(self, body: int, point_W: numpy.typing.ArrayLike, state: Optional[State] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """Rows [ω(3), v(3)] in the axes of the world of the body's point at point_W [6, nv]."""
    def joint_id(self, name: str) -> int:
        """Index of a joint."""
    @property
    def joint_names(self) -> List[str]:
        """By index."""
    def joint_qpos(self, name: str) -> slice:
        """Where the joint stands in qpos, as a slice."""
    def joint_qvel(self, name: str) -> slice:
        """Where the joint stands in qvel, as a slice."""
    @property
    def keyframe_names(self) -> List[str]:
        """By index."""
    @property
    def mass(self) -> float:
        """Of all bodies [kg]."""
    def mass_matrix(self, state: Optional[State] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """M(q) [nv, nv] with the armature. [Featherstone] sec. 6.2"""
    @property
    def name(self) -> str:
        """Of the scene."""
    @property
    def nbody(self) -> int:
        """Bodies, the world included."""
    @property
    def ngeom(self) -> int:
        """Geoms."""
    @property
    def not_modelled(self) -> List[str]:
        """What the file has and tact does not model, one sentence a kind."""
    @property
    def nq(self) -> int:
        """Positions."""
    @property
    def nu(self) -> int:
        """Actuators."""
    @property
    def numerics(self) -> dict:
        """<custom><numeric> of the file, by name."""
    @property
    def nv(self) -> int:
        """Velocities: degrees of freedom."""
    @property
    def qpos0(self) -> numpy.typing.NDArray[numpy.float64]:
        """Positions of the file."""
    @property
    def source(self) -> str:
        """Where it came from."""
    def state(self, keyframe: str = ...) -> State:
        """The start of the file: its keyframe `init` where there is one, or the one named; "none" takes no keyframe."""
    def summary(self) -> str:
        """What `tact check` says of the scene."""
    @property
    def timestep(self) -> float:
        """The file's step [s]."""

class Patch:
    """A face in contact as one cone: K_P ∋ [m_T, f_N] ⟂ [ω_T, v_N] ∈ K_P*. [MontMarin25] (2), (17)

Patch frame: x, y in the contact plane, z the normal. Wrenches are [m_T(2), m_N, f_T(2), f_N], twists [ω_T(2), ω_N, v_T(2), v_N], SI units."""
    def __init__(self, points: numpy.typing.ArrayLike, name: str = ...) -> None:
        """The patch whose hull is that of these points [n, 2], in metres, in the patch frame."""
    def _repr_html_(self) -> str:
        """Its picture, for notebooks."""
    def contains(self, wrench: numpy.typing.ArrayLike) -> bool:
        """Whether a pressure on the patch has this wrench: [m_T(2), m_N, f_T(2), f_N] or [m_T(2), f_N], N m and N. [MontMarin25] (9), (11)"""
    def contains_twist(self, twist: numpy.typing.ArrayLike) -> bool:
        """Whether no point of the patch penetrates: [ω_T(2), ω_N, v_T(2), v_N] or [ω_T(2), v_N], rad/s and m/s. [MontMarin25] (12), (13)"""
    def cop(self, wrench: numpy.typing.ArrayLike) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """Centre of pressure in the patch frame [m], or None without force. [MontMarin25] (8)"""
    @property
    def corners(self) -> numpy.typing.NDArray[numpy.float64]:
        """Corners of the hull, counter-clockwise [n, 2] m; of round parts the ends of their arcs."""
    @staticmethod
    def disc(radius: float, center: numpy.typing.ArrayLike = ...) -> Patch:
        """A disc [m]."""
    @staticmethod
    def ellipse(semi_axes: numpy.typing.ArrayLike, center: numpy.typing.ArrayLike = ..., angle: float = ...) -> Patch:
        """An ellipse [m]; the angle of its first semi-axis from x [rad]."""
    def extended_cop(self, wrench: numpy.typing.ArrayLike, twist: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """Where the patch presses, or would touch first: one point, the two ends of an edge, or the corners [n, 2] m. [MontMarin25] (18), (19)"""
    def friction(self, wrench: numpy.typing.ArrayLike, mu: float, pressure: str = ..., pattern: Optional[str] = ..., radius: Optional[float] = ..., nodes: Optional[numpy.typing.ArrayLike] = ..., areas: Optional[numpy.typing.ArrayLike] = ..., radii: Optional[numpy.typing.ArrayLike] = ...) -> FrictionSet:
        """What friction can hold under this normal load; the pressure model is effective, ellipsoid, vertex or winkler (docs/patches.md)."""
    @staticmethod
    def from_file(path: Union[str, "os.PathLike[str]"]) -> Patch:
        """Reads a tact-patch/1 file, with the wrench, twist and friction it may have."""
    @staticmethod
    def from_json(text: str) -> Patch:
        """The same from its text."""
    def margin(self, wrench: numpy.typing.ArrayLike) -> float:
        """f_N times the distance of the centre of pressure to the rim [N m]; negative outside."""
    @property
    def name(self) -> str:
        """Its title."""
    def outline(self, count: int = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The rim of the hull as a polygon, round parts by `count` points a turn."""
    @staticmethod
    def point(at: numpy.typing.ArrayLike = ...) -> Patch:
        """A single point."""
    def project(self, wrench: numpy.typing.ArrayLike, metric: Optional[numpy.typing.ArrayLike] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest [m_T(2), f_N] of K_P, in the Euclidean metric or a 3 x 3 one."""
    def project_twist(self, twist: numpy.typing.ArrayLike, metric: Optional[numpy.typing.ArrayLike] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest [ω_T(2), v_N] of K_P*."""
    @property
    def radius(self) -> float:
        """Of its bounding circle [m]."""
    def regime(self, wrench: numpy.typing.ArrayLike, twist: numpy.typing.ArrayLike, tolerance: Optional[float] = ...) -> RegimeReport:
        """What the patch does under this wrench and twist, with the geometry that proves it."""
    def report(self, wrench: Optional[numpy.typing.ArrayLike] = ..., twist: Optional[numpy.typing.ArrayLike] = ..., mu: Optional[float] = ..., pressure: str = ...) -> dict:
        """Everything that `tact patch --json` says, as a dict; what is left out is that of the file."""
    @staticmethod
    def segment(a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike) -> Patch:
        """The edge from a to b."""
    @staticmethod
    def stadium(a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike, radius: float) -> Patch:
        """All points within the radius of the segment a b."""
    def svg(self, wrench: Optional[numpy.typing.ArrayLike] = ..., twist: Optional[numpy.typing.ArrayLike] = ..., mu: Optional[float] = ..., pressure: str = ...) -> str:
        """The picture of `tact patch --svg` as SVG text."""
    def to_json(self) -> str:
        """As tact-patch/1 text."""
    def twist_margin(self, twist: numpy.typing.ArrayLike) -> float:
        """The least normal velocity on the patch [m/s]. [MontMarin25] (14)"""
    @staticmethod
    def union(parts: List[Patch]) -> Patch:
        """Several patches that together are one; what it can do depends on their hull. [MontMarin25] (10)"""
    def velocity_at(self, twist: numpy.typing.ArrayLike, x: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """Velocity of the point x of the plane [m/s]. [MontMarin25] (3)"""
    def wrench_half_spaces(self, mu: float, kind: str = ..., edges: int = ...) -> numpy.typing.NDArray[numpy.float64]:
        """A [n, 6] with A w <= 0 for all admissible wrenches [m_T(2), m_N, f_T(2), f_N]: for controllers."""

class PlanarCone:
    """A cone over a convex polygon of the tangent plane: box and pyramid friction."""
    def contains(self, x: numpy.typing.ArrayLike) -> bool:
        """Whether x lies in the cone, decided by its distance to it."""
    @property
    def corners(self) -> numpy.typing.NDArray[numpy.float64]:
        """Corners of the polygon at f_n = 1."""
    def margin(self, x: numpy.typing.ArrayLike) -> float:
        """How deep x lies in the cone, in the unit of its tangents; negative outside."""
    def project(self, x: numpy.typing.ArrayLike, metric: Optional[numpy.typing.ArrayLike] = ...) -> numpy.typing.NDArray[numpy.float64]:
        """The nearest point of the cone, in the Euclidean metric or |y|² = y'My. Rows [t1, t2, n]."""
    def support(self, direction: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """The generator with the largest product with the direction."""

class PortStep:
    """What a soft contact did in one step."""
    @property
    def normal_force(self) -> float:
        """[N]"""
    @property
    def slips(self) -> bool:
        """Whether it slipped."""
    @property
    def status(self) -> str:
        """tracked; else nothing has happened: lost_convexity, past_window, not_converged, left_surface."""
    @property
    def why(self) -> str:
        """In words."""
    @property
    def wrench(self) -> numpy.typing.NDArray[numpy.float64]:
        """On body 1, mean over the step, in W about its origin: [m(3), f(3)] [N m, N]; on body 2 the opposite."""

class Recording:
    """A recording (.tact) as arrays; also of a run that is not over: refresh() reads what came since."""
    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Reads all frames there are."""
    def __len__(self) -> int:
        ...
    @property
    def body_names(self) -> List[str]:
        """The world first."""
    @property
    def body_poses(self) -> numpy.typing.NDArray[numpy.float64]:
        """X_WB [frames, bodies, 4, 4], single precision."""
    @property
    def contact_offsets(self) -> numpy.typing.NDArray[numpy.int64]:
        """[frames + 1]"""
    @property
    def contacts(self) -> numpy.typing.NDArray[Any]:
        """All contacts of all frames as one structured array; frame k has the rows contact_offsets[k] to contact_offsets[k + 1]."""
    def contacts_at(self, frame: int) -> numpy.typing.NDArray[Any]:
        """The contacts of one frame as a structured array."""
    @property
    def ctrl(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames, nu]"""
    @property
    def cut(self) -> Optional[str]:
        """Why a part is not readable, or None."""
    @property
    def dt(self) -> float:
        """The step [s]."""
    @property
    def finished(self) -> bool:
        """Whether the run came to its end."""
    @property
    def geom_names(self) -> List[str]:
        """By index."""
    @property
    def header(self) -> dict:
        """All that stays the same, as a dict (docs/recording.md)."""
    @property
    def impacts(self) -> list:
        """One dict each: step, time [s], approach [m/s], work [J], verdict."""
    @property
    def ledger(self) -> dict:
        """Work since the start by account, and closure; each [frames] J."""
    @property
    def name(self) -> str:
        """Of the scene."""
    @property
    def path(self) -> str:
        """Of the file."""
    @property
    def penetration(self) -> numpy.typing.NDArray[numpy.float64]:
        """The deepest since the frame before [frames] m."""
    @property
    def qpos(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames, nq], in the coordinates of the scene's file."""
    @property
    def qvel(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames, nv]"""
    def refresh(self) -> int:
        """Reads on where the file has grown; how many frames came."""
    @property
    def residual(self) -> numpy.typing.NDArray[numpy.float64]:
        """The largest since the frame before [frames]."""
    @property
    def status(self) -> str:
        """finished, stopped or diverged; open while there is no end."""
    @property
    def steps(self) -> numpy.typing.NDArray[numpy.int64]:
        """[frames]"""
    @property
    def times(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames] s."""

class RegimeReport:
    """What a patch does under a wrench and a twist. [MontMarin25] (15), (16), fig. 5"""
    @property
    def cop(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """Centre of pressure [m], or None."""
    @property
    def largest_opening(self) -> float:
        """[m/s]"""
    @property
    def largest_sliding(self) -> float:
        """[m/s]"""
    @property
    def pivot(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """What it tips about: one point or two [n, 2] m, or None."""
    @property
    def power(self) -> float:
        """Of the normal parts, relative."""
    @property
    def regime(self) -> Optional[str]:
        """idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, slide_tip_vertex, slide_tip_edge; None where [MontMarin25] (17) is violated."""
    @property
    def twist_margin(self) -> float:
        """Of K_P*, relative."""
    @property
    def wrench_margin(self) -> float:
        """Of K_P, relative."""
    @property
    def zero_line(self) -> Optional[dict]:
        """The line v_N(x) = 0 as point, direction and normal, or None. [MontMarin25] (15)"""

class Repair:
    """An impact brought back by its impulses alone, so that momentum stays exact. [Glocker] 8"""
    @property
    def distance(self) -> float:
        """Of the velocities in the metric of the mass [J^½]."""
    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """λ of all rows [N s]."""
    @property
    def method(self) -> str:
        """none, line or nearest."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless repaired or not needed."""
    @property
    def share(self) -> float:
        """Of the way from the inelastic impact."""
    @property
    def status(self) -> str:
        """repaired, not_needed, impossible, not_converged or unsupported."""
    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u⁺ [dof]."""
    @property
    def why(self) -> str:
        """One sentence where it failed."""
    @property
    def work_after(self) -> float:
        """[J]"""
    @property
    def work_before(self) -> float:
        """[J]"""

class Residual:
    """How far impulses are from solving a problem; all figures are pure numbers."""
    def __float__(self) -> float:
        ...
    @property
    def complementarity(self) -> float:
        """Σ|N·W|."""
    @property
    def dissipation(self) -> float:
        """What friction misses of maximum dissipation."""
    @property
    def dual(self) -> float:
        """Distance of velocities to K*."""
    @property
    def fc3d(self) -> Optional[float]:
        """The measure of the FCLIB collection, where it is defined."""
    @property
    def figure(self) -> float:
        """What counts: natural, or a share of unhidden where that is larger."""
    @property
    def growth(self) -> float:
        """|λ| over what stops every contact; without bound in a jam."""
    @property
    def momentum(self) -> Optional[float]:
        """Of M (u⁺ - u⁻) = p + J'λ, where a velocity was given."""
    @property
    def natural(self) -> float:
        """(Σ |λ - Π(λ - D⁻¹u)|²_D)^½ over the scale of the problem. [FrictionM4] NCP, [MontMarin25] (17)"""
    @property
    def primal(self) -> float:
        """Distance of λ to admissible loads."""
    @property
    def unhidden(self) -> float:
        """The same over the free motion alone."""
    @property
    def worst_contact(self) -> int:
        """The contact with the largest error; -1 without contacts."""

class Run:
    """A run that is over: what it was like, and its frames where they were kept."""
    @property
    def dt(self) -> float:
        """The step [s]."""
    @property
    def final(self) -> State:
        """The last state."""
    @property
    def hash(self) -> str:
        """Of the last state: the same bits, the same hash."""
    @property
    def impacts(self) -> dict:
        """How many, by verdict."""
    @property
    def ledger(self) -> dict:
        """Where the energy went [J], by account."""
    @property
    def max_penetration(self) -> float:
        """[m]"""
    @property
    def max_residual(self) -> float:
        """The judge's, over all steps."""
    @property
    def most_contacts(self) -> int:
        """At one time."""
    @property
    def not_converged(self) -> int:
        """Steps."""
    @property
    def qpos(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames, nq]"""
    @property
    def qvel(self) -> numpy.typing.NDArray[numpy.float64]:
        """[frames, nv]"""
    def raise_if_failed(self) -> None:
        """RuntimeError unless it finished and every step converged."""
    @property
    def recording(self) -> str:
        """Path of the recording, or empty."""
    @property
    def recording_trouble(self) -> str:
        """Why it is not whole, or empty."""
    @property
    def regimes(self) -> dict:
        """How often each regime was seen."""
    @property
    def seconds(self) -> float:
        """Of computing."""
    @property
    def simulated(self) -> float:
        """[s]"""
    @property
    def status(self) -> str:
        """finished, stopped (by a callback) or diverged."""
    @property
    def steps(self) -> int:
        """That were made."""
    @property
    def times(self) -> numpy.typing.NDArray[numpy.float64]:
        """Of the frames kept [s]; with keep=True."""
    def to_dict(self) -> dict:
        """What `tact sim --json` says."""
    @property
    def warnings(self) -> List[str]:
        """One sentence each."""
    @property
    def why(self) -> str:
        """Of diverged: one sentence."""

class Simulation:
    """A scene in motion. Used by one thread at a time; different ones by as many as you like."""
    def __init__(self, model: Model, state: Optional[State] = ..., *, keyframe: str = ..., dt: Optional[float] = ..., law: str = ..., restitution: Optional[float] = ..., solver: str = ..., tolerance: Optional[float] = ..., max_iterations: int = ..., threads: int = ..., margin_share: Optional[float] = ..., time_of_impact: Optional[bool] = ..., swept_from: Optional[int] = ..., solved_island: Optional[int] = ...) -> None:
        """A scene in motion, from a state or a keyframe.

dt: the step [s], else the scene's. law: of impacts, moreau, newton, newton_clamped, poisson, fremond, generalized_reflections or sequential. restitution: of all contacts. solver: auto, gs, admm, newton. margin_share: faces within this share of the smaller geom's size are watched before they touch. swept_from: from this many contacts on what moves in a pile gets a few sweeps; solved_island: contacts of the largest island next to rest that is solved all the same, 0: none is."""
    def contact_array(self) -> numpy.typing.NDArray[Any]:
        """The same as a structured array, one row each: geom1, geom2, which, regime, kind, position, normal, frame R_WC, force [N] in the world, wrench, twist and closing in C, distance [m], mu, margins, cop (NaN where there is none)."""
    @property
    def contacts(self) -> List[ContactReport]:
        """The contacts of the last step as tact.ContactReport."""
    def copy(self) -> Simulation:
        """A simulation of its own that goes on from here, bit for bit."""
    @property
    def diverged(self) -> bool:
        """Whether the last step left no finite numbers."""
    @property
    def dt(self) -> float:
        """The step [s]."""
    @property
    def hash(self) -> str:
        """Of time, positions and velocities: the same bits, the same hash."""
    @property
    def ledger(self) -> dict:
        """Where the energy went since the start [J], by account; `closure` is what is not booked."""
    def load(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Goes on from a checkpoint of the same scene and options, bit for bit."""
    @property
    def model(self) -> Model:
        """The scene."""
    def net_contact(self, bodies: List[int]) -> dict:
        """Net load on these bodies from others: wrench_W about the world's origin, normal_force [N], cop_W and extended_cop_W [m]."""
    def run(self, duration: float, *, record: Optional[Union[str, "os.PathLike[str]"]] = ..., every: int = ..., keep: bool = ..., html: Optional[Union[str, "os.PathLike[str]"]] = ..., callback: Any = ...) -> Run:
        """Steps through `duration` seconds. record: path of a .tact recording; every: steps from frame to frame; keep: frames in memory (Run.times, qpos, qvel); html: path of a page of plots; callback(sim) after every step, False stops."""
    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a checkpoint to go on from."""
    def sensors(self) -> dict:
        """Readings of the scene's sensors after the last step, by name."""
    @property
    def state(self) -> State:
        """The state now; its arrays are views, and what is written into them counts from the next step on."""
    def step(self, n: int = ...) -> StepReport:
        """Makes n steps and says what the last was like; stops where numbers are no longer finite. What was written into `state` before counts."""
    @property
    def steps(self) -> int:
        """Made so far."""
    @property
    def time(self) -> float:
        """[s]"""

class SoftFit:
    """A compliant pair identified from a trace: f_N = K x^n max(0, 1 + d x')."""
    def check(self, trace: Any) -> dict:
        """How the fit explains another trace."""
    @property
    def converged(self) -> bool:
        """A status, never an exception."""
    @property
    def damping(self) -> dict:
        """d [s/m]."""
    @property
    def exponent(self) -> dict:
        """The n of x^n, likewise."""
    @property
    def friction(self) -> Optional[dict]:
        """mu, or None without a tangential part."""
    @property
    def noise_N(self) -> float:
        """What the law does not explain, root mean square."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless it converged."""
    @property
    def samples(self) -> int:
        """While touching."""
    @property
    def stiffness(self) -> dict:
        """K [N/m^n]: value, standard error, low and high of 95 %."""
    @property
    def tangential_stiffness(self) -> Optional[dict]:
        """[N/m] at the reference depth, or None."""
    def to_dict(self) -> dict:
        """What `tact fit --json` says."""

class SoftPair:
    """All that two bodies need to touch softly, SI units. [Stramigioli] sec. 5 to 7"""
    def __init__(self, *, modulus_Pa: Optional[float] = ..., stiffness_N_per_m: Optional[float] = ..., damping_s_per_m: float = ..., damping_Ns_per_m: float = ..., mu: float = ..., static_ratio: float = ..., shear_modulus_Pa: Optional[float] = ..., torsion_modulus_Pa: Optional[float] = ..., tangential_stiffness_N_per_m: Optional[float] = ..., torsion_stiffness_Nm_per_rad: Optional[float] = ..., torsion_arm_m: Optional[float] = ..., tangential_damping_s: float = ..., centre_share: float = ..., cells: int = ...) -> None:
        """Hertz with modulus_Pa E*, or linear with stiffness_N_per_m; damping_s_per_m d of Hunt and Crossley, damping_Ns_per_m b of Kelvin and Voigt (linear). Tangentially Mindlin's moduli, or constant stiffnesses. mu: friction; cells > 1: Mindlin's hysteresis."""
    @staticmethod
    def elastic(young1_Pa: float, poisson1: float, young2_Pa: float, poisson2: float, mu: float = ...) -> SoftPair:
        """Of two elastic materials; Young's modulus inf: a hard body. [Johnson] sec. 4.2"""

class SoftPort:
    """One compliant contact as a power port of a foreign simulator: twists in, wrench out, and supplied = stored + dissipated to rounding."""
    def __init__(self, body1: Surface, body2: Surface, pair: SoftPair, pose1: numpy.typing.ArrayLike, pose2: numpy.typing.ArrayLike) -> None:
        """Between two surfaces at these poses X_WB (4 x 4, or p and quaternion w x y z)."""
    def advance(self, pose1: numpy.typing.ArrayLike, twist1: numpy.typing.ArrayLike, pose2: numpy.typing.ArrayLike, twist2: numpy.typing.ArrayLike, dt: float) -> PortStep:
        """The bodies move from these poses with constant twists [ω(3), v(3)] at the world's origin for dt seconds."""
    @property
    def dissipated(self) -> float:
        """[J]"""
    @property
    def gap(self) -> float:
        """[m], negative while they touch."""
    @property
    def stored(self) -> float:
        """[J]"""
    @property
    def supplied(self) -> float:
        """Work done on the contact so far [J]."""

class Solution:
    """The answer to a contact problem with the evidence for it."""
    @property
    def contact_velocities(self) -> List[numpy.typing.NDArray[numpy.float64]]:
        """The same, one array per contact."""
    @property
    def contact_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """γ⁺ = J u⁺ + χ [rows]; in Delassus form G λ + b."""
    @property
    def force_range(self) -> Optional[dict]:
        """Where asked for: least (low) and greatest (high) impulse of every row over all solutions with this motion, the smallest one, which contacts are unique; else None."""
    @property
    def held_by(self) -> List[str]:
        """After infeasible: the names of the constraints that hold each other, those with a share in jam_ray. Empty otherwise."""
    @property
    def impulse(self) -> numpy.typing.NDArray[numpy.float64]:
        """λ of all rows, contact after contact [N s, N m s]."""
    @property
    def impulses(self) -> List[numpy.typing.NDArray[numpy.float64]]:
        """λ, one array per contact."""
    @property
    def iterations(self) -> int:
        """Of its own kind."""
    @property
    def jam_ray(self) -> Optional[numpy.typing.NDArray[numpy.float64]]:
        """After infeasible: impulses that cancel and yet do work; None otherwise."""
    @property
    def labels(self) -> List[Label]:
        """One tact.Label per contact."""
    @property
    def problem(self) -> ContactProblem:
        """What was solved."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless it converged."""
    @property
    def residual(self) -> Residual:
        """The judge's, as tact.Residual."""
    @property
    def seconds(self) -> float:
        """Of the solve alone."""
    @property
    def solver(self) -> str:
        """That finished."""
    @property
    def status(self) -> str:
        """converged, not_converged, infeasible (a jam) or unsupported: a status, never an exception."""
    def to_dict(self) -> dict:
        """What `tact solve --json` says."""
    @property
    def velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """u⁺ [dof]; empty in Delassus form."""

class State:
    """What changes: positions, velocities, controls and time of one model.

qpos and qvel are as in MuJoCo: a free joint has [p(3), quaternion w x y z] and [v in W, ω in B]. The arrays are views: what is written into them is written into the state."""
    def __copy__(self) -> State:
        ...
    def __deepcopy__(self, memo: dict) -> State:
        ...
    def __init__(self, model: Model, keyframe: str = ...) -> None:
        """As Model.state()."""
    def copy(self) -> State:
        """A state of its own."""
    @property
    def ctrl(self) -> numpy.typing.NDArray[numpy.float64]:
        """Controls [nu], a view."""
    @ctrl.setter
    def ctrl(self, value: numpy.typing.ArrayLike) -> None: ...
    @property
    def driven(self) -> list:
        """Poses X_WB (4 x 4) of the bodies that are moved and not pushed (mocap); copies."""
    @driven.setter
    def driven(self, value: List[numpy.typing.ArrayLike]) -> None: ...
    @property
    def hash(self) -> str:
        """Sixteen digits that two states share if they agree bit for bit."""
    @property
    def model(self) -> Model:
        """Whose state it is."""
    @property
    def qpos(self) -> numpy.typing.NDArray[numpy.float64]:
        """Positions [nq], a view."""
    @qpos.setter
    def qpos(self, value: numpy.typing.ArrayLike) -> None: ...
    @property
    def qvel(self) -> numpy.typing.NDArray[numpy.float64]:
        """Velocities [nv], a view."""
    @qvel.setter
    def qvel(self, value: numpy.typing.ArrayLike) -> None: ...
    @property
    def time(self) -> float:
        """[s]"""
    @time.setter
    def time(self, value: float) -> None: ...

class StepReport:
    """What a step was like; of several, the last."""
    @property
    def constraint_verdict(self) -> str:
        """generating where equalities, limits or dry friction gave more energy than integration explains, constraint_work; else dissipative."""
    @property
    def constraint_work(self) -> float:
        """What they gave then [J]."""
    @property
    def contacts(self) -> int:
        """Near enough to matter."""
    @property
    def impacts(self) -> list:
        """Impacts of the step, one dict each: time [s], approach [m/s], work [J], verdict."""
    @property
    def iterations(self) -> int:
        """Of the solver."""
    @property
    def joint_error(self) -> float:
        """Limits passed and equalities missed, the largest [m, rad]."""
    @property
    def overlaps_left(self) -> list:
        """Links of one robot, or what no joint can part, inside each other and left so: geoms, depth [m]."""
    @property
    def patches(self) -> int:
        """Of which faces."""
    @property
    def penetration(self) -> float:
        """The deepest [m]."""
    def raise_if_failed(self) -> None:
        """RuntimeError unless it converged."""
    @property
    def residual(self) -> float:
        """The judge's, a pure number."""
    @property
    def solver(self) -> str:
        """That finished."""
    @property
    def status(self) -> str:
        """converged, not_converged, infeasible, unsupported; diverged where a number is not finite any more, and the state is the last good one."""
    @property
    def steps(self) -> int:
        """That were made."""
    @property
    def time(self) -> float:
        """After it [s]."""

class Surface:
    """A smooth surface that bounds a solid, in the frame of its body [m]. [Stramigioli] sec. 2.3"""
    def at(self, near: numpy.typing.ArrayLike) -> dict:
        """The point of the surface near to `near` [3]: p, the outward normal n, dn = g_* [3, 3] and the principal curvatures, least first. [Stramigioli] (13)-(15)"""
    @staticmethod
    def capsule(radius: float, half_length: float, axis: numpy.typing.ArrayLike = ..., inside_out: bool = ...) -> Surface:
        """All points within the radius of a segment."""
    @staticmethod
    def cylinder(radius: float, axis: numpy.typing.ArrayLike = ..., inside_out: bool = ...) -> Surface:
        """Without ends."""
    @staticmethod
    def ellipsoid(semi_axes: numpy.typing.ArrayLike, inside_out: bool = ...) -> Surface:
        """Semi-axes [3]."""
    @staticmethod
    def heights(heights: numpy.typing.ArrayLike, half_size: numpy.typing.ArrayLike) -> Surface:
        """z <= the bicubic spline through heights [rows along y, columns along x] over |x|, |y| up to half_size [2]."""
    @staticmethod
    def implicit(function: function, reach: float = ..., inside_out: bool = ...) -> Surface:
        """F(p) <= 0: function(p) returns F, its gradient [3] and its Hessian [3, 3]; there is a surface within `reach` of the origin."""
    @staticmethod
    def nurbs(points: numpy.typing.ArrayLike, knots_u: numpy.typing.ArrayLike, knots_v: numpy.typing.ArrayLike, weights: Optional[numpy.typing.ArrayLike] = ..., inside_out: bool = ...) -> Surface:
        """A rational spline through control points [nu, nv, 3] and weights [nu, nv], all 1 if left out; its degrees are how many knots there are more than points, less one. f_u × f_v points outward."""
    @staticmethod
    def parametric(patch: function, lower: numpy.typing.ArrayLike = ..., upper: numpy.typing.ArrayLike = ..., closed_u: bool = ..., closed_v: bool = ..., inside_out: bool = ...) -> Surface:
        """patch(u, v) returns f, f_u, f_v, f_uu, f_uv, f_vv [6, 3] for u and v between lower [2] and upper [2]; f_u × f_v points outward. closed: both ends are the same line."""
    @staticmethod
    def plane(normal: numpy.typing.ArrayLike = ..., offset: float = ..., inside_out: bool = ...) -> Surface:
        """normal · x <= offset."""
    @staticmethod
    def sphere(radius: float, inside_out: bool = ...) -> Surface:
        """A ball; inside out a bowl."""
    @staticmethod
    def superellipsoid(semi_axes: numpy.typing.ArrayLike, e1: float = ..., e2: float = ..., inside_out: bool = ...) -> Surface:
        """Exponents between 0 and 1."""
    @staticmethod
    def torus(ring: float, tube: float, axis: numpy.typing.ArrayLike = ..., inside_out: bool = ...) -> Surface:
        """A tube about a circle."""

def all_solutions(problem: ContactProblem, *, max_nodes: int = ..., check: bool = ...) -> AllSolutions:
    """Every solution of a frictional problem, mode by mode, in exact arithmetic. For points without rolling friction and polygonal patches without friction."""

def audit_step(problem: ContactProblem, potential_change: Optional[float] = ..., tolerance: float = ...) -> dict:
    """The books of one step of any engine, from the problem's outcome with impulses: where the kinetic energy came from and went [J], and `violations` by name (momentum, cone, complementarity, penetration, dissipation, friction, closure), each with amount, limit, unit and contact. [Glocker] 3"""

def box_cone(mu: float, scale: float = ...) -> PlanarCone:
    """Box friction |f_i| <= scale mu f_n; the default scale 1/√2 is inscribed in Coulomb's disc. [FrictionM4] box"""

def built_in_scenes() -> List[str]:
    """Names for Model.built_in()."""

def certificate(problem: ContactProblem, velocity: Optional[numpy.typing.ArrayLike] = ..., impulses: Any = ..., *, arithmetic: str = ..., tolerance: float = ...) -> Certificate:
    """Judges an outcome, the problem's own or u⁺ [dof] given here: how much energy the contacts delivered at least and at most over all impulses that explain it. arithmetic: auto, exact or double."""

def contact_dtype() -> numpy.dtype[Any]:
    """The dtype of Simulation.contact_array() and Recording.contacts."""

def count_modes(what: Any, *, kind: str = ..., policy: str = ..., method: str = ..., tolerance: Optional[float] = ..., threads: int = ..., planes: int = ..., rim: int = ...) -> ModeCounts:
    """Counts modes without visiting them. what: a ContactProblem, a ModeSystem or the name of a built-in scene. kind: contacting, sliding, slipping. planes: dividing planes per contact instead of its tangents. [Huang20] (7), (8)"""

def facing(one: Surface, two: Surface, pose: numpy.typing.ArrayLike, twist: numpy.typing.ArrayLike = ...) -> list:
    """The points where two surfaces face each other, the deepest first, and how they move. pose: of `two` seen from `one`; twist [ω(3), v(3)] of `two` relative to `one` in the frame of `one`. Each a dict: p1 and p1_rate in the frame of one, p2 and p2_rate in that of two, normal from one to two, gap, gap_rate, and the window of gaps. [Stramigioli] (20)-(25)"""

def fit(trace: Any) -> SoftFit:
    """Identifies a compliant pair from the path of a CSV file (docs/fit.md) or a dict of arrays: time_s, gap_m, normal_force_N, and optionally gap_rate_m_per_s, slide_m [n, 2], shear_force_N [n, 2]."""

def hertz(curvatures: numpy.typing.ArrayLike, modulus_Pa: float, depth: float) -> dict:
    """Elliptic contact of relative curvatures [2] in 1/m: K_h in N/m^(3/2), force, energy, pressure, half axes, and the torque arm of friction. [Johnson] sec. 4.2"""

def impact(problem: ContactProblem, law: str = ..., *, restitution: Optional[float] = ..., blend: Optional[float] = ..., stiffness: Optional[float] = ..., start: Any = ..., count_solutions: bool = ...) -> ImpactOutcome:
    """Applies an impact law: moreau, newton, newton_clamped, poisson, fremond, generalized_reflections, sequential. restitution: of all contacts, instead of their own. blend: of generalized_reflections. stiffness: k of fremond [kg]. [Glocker] 3, 5"""

def integrate_pose(pose: numpy.typing.ArrayLike, twist: numpy.typing.ArrayLike, dt: float) -> numpy.typing.NDArray[numpy.float64]:
    """e^(V dt) X: a pose (4 x 4) moved by a constant spatial twist [ω(3), v(3)]. [Stramigioli] (6)"""

@overload
def inverse(model: Model, acceleration: Optional[numpy.typing.ArrayLike] = ..., *, state: Optional[State] = ..., keyframe: str = ..., dt: float = ...) -> Inverse:
    """Actuator and contact forces that give the scene this acceleration [nv] (zero by default) at a state or keyframe."""
@overload
def inverse(problem: ContactProblem, velocity: numpy.typing.ArrayLike, actuation: numpy.typing.ArrayLike, *, dt: float = ..., lower: Optional[numpy.typing.ArrayLike] = ..., upper: Optional[numpy.typing.ArrayLike] = ..., weight: Optional[numpy.typing.ArrayLike] = ...) -> Inverse:
    """The same of a contact problem: u⁺ [dof], B [dof, m], bounds and weights of τ [m]."""

def mode_cone(what: Any, cs: str, ss: str = ..., planes: int = ...) -> Optional[dict]:
    """The velocities of one mode: dim, rays and lines as rows, a witness; None if no velocity has these signs."""

def mode_scenes() -> dict:
    """Built-in scenes of modes, with what they are."""

def modes(what: Any, *, kind: str = ..., policy: str = ..., method: str = ..., tolerance: Optional[float] = ..., threads: int = ..., planes: int = ..., rim: int = ..., witnesses: bool = ...) -> ModeIterator:
    """Every mode once, in order, as an iterator; the arguments are those of count_modes. witnesses: with a velocity each."""

def pyramid_cone(mu: float, edges: int = ...) -> PlanarCone:
    """The cone over the regular polygon inscribed in Coulomb's disc."""

def repair(problem: ContactProblem, velocity: Optional[numpy.typing.ArrayLike] = ..., impulses: Any = ...) -> Repair:
    """The nearest outcome that pulls nowhere, penetrates nowhere and gains no energy: from a velocity or from impulses."""

def residual(problem: ContactProblem, impulses: Any, velocity: Optional[numpy.typing.ArrayLike] = ...) -> Residual:
    """The judge: recomputes everything from the problem and knows nothing of how the impulses were found. impulses: one vector, or one per contact [N s, N m s]."""

def run_all(sims: List[Simulation], duration: float, threads: int = ..., every: int = ..., keep: bool = ...) -> List[Run]:
    """Runs independent simulations over threads; the bits are those of one by one."""

def slip_return(Q: numpy.typing.ArrayLike, limit: float, trial: numpy.typing.ArrayLike) -> tuple:
    """The nearest s with s'Qs <= limit² to a trial state (x, y, drilling), and λ of (1 + λQ)s = trial. [Stramigioli] (41)-(43)"""

def solve(problem: ContactProblem, *, solver: str = ..., tolerance: Optional[float] = ..., max_iterations: int = ..., polish: bool = ..., threads: int = ..., start: Any = ..., force_range: bool = ...) -> Solution:
    """Solves a contact problem. solver: auto, gs, admm, newton, newton_mass, lemke, box (docs/solvers.md). tolerance: on the judge's residual. polish: Newton steps after success as long as they pay. start: impulses to start from. force_range: also what redundant contacts leave open."""

def step(sim: Simulation, n: int = ...) -> StepReport:
    """As sim.step(n)."""

def verify(problem: ContactProblem, certificate: str, tolerance: float = ...) -> Tuple[bool, str]:
    """Whether a tact-certificate/1 text proves what it says of the problem's outcome, and why not."""

def write_still(sim: Simulation, path: Union[str, "os.PathLike[str]"]) -> None:
    """A recording of one frame: the state now."""

