#!/usr/bin/python3
"""offline.py FOLDER - the pages of a folder load nothing from elsewhere, and their links lead somewhere.

Loaded are scripts, styles, fonts, pictures and frames; a link to click may lead to the web.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADS = {('script', 'src'), ('link', 'href'), ('img', 'src'), ('iframe', 'src'), ('source', 'src'), ('object', 'data'),
         ('use', 'href'), ('image', 'href'), ('image', 'xlink:href')}
IN_STYLE = re.compile(r'(?:@import\s+|url\()\s*["\']?((?:https?:)?//[^"\')\s]+)')
ELSEWHERE = re.compile(r'(https?:)?//')


class Page(html.parser.HTMLParser):
    """What a page loads, what it links to, and the anchors it has."""

    def __init__(self, text: str):
        super().__init__()
        self.loads, self.links, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if (tag, name) in LOADS and value:
                self.loads.append(value)
            elif tag == 'a' and name == 'href' and value:
                self.links.append(value)
            if name == 'id' or (tag == 'a' and name == 'name'):
                self.anchors.add(value)


def missing(file: pathlib.Path, target: str, pages: dict[pathlib.Path, Page]) -> bool:
    """Whether a relative address leads to no file, or to no place in it."""
    path, _, place = urllib.parse.unquote(target).partition('#')
    other = (file.parent / path.split('?')[0]).resolve() if path else file
    if not other.exists():
        return True
    return bool(place) and other in pages and place not in pages[other].anchors


def check(folder: pathlib.Path) -> list[str]:
    """What is wrong, one sentence each. Links of the reference are doxygen's own and not followed."""
    pages = {f: Page(f.read_text(encoding='utf-8', errors='replace')) for f in sorted(folder.rglob('*.html'))}
    wrong = []
    for file, page in pages.items():
        name = file.relative_to(folder)
        wrong += [f'{name}: loads {target} from elsewhere' for target in page.loads if ELSEWHERE.match(target)]
        if name.parts[0] == 'reference':
            continue
        own = [t for t in page.links + page.loads if not re.match(r'[a-z]+:|//', t)]
        wrong += [f'{name}: {target} leads nowhere' for target in own if missing(file, target, pages)]
    for file in [f for f in sorted(folder.rglob('*')) if f.suffix in ('.css', '.svg', '.html')]:
        text = file.read_text(encoding='utf-8', errors='replace')
        wrong += [f'{file.relative_to(folder)}: loads {m[1]} from elsewhere' for m in IN_STYLE.finditer(text)]
    if not pages:
        wrong.append(f'{folder}: no pages')
    return wrong


def main() -> None:
    folder = pathlib.Path(sys.argv[1]).resolve()
    wrong = check(folder)
    print(*wrong or ['all pages stand alone'], sep='\n')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
