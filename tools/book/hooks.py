"""What the book does beyond mkdocs: names of files become links, and the search works from disk.

Pages are written to be read on disk, where `docs/solvers.md` is a file to open; in the book it is a page
to click. A room of the library, `tact/solve/solve.hpp`, leads to its page in the reference.
"""
import json
import os
import pathlib
import re
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r'^```(\w*)[^\n]*\n.*?^```$', re.MULTILINE | re.DOTALL)
PAGE = re.compile(r'`docs/([\w-]+\.md)`|(?<![\w/(\[`])docs/([\w-]+\.md)\b')
ROOM = re.compile(r'`(tact/[\w/]+\.hpp)`')
TAGS = pathlib.Path(os.environ.get('TACT_REFERENCE_TAGS', ''))

rooms: dict[str, str] = {}


def present(nav: list) -> list:
    """The table of contents without pages that do not exist, and without sections that became empty."""
    kept = []
    for entry in nav:
        (title, what), = entry.items()
        if isinstance(what, list):
            if inner := present(what):
                kept.append({title: inner})
        elif (ROOT / 'docs' / what).exists():
            kept.append(entry)
    return kept


def on_config(config):
    config['nav'] = present(config['nav'])
    config['extra']['version'] = (ROOT / 'VERSION').read_text(encoding='utf-8').strip()
    if TAGS.is_file():
        for file in ElementTree.parse(TAGS).getroot().findall("compound[@kind='file']"):
            path = (file.findtext('path') or '') + (file.findtext('name') or '')
            page = file.findtext('filename') or ''
            rooms['tact/' + path.rpartition('tact/')[2]] = page if page.endswith('.html') else page + '.html'
    config['extra']['reference'] = bool(rooms)
    return config


def linked(text: str) -> str:
    def page(m):
        name = m[1] or m[2]
        return f'[docs/{name}]({name})' if (ROOT / 'docs' / name).exists() else f'docs/{name}'

    def room(m):
        # HTML, for mkdocs checks links of Markdown, and the reference is not among its pages.
        return f'<a href="reference/{rooms[m[1]]}"><code>{m[1]}</code></a>' if m[1] in rooms else m[0]
    return ROOM.sub(room, PAGE.sub(page, text))


def on_page_markdown(markdown, page, **_):
    """Links outside of blocks; of the words behind a fence only the first is left, mkdocs knows no other."""
    out, end = [], 0
    for block in FENCE.finditer(markdown):
        out.append(linked(markdown[end:block.start()]))
        out.append(f'```{block[1]}\n' + block[0].split('\n', 1)[1])
        end = block.end()
    return ''.join(out) + linked(markdown[end:])


def on_post_build(config, **_):
    """A page on disk may load a script but no JSON: the index of the search becomes a script."""
    folder = pathlib.Path(config['site_dir'])
    index = folder / 'search' / 'search_index.json'
    docs = json.loads(index.read_text(encoding='utf-8'))['docs']
    sections = [[d['location'], d['title'], d['text']] for d in docs]
    titles = {location: title for location, title, _ in sections if '#' not in location}
    sections = [[at, title, titles.get(at.split('#')[0], ''), text] for at, title, text in sections if '#' in at]
    text = json.dumps(sections, ensure_ascii=False, separators=(',', ':'))
    (folder / 'search_index.js').write_text(f'const book = {text};\n', encoding='utf-8')
    index.unlink()
    index.parent.rmdir()
