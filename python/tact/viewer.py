"""Recordings and scenes as pages: the viewer with the data inside, one file, no server."""

from __future__ import annotations

import base64
import html as markup
import os
import pathlib
import tempfile
from typing import Optional, Union

from ._tact import Model, Recording, Simulation, write_still

PathLike = Union[str, "os.PathLike[str]"]

MARKER = "<!--tact-data-->"
PAGE = pathlib.Path(__file__).with_name("viewer.html")


class Page:
    """A page that shows a recording. In a notebook it shows itself; save() writes it."""

    def __init__(self, text: str, title: str):
        self._text = text
        self.title = title

    @property
    def html(self) -> str:
        """The whole page: scripts, styles and data inside."""
        return self._text

    def save(self, path: PathLike) -> None:
        """Writes the page, entirely or not at all."""
        to = pathlib.Path(path)
        with tempfile.NamedTemporaryFile("w", dir=to.parent, prefix=to.name, delete=False, encoding="utf-8") as part:
            part.write(self._text)
        os.replace(part.name, to)

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{markup.escape(self.title, quote=True)}" style="width: 100%; height: 640px; border: 0" '
            f'srcdoc="{markup.escape(self._text, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<tact.Page of {self.title}: {len(self._text)} characters>"


def _stream(what: Union[Recording, Model, Simulation, PathLike]) -> "tuple[bytes, str]":
    """The bytes of a recording, and what it is called."""
    if isinstance(what, Recording):
        return pathlib.Path(what.path).read_bytes(), what.name or what.path
    if isinstance(what, (Model, Simulation)):
        sim = Simulation(what) if isinstance(what, Model) else what
        with tempfile.TemporaryDirectory() as folder:
            still = os.path.join(folder, "still.tact")
            write_still(sim, still)
            return pathlib.Path(still).read_bytes(), sim.model.name or sim.model.source
    return pathlib.Path(Recording(what).path).read_bytes(), os.fspath(what)


def view(
    what: Union[Recording, Model, Simulation, PathLike],
    html: Optional[PathLike] = None,
    *,
    page: Optional[PathLike] = None,
) -> Page:
    """The viewer with a recording, a model or the present state of a simulation inside, as a tact.Page.

    html: also write it to this file. page: another viewer page than the one that comes with tact.
    """
    stream, title = _stream(what)
    empty = pathlib.Path(page) if page is not None else PAGE
    if not empty.exists():
        raise FileNotFoundError(f"{empty.name}: this build of tact has no viewer page; name one with page=")
    text = empty.read_text(encoding="utf-8")
    if text.count(MARKER) != 1:
        raise ValueError(f"{empty}: is no viewer page; it must have {MARKER} exactly once")
    data = base64.b64encode(stream).decode("ascii")
    made = Page(text.replace(MARKER, f'<script type="text/plain" id="tact-recording">{data}</script>'), title)
    if html is not None:
        made.save(html)
    return made
