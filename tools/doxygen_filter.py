#!/usr/bin/python3
"""doxygen_filter.py FOLDER - copies the headers for doxygen, with what it needs to read them.

Every /// comment that cites gets an equation tag at its end; the alias eq (docs/Doxyfile) turns the tags into
the page "Equations in the code". Elements of XML in comments, <asset>, are marked as text. One pass over all
headers: a filter that doxygen starts for each of them takes most of its time.
"""
import pathlib
import re
import sys

import check_citations
import house

COMMENT = re.compile(r'(?:^[ \t]*///(?!<)[^\n]*\n)+', re.MULTILINE)
ELEMENT = re.compile(r'(?<![\\\w`])<(/?[a-z_]+ ?/?)>(?!`)')
SPOKEN = re.compile(r'///.*$', re.MULTILINE)


def tagged(comment: str) -> str:
    cited = dict.fromkeys(item for _, item in check_citations.citations(comment))
    return comment.rstrip('\n') + ''.join(f' @eq{{{item}}}' for item in cited) + '\n'


def readable(text: str) -> str:
    """A header as doxygen should read it."""
    text = SPOKEN.sub(lambda m: ELEMENT.sub(r'\\<\1\\>', m[0]), text)
    return COMMENT.sub(lambda m: tagged(m[0]), text)


def main() -> None:
    target = pathlib.Path(sys.argv[1])
    for header in (f for f in house.sources(house.ROOT, 'tact') if f.suffix == '.hpp'):
        copy = target / header.relative_to(house.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(readable(header.read_text(encoding='utf-8')), encoding='utf-8')


if __name__ == '__main__':
    main()
