#!/usr/bin/python3
"""gallery.py --tact build/release/tact - draws the built-in scenes and writes docs/gallery.md; --check looks if all are there.

A scene is simulated to a telling moment and drawn from its recording, small and flat: a picture to choose by.
The sentence is the first comment of the scene's file.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import house
import recording

WIDTH, HEIGHT, RIM = 200, 150, 10
LARGEST = 300_000  # bytes of all pictures together
SHADES = 5
VIEW = (0.5, -0.78, 0.38)  # from where one looks, a unit vector nearly
MOMENTS = {'bouncing_ball': 0.3, 'domino_row': 0.55, 'foot_roll_over': 0.9, 'forklift': 2, 'grasp': 1.5, 'heavy_top_tower': 0.1,
           'incline_slip': 0.5, 'lift': 1, 'newtons_cradle': 0.5, 'peg_in_hole': 0.3, 'pile': 0.6, 'rocking_block': 0.1,
           'sliding_boxes': 0.6, 'tall_tower': 0.1, 'tipping_box': 5.2, 'tumbling_body': 1.2, 'wedge': 0.3,
           'yanked_plate': 0.4, 'conveyor': 0.3}
SENTENCES = {'grasp': 'Three soft fingertips on springs hold a ball and roll it.'}

STYLE = ('<style>.f{fill:#e8ebee;stroke:#c3cad1}.g{stroke:#3a4550;stroke-width:.6;stroke-linejoin:round}'
         + ''.join(f'.a{i}{{fill:{c}}}.w{i}{{fill:{w}}}' for i, (c, w) in enumerate(zip(
             ('#2f6fae', '#437fb9', '#5a90c4', '#74a3cf', '#8fb6da'), ('#8f979f', '#9da5ac', '#abb2b8', '#b9bfc5', '#c7ccd1'))))
         + '[class^=w]{fill-opacity:.6}@media(prefers-color-scheme:dark){.f{fill:#23282d;stroke:#3b434a}.g{stroke:#0e1114}}</style>')

Vec = tuple[float, float, float]


def turned(q: tuple[float, ...], v: Vec) -> Vec:
    """v turned by the quaternion w x y z."""
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


def dot(a: Vec, b: Vec) -> float:
    return sum(x * y for x, y in zip(a, b))


def cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v: Vec) -> Vec:
    size = math.sqrt(dot(v, v)) or 1
    return (v[0] / size, v[1] / size, v[2] / size)


TO_EYE = unit(VIEW)
RIGHT = unit(cross((0, 0, 1), TO_EYE))
UP = cross(TO_EYE, RIGHT)


def ring(radius: float, z: float, corners: int = 20) -> list[Vec]:
    return [(radius * math.cos(t), radius * math.sin(t), z) for t in (2 * math.pi * i / corners for i in range(corners))]


def prism(bottom: list[Vec], top: list[Vec]) -> list[list[Vec]]:
    """Faces, corners counter-clockwise from outside."""
    n = len(top)
    return [top, bottom[::-1]] + [[bottom[i], bottom[(i + 1) % n], top[(i + 1) % n], top[i]] for i in range(n)]


def globe(axes: Vec, stretch: float = 0) -> list[list[Vec]]:
    """An ellipsoid of flat faces; with a stretch, a capsule."""
    rows, n, faces = 8, 16, []

    def at(i: int, j: int) -> Vec:
        a, b = math.pi * (i / rows - 0.5), 2 * math.pi * j / n
        z = axes[2] * math.sin(a)
        return (axes[0] * math.cos(a) * math.cos(b), axes[1] * math.cos(a) * math.sin(b),
                z + math.copysign(stretch, i - rows / 2) if i != rows // 2 else z)
    for i in range(rows):
        faces += [[at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)] for j in range(n)]
    return faces


def faces_of(geom: dict, header: dict) -> list[list[Vec]]:
    kind, size = geom['type'], geom.get('size', [])
    if kind == 'box':
        x, y, z = size
        square = [(-x, -y), (x, -y), (x, y), (-x, y)]
        return prism([(*c, -z) for c in square], [(*c, z) for c in square])
    if kind == 'cylinder':
        return prism(ring(size[0], -size[1]), ring(size[0], size[1]))
    if kind in ('sphere', 'ellipsoid', 'capsule'):
        axes = tuple(size) if kind == 'ellipsoid' else (size[0],) * 3
        return globe(axes, size[1] if kind == 'capsule' else 0)
    if kind == 'mesh':
        mesh = header['meshes'][geom['mesh']]
        return [[tuple(mesh['vertices'][i]) for i in face] for face in mesh['faces']]
    return []


def outline(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull, counter-clockwise."""
    points = sorted(set(points))

    def half(seq):
        chain = []
        for p in seq:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      - (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]
    return half(points) + half(points[::-1])


