#!/usr/bin/python3
"""A check that cannot fail is no check: each rule meets a good tree and planted violations."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import batches
import check_citations
import check_files
import check_layers
import check_literals
import check_no_printing
import check_paths
import check_readme
import doxygen_filter

HEADER = '// base/a.hpp - a room.\n#pragma once\nint a();\n'
BIB = '@article{Huang20,\n}\n'


def plant(root: pathlib.Path, files: dict[str, str]) -> None:
    """Writes a small tree; the names stand for paths: __ for / and the last _ for the dot."""
    for name, text in files.items():
        stem, _, suffix = name.replace('__', '/').rpartition('_')
        file = root / f'{stem}.{suffix}'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding='utf-8')


class Rules(unittest.TestCase):
    def sentences(self, rule, **files: str) -> list[str]:
        """What the rule says about a tree of these files."""
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            plant(root, files)
            return [f'{p.file.relative_to(root)}:{p.line}: {p.sentence}' for p in rule.check(root)]

    def accepts(self, rule, **files: str) -> None:
        self.assertEqual(self.sentences(rule, **files), [])

    def refuses(self, rule, place: str, **files: str) -> None:
        said = self.sentences(rule, **files)
        self.assertEqual(len(said), 1, said)
        self.assertTrue(said[0].startswith(place + ': '), said)

    def test_layers(self):
        rule = check_layers
        self.accepts(rule, tact__cone__a_hpp='#include "tact/base/b.hpp"\n#include "tact/cone/c.hpp"\n#include <vector>\n')
        self.accepts(rule, tact__tact_hpp='#include "tact/io/a.hpp"\n')
        self.refuses(rule, 'tact/base/a.hpp:2', tact__base__a_hpp='\n#include "tact/cone/b.hpp"\n')
        self.refuses(rule, 'tact/base/a.cpp:1', tact__base__a_cpp='#include <tact/io/b.hpp>\n')
        self.refuses(rule, 'tact/io/a.cpp:1', tact__io__a_cpp='#include "apps/tact/b.hpp"\n')
        self.refuses(rule, 'tact/cellar/a.hpp:1', tact__cellar__a_hpp='\n')

    def test_readme(self):
        rule = check_readme
        program = 'int main() { return 0; }\n'
        readme = f'# a\n\n```cpp\n{program}```\n'
        self.accepts(rule, README_md=readme, examples__01_patch_cpp='// why\nint main() {\n  return 0;\n}\n')
        self.refuses(rule, 'README.md:3', README_md=readme, examples__01_patch_cpp='int main() { return 1; }\n')
        self.refuses(rule, 'README.md:1', README_md='# a\n', examples__01_patch_cpp=program)

    def test_no_printing(self):
        rule = check_no_printing
        self.accepts(rule, tact__io__a_cpp='// std::cout << x; printf("")\nconst char* s = "abort()";\nx.exit();\n')
        self.accepts(rule, tact__io__a_cpp='const System system(a, b);\nstd::snprintf(b, 9, "x");\nSolver::abort();\n')
        self.accepts(rule, tact__io__a_test_cpp='std::cout << 1;\n', tests__b_cpp='std::exit(1);\n')
        for line in ('std::cout << 1;', 'printf("x");', 'std::fprintf(f, "x");', 'puts("x");', 'std::exit(1);', 'abort();',
                     'std::terminate();', 'std::getenv("X");', 'std::system("ls");', 'fmt::print("x");',
                     'std::print("x");', '#include <iostream>', 'std::cerr\n<< 1;', 'std::clog << 1;',
                     'return exit(1);', '::abort();', 'if (x) system("ls");'):
            self.refuses(rule, 'tact/io/a.cpp:2', tact__io__a_cpp='\n' + line + '\n')
        for line in ('std::rand();', 'std::random_device d;', 'auto v = Eigen::Vector3d::Random();', 'v.setRandom();'):
            self.refuses(rule, 'tests/a.cpp:1', tests__a_cpp=line + '\n')
            self.refuses(rule, 'bench/a_bench.cpp:1', bench__a_bench_cpp=line + '\n')
            self.refuses(rule, 'tact/base/a_test.cpp:1', tact__base__a_test_cpp=line + '\n')

    def test_literals(self):
        rule = check_literals
        self.accepts(rule, tact__cone__a_hpp='// 1e-9\nx = 0.0 + 0 + 0e-9 + 1e-4 + 1e9 + 0.5 + 1\'000 + 0x1p-3; s = "1e-9";\n')
        self.accepts(rule, tact__base__tolerance_hpp='1e-12', tact__base__rng_hpp='0x1p-53', tests__a_cpp='1e-9',
                     bench__a_cpp='1e-9', tact__cone__a_test_cpp='1e-9')
        for literal in ('1e-5', '0.00001', '1.5e-7f', '.00001', '1E-9', '0x1p-53', '0.000\'01', '-1e-300L', '99e-6'):
            self.refuses(rule, 'tact/cone/a.hpp:2', tact__cone__a_hpp=f'\nx = {literal};\n')
            self.refuses(rule, 'apps/tact/a.cpp:1', apps__tact__a_cpp=f'x(y,{literal});\n')
        self.refuses(rule, 'tact/base/a.hpp:1', tact__base__a_hpp='x = 1e-5;\n')

    def test_files(self):
        rule, test = check_files, '#include "tact/base/a.hpp"\n'
        self.accepts(rule, tact__base__a_hpp=HEADER, tact__base__a_test_cpp=test)
        self.accepts(rule, tact__base__a_hpp=HEADER.replace('int a();', 'using A = int;'))
        self.refuses(rule, 'tact/base/a.hpp:1', tact__base__a_hpp=HEADER)
        self.refuses(rule, 'tact/base/a.hpp:1', tact__base__a_hpp=HEADER, tests__compile_fail__a_cpp=test)
        self.refuses(rule, 'tact/base/a.hpp:1', tact__base__a_hpp=HEADER.replace('base/a', 'base/b'), tests__a_cpp=test)
        self.refuses(rule, 'tact/base/a.hpp:1', tact__base__a_hpp=HEADER.replace('#pragma once', ''), tests__a_cpp=test)
        late = '#include <vector>\n' + test
        self.accepts(rule, tact__base__a_hpp=HEADER, tact__base__a_cpp='// why\n' + test, tests__a_cpp=late)
        self.accepts(rule, tact__base__b_cpp=late)
        self.refuses(rule, 'tact/base/a.cpp:1', tact__base__a_hpp=HEADER, tact__base__a_cpp=late, tests__a_cpp=test)
        self.refuses(rule, 'tact/base/a.cpp:1', tact__base__a_hpp=HEADER, tact__base__a_cpp='\n', tests__a_cpp=test)
        self.refuses(rule, 'tact/base/a_test.cpp:1', tact__base__a_hpp=HEADER, tact__base__a_test_cpp=late)
        self.refuses(rule, 'tests/a.cpp:601', tests__a_cpp='\n' * 601)
        both = {f'tact__base__{name}_hpp': f'// base/{name}.hpp - a room.\n#pragma once\nstruct Same {{\n}};\n'
                for name in 'ab'}
        self.refuses(rule, 'tact/base/b.hpp:3', **both)
        self.accepts(rule, **both | {'tact__base__b_hpp': both['tact__base__b_hpp'].replace('Same {', 'Same::Part {')})

    def test_batches(self):
        hidden = 'namespace tact {\nnamespace {\n%s}  // namespace\nint shared() { return 0; }\n}  // namespace tact\n'
        parts = {'function': 'int f(\n    int a) {\n  int inner = 1;\n  return inner;\n}\n',
                 'same': 'constexpr int f = 2;\n', 'struct': 'struct S {\n  int f = 0;\n};\n',
                 'alias': 'using S = int;\n', 'again': 'using S = int;\n', 'other': 'int inner() { return 1; }\n',
                 'several': 'constexpr int a = 1, f = 2;\n'}
        with tempfile.TemporaryDirectory() as name:
            plant(pathlib.Path(name), {f'{part}_cpp': hidden % text for part, text in parts.items()})
            plant(pathlib.Path(name), {'s_hpp': 'class S {\n};\n', 'far_hpp': '#include "s.hpp"\n', 'other_hpp': 'struct O {\n};\n',
                                       'knows_cpp': '#include "far.hpp"\n', 'knows_other_cpp': '#include "other.hpp"\n'})

            def together(*stems: str) -> int:
                return len(batches.batches([pathlib.Path(name, f'{stem}.cpp') for stem in stems]))
            self.assertEqual(together('function', 'struct', 'other'), 1)
            self.assertEqual(together('alias', 'again', 'function'), 1)
            self.assertEqual(together('function', 'same'), 2)
            self.assertEqual(together('function', 'several'), 2)
            self.assertEqual(together('struct', 'alias'), 2)
            self.assertEqual(together(*['other'] * 2), 2)
            self.assertEqual(together('struct', 'knows_other'), 1)
            self.assertEqual(together('struct', 'knows'), 2)
            self.assertEqual(together(*['again'] * (batches.BATCH + 1)), 2)

    def test_paths(self):
        rule = check_paths
        self.accepts(rule, docs__a_md='`tact/base/a.hpp`, `base/a.hpp`, `a.hpp`, `tact/<room>/x.hpp`, `m/s`, `stick/slip`,'
                     ' `build/release/tact`, [x](../tact/base/a.hpp), [y](http://x/y), `tact/base/`\n'
                     '```\n`tact/gone.hpp`\n```\n', tact__base__a_hpp=HEADER)
        self.refuses(rule, 'README.md:2', README_md='\n`tact/base/gone.hpp`\n')
        self.refuses(rule, 'README.md:1', README_md='`gone.hpp`\n')
        self.refuses(rule, 'README.md:1', README_md='`tact/gone`\n', tact__base__a_hpp=HEADER)
        self.refuses(rule, 'docs/a.md:1', docs__a_md='[text](gone.md)\n')
        self.refuses(rule, 'docs/a.md:1', docs__a_md='`./gone test`\n')
        self.accepts(rule, CHANGELOG_md='## [Unreleased]\n## [0.1]\n`gone.hpp`\n')
        self.refuses(rule, 'CHANGELOG.md:2', CHANGELOG_md='## [Unreleased]\n`gone.hpp`\n## [0.1]\n')
        self.refuses(rule, 'docs/a.md:1', docs__a_md='see ../' + 'shared/x\n')
        self.refuses(rule, 'tact/base/a.cpp:1', tact__base__a_cpp='"/' + 'tmp/x"\n')

    def test_citations(self):
        rule = check_citations

        def tree(code: str, test: str, **more: str) -> dict[str, str]:
            files = {'docs__references_bib': BIB, 'tact__base__a_hpp': code, 'tests__paper__a_test_cpp': test, **more}
            with tempfile.TemporaryDirectory() as name:
                plant(pathlib.Path(name), files)
                return files | {'docs__equations_md': rule.Tree(pathlib.Path(name)).index()}

        self.accepts(rule, **tree('/// [Huang20] (5),\n/// (6) and Lemma 1', '// [Huang20] (5)-(6), lemma 1'))
        self.accepts(rule, **tree('// [Huang20] (4b); see [Huang20] for more', '// [Huang20] (4)'))
        self.accepts(rule, **tree('// [Huang20] sec. 3.1, Fig. 2.', '// [Huang20] figure 2, sec. 7'))
        self.refuses(rule, 'tact/base/a.hpp:1', **tree('// [Huang20] Def. 3.1', '', tests__b_cpp='// [Huang20] Def. 3.2'))
        self.refuses(rule, 'tact/base/a.hpp:1', **tree('// [Huang20] (8)\n// again [Huang20] (8)', ''))
        self.refuses(rule, 'tact/base/a.hpp:2', **tree('\n// [Huang20] (8)', ''))
        self.refuses(rule, 'tact/base/a.hpp:1', **tree('// [Huang20] (4a)\n// [Huang20] (4b)', '// [Huang20] (4b)'))
        self.refuses(rule, 'tests/paper/a_test.cpp:2', **tree('', '\n// [Huang20] Prop. 1'))
        self.accepts(rule, **tree('', '', tests__b_cpp='// [Huang20] Prop. 1'))
        self.refuses(rule, 'tests/b.cpp:1', **tree('', '', tests__b_cpp='// [Huang21] (1)'))
        self.refuses(rule, 'tact/base/a.hpp:1', **tree('// [Huang20, (8)]', ''))
        self.refuses(rule, 'docs/equations.md:1', **(tree('// [Huang20] (1)', '// [Huang20] (1)') | {'docs__equations_md': ''}))

    def test_doxygen_filter(self):
        self.assertEqual(doxygen_filter.tagged('/// [Huang20] (8): signs,\n/// and [Huang20] Alg. 1.\n'),
                         '/// [Huang20] (8): signs,\n/// and [Huang20] Alg. 1. @eq{[Huang20] (8)} @eq{[Huang20] Alg. 1}\n')
        self.assertEqual(doxygen_filter.tagged('/// Nothing.\n'), '/// Nothing.\n')
        self.assertEqual(doxygen_filter.readable('/// The <asset> section.\nstd::vector<int> x;  ///< of <body>\n'),
                         '/// The \\<asset\\> section.\nstd::vector<int> x;  ///< of \\<body\\>\n')


if __name__ == '__main__':
    unittest.main()
