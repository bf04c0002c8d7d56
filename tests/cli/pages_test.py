"""Pictures, the demo page, help and check."""
import html.parser
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from command import SCENES, SOURCE, SQUARE, CommandTest

VOID = {'meta', 'rect', 'line', 'circle', 'polyline', 'polygon'}


class Balance(html.parser.HTMLParser):
    """Every tag that opens closes."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == 'id' and tag == 'section']
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Pages(CommandTest):
    def test_pictures_are_well_formed_and_the_same_every_time(self):
        for scene in sorted(SCENES.glob('*.json')):
            texts = []
            for _ in range(2):
                run = self.tact('patch', scene, '--svg', 'a.svg', '--cone-svg', 'b.svg')
                self.assertEqual(run.returncode, 0)
                texts.append([(self.folder / name).read_text(encoding='utf-8') for name in ('a.svg', 'b.svg')])
            self.assertEqual(*texts)
            for text in texts[0]:
                root = ElementTree.fromstring(text)
                self.assertEqual(root.tag, '{http://www.w3.org/2000/svg}svg')
                self.assertIn('prefers-color-scheme:dark', text)
                self.assertNotRegex(text, r'\bnan\b|\binf\b|href=|<script|url\((?!#)')
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['a.svg', 'b.svg'])

    def test_names_are_escaped(self):
        self.write('p.json', {'format': 'tact-patch/1', 'name': '<b>&"\n\u0001', 'patch': SQUARE})
        self.assertEqual(self.tact('patch', 'p.json', '--svg', 'a.svg', '--cone-svg', 'b.svg').returncode, 0)
        for name in ('a.svg', 'b.svg'):
            ElementTree.parse(self.folder / name)

    def test_demo_is_one_page_with_every_regime(self):
        run = self.tact('demo', '--out', 'deep/demo')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('picture deep/demo/index.html', run.stdout)
        self.assertEqual(sorted(p.name for p in (self.folder / 'deep/demo').iterdir()), ['index.html', 'patches.html', 'view.html'])
        self.assertIn('href="view.html"', (self.folder / 'deep/demo/index.html').read_text(encoding='utf-8'))
        page = (self.folder / 'deep/demo/patches.html').read_text(encoding='utf-8')
        balance = Balance()
        balance.feed(page)
        self.assertEqual((balance.open, balance.wrong), ([], []))
        self.assertEqual(sorted(balance.ids), sorted(p.stem for p in SCENES.glob('*.json')))
        self.assertEqual(page.count('<svg '), 2 * len(balance.ids))
        self.assertNotRegex(page, r'<script|<link|src=|@import|href="(?!#)')

    def test_help_teaches(self):
        overview = self.tact('help')
        self.assertEqual(overview.returncode, 0)
        self.assertEqual(self.tact('--help').stdout, overview.stdout)
        self.assertEqual(self.tact().stdout, overview.stdout)
        for command in ('patch', 'check', 'demo'):
            self.assertIn(command, overview.stdout)
            run = self.tact(command, '--help')
            self.assertEqual(run.returncode, 0)
            self.assertIn('Example: tact ' + command, run.stdout)

    def test_version(self):
        version = (SOURCE / 'VERSION').read_text(encoding='utf-8').strip()
        self.assertEqual(self.tact('--version').stdout, f'tact {version}\n')

    def test_check(self):
        run = self.tact('check', SCENES / 'foot-stick.json', '--json')
        self.assertEqual(run.returncode, 0)
        answer = json.loads(run.stdout)
        self.assertEqual((answer['kind'], answer['format'], answer['problems']), ('patch', 'tact-patch/1', []))
        self.assertIn('polygon of 6 points', answer['summary'])
        self.assertIn('problems  none', self.tact('check', SCENES / 'foot-stick.json').stdout)
        self.write('bad.json', '{"format": "tact-patch/1"}')
        run = self.tact('check', 'bad.json', '--json')
        self.assertEqual(run.returncode, 2)
        self.assertRegex(json.loads(run.stdout)['problems'][0], re.escape('bad.json: patch is missing'))


if __name__ == '__main__':
    unittest.main()