class Drawing:
    """Shapes as polygons on the paper, each with its depth; planes are drawn first."""

    def __init__(self, header: dict, frame: recording.Frame):
        self.header, self.frame = header, frame
        self.shapes: list[tuple[float, str, list[tuple[float, float]]]] = []
        self.solid: list[Vec] = []
        planes = []
        for geom in header['geoms']:
            if geom['type'] == 'plane':
                planes.append(geom)
            else:
                self.add(geom)
        for plane in planes:
            self.add_plane(plane)

    def placed(self, geom: dict, v: Vec) -> Vec:
        pose, body = geom['pose'], self.frame.poses[geom['body']]
        v = tuple(a + b for a, b in zip(turned(tuple(pose['q']), v), pose['p']))
        return tuple(a + b for a, b in zip(turned(body[3:], v), body[:3]))

    def add(self, geom: dict) -> None:
        faces = [[self.placed(geom, v) for v in face] for face in faces_of(geom, self.header)]
        corners = [v for face in faces for v in face]
        if not corners:
            return
        self.solid += corners
        depth = sum(dot(v, TO_EYE) for v in corners) / len(corners)
        kind = 'a' if geom['body'] else 'w'
        if geom['type'] in ('sphere', 'ellipsoid', 'capsule'):
            flat = outline([(dot(v, RIGHT), dot(v, UP)) for v in corners])
            self.shapes.append((depth, f'{kind}1', flat))
            return
        sides = []
        for face in faces:
            normal = unit(cross(tuple(b - a for a, b in zip(face[0], face[1])), tuple(b - a for a, b in zip(face[1], face[2]))))
            if dot(normal, TO_EYE) > 1e-3:
                light = 0.5 + 0.5 * dot(normal, unit((-0.3, -0.4, 0.9)))
                sides.append((f'{kind}{min(SHADES - 1, int(light * SHADES))}', [(dot(v, RIGHT), dot(v, UP)) for v in face]))
        if geom['type'] == 'cylinder':  # its mantle is one outline, its cap another
            mantle = outline([p for _, face in sides for p in face])
            sides = [(f'{kind}1', mantle)] + [s for s in sides if len(s[1]) > 4]
        self.shapes += [(depth, shade, face) for shade, face in sides]

    def add_plane(self, geom: dict) -> None:
        """As much of it as the scene needs, below the middle of what stands on it."""
        solid = self.solid or [(0, 0, 0)]
        middle = tuple(sum(v[i] for v in solid) / len(solid) for i in range(3))
        reach = 0.6 * max(max(v[i] for v in solid) - min(v[i] for v in solid) for i in range(3)) or 1
        origin, x, y, n = (self.placed(geom, v) for v in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
        x, y, n = (tuple(b - a for a, b in zip(origin, v)) for v in (x, y, n))
        if dot(n, TO_EYE) < 0.05:
            return
        offset = tuple(m - o for m, o in zip(middle, origin))
        foot = tuple(m - dot(offset, n) * k for m, k in zip(middle, n))
        corners = [tuple(f + reach * (i * a + j * b) for f, a, b in zip(foot, x, y))
                   for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        self.shapes.append((-math.inf, 'f', [(dot(v, RIGHT), dot(v, UP)) for v in corners]))

    def svg(self, title: str) -> str:
        points = [p for _, _, face in self.shapes for p in face]
        left, right = min(p[0] for p in points), max(p[0] for p in points)
        low, high = min(p[1] for p in points), max(p[1] for p in points)
        scale = min((WIDTH - 2 * RIM) / (right - left), (HEIGHT - 2 * RIM) / (high - low))
        x0, y0 = WIDTH / 2 - scale * (left + right) / 2, HEIGHT / 2 + scale * (low + high) / 2
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
               f'<title>{title}</title>{STYLE}<g class="g">']
        for _, shade, face in sorted(self.shapes, key=lambda s: s[0]):
            text = ' '.join(f'{x0 + scale * x:.1f},{y0 - scale * y:.1f}' for x, y in face)
            out.append(f'<polygon class="{shade}" points="{text}"/>')
        return '\n'.join(out) + '\n</g></svg>\n'


def sentence(scene: str) -> str:
    text = (house.ROOT / 'scenes' / 'sim' / f'{scene}.xml').read_text(encoding='utf-8')
    found = re.search(r'<!--\s*(.*?)\s*-->', text, re.DOTALL)
    return SENTENCES.get(scene) or (re.sub(r'\s+', ' ', found[1]) if found else '')


def picture(tact: pathlib.Path, scene: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'run.tact'
        subprocess.run([tact, 'sim', scene, '--duration', str(MOMENTS.get(scene, 0.02)), '--record', file, '--json'],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        header, frames = recording.read(file)
    return Drawing(header, frames[-1]).svg(f'{scene} at {frames[-1].time:.3g} s')


HEAD = '''# Gallery

The scenes that are built in: `tact sim NAME` runs one, `tact sim NAME --html page.html` draws its plots, and the files stand in
`scenes/sim/` to start from. Written by `tools/gallery.py`, pictures and page.

| scene | | what happens |
|---|---|---|
'''


def page(scenes: list[str]) -> str:
    rows = [f'| `{s}` | ![{s}](pictures/gallery/{s}.svg) | {sentence(s)} |\n' for s in scenes]
    return HEAD + ''.join(rows)


def check(scenes: list[str], folder: pathlib.Path) -> list[str]:
    drawn = {f.stem for f in folder.glob('*.svg')}
    wrong = [f'{s}: no picture' for s in scenes if s not in drawn]
    wrong += [f'{s}.svg: no scene of this name is built in' for s in sorted(drawn - set(scenes))]
    if (folder.parent.parent / 'gallery.md').read_text(encoding='utf-8') != page(scenes):
        wrong.append('docs/gallery.md is not what the scenes say')
    if (size := sum(f.stat().st_size for f in folder.glob('*.svg'))) > LARGEST:
        wrong.append(f'the pictures have {size} bytes, more than {LARGEST}')
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--tact', type=pathlib.Path, default=house.ROOT / 'build/release/tact')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    scenes = subprocess.run([options.tact, 'sim', '--list'], check=True, capture_output=True, text=True).stdout.split()
    folder = house.ROOT / 'docs' / 'pictures' / 'gallery'
    if options.check:
        wrong = check(scenes, folder)
        print(*[f'{w}; tools/gallery.py draws it again' for w in wrong] or [f'{len(scenes)} scenes'], sep='\n')
        sys.exit(1 if wrong else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for scene in scenes:
        (folder / f'{scene}.svg').write_text(picture(options.tact, scene), encoding='utf-8')
    (house.ROOT / 'docs' / 'gallery.md').write_text(page(scenes), encoding='utf-8')


if __name__ == '__main__':
    main()
