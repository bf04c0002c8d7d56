#!/usr/bin/python3
"""Hands a source to doxygen with an equation tag at the end of every /// comment that cites.

The alias eq (docs/Doxyfile) turns the tags into the page "Equations in the code".
"""
import pathlib
import re
import sys

import check_citations

COMMENT = re.compile(r'(?:^[ \t]*///(?!<)[^\n]*\n)+', re.MULTILINE)


def tagged(comment: str) -> str:
    cited = dict.fromkeys(item for _, item in check_citations.citations(comment))
    return comment.rstrip('\n') + ''.join(f' @eq{{{item}}}' for item in cited) + '\n'


if __name__ == '__main__':
    text = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')
    sys.stdout.write(COMMENT.sub(lambda m: tagged(m[0]), text))
