"""Files that a run writes: what they may replace, what they never overwrite, and what is said where they fail."""
import json
import os
import resource
import subprocess
import threading
import unittest

from command import TACT, CommandTest

BOX = """<mujoco model="slider">
  <option timestep="0.001"/>
  {}
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.3"/>
    <body name="box" pos="0 0 0.05"><freejoint/><geom name="box" type="box" size="0.05 0.05 0.05" mass="1"/></body>
    {}
  </worldbody>
</mujoco>
"""
CUBE = ''.join(f'v {x} {y} {z}\n' for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)) + ''.join(
    f'f {face}\n' for face in ('1 2 4', '1 4 3', '5 7 8', '5 8 6', '1 5 6', '1 6 2', '3 4 8', '3 8 7', '1 3 7', '1 7 5',
                               '2 6 8', '2 8 4'))
SHORT = ('--duration', '0.05')


class Outputs(CommandTest):
    def setUp(self):
        super().setUp()
        self.write('box.xml', BOX.format('', ''))

    def full(self, size, *words):
        """The command where no file may grow beyond `size` bytes."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # pylint: disable=unnecessary-lambda-assignment
        return subprocess.run([TACT, *words], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
                              preexec_fn=limit, restore_signals=False)  # pylint: disable=subprocess-popen-preexec-fn

    def read(self, name):
        return (self.folder / name).read_bytes()

    def test_a_link_stays_and_what_it_leads_to_is_replaced(self):
        (self.folder / 'far').mkdir()
        self.write('far/old.html', 'old')
        for name, target in (('page.html', 'far/old.html'), ('twice', 'page.html'), ('new', 'far/new.ckpt')):
            (self.folder / name).symlink_to(target)
        run = self.tact('sim', 'box.xml', *SHORT, '--html', 'twice', '--checkpoint', 'new')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(all((self.folder / name).is_symlink() for name in ('page.html', 'twice', 'new')))
        self.assertIn(b'</html>', self.read('far/old.html'))
        self.assertTrue(self.read('far/new.ckpt').startswith(b'TACTCKP2'))
        self.assertEqual(sorted(p.name for p in (self.folder / 'far').iterdir()), ['new.ckpt', 'old.html'])

    def test_a_link_in_a_circle_is_refused(self):
        (self.folder / 'a').symlink_to('b')
        (self.folder / 'b').symlink_to('a')
        self.refused(self.tact('sim', 'box.xml', *SHORT, '--html', 'a'), 'a: ', 'circle')
        self.assertTrue((self.folder / 'a').is_symlink())

    def test_a_pipe_is_written_and_stays(self):
        for words, end in ((('sim', 'box.xml', *SHORT, '--html'), b'</html>\n'), (('view', 'box.xml', *SHORT, '--html'), b'</html>\n'),
                           (('sim', 'box.xml', *SHORT, '--checkpoint'), b'')):
            path = self.folder / 'pipe'
            os.mkfifo(path)
            got = []
            reader = threading.Thread(target=lambda at=path, into=got: into.append(at.read_bytes()), daemon=True)
            reader.start()
            run = self.tact(*words, 'pipe')
            reader.join(timeout=20)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(path.is_fifo())
            self.assertGreater(len(got[0]), 100)
            self.assertTrue(got[0].rstrip().endswith(end.rstrip()), got[0][-40:])
            path.unlink()

    def test_standard_output_as_a_file(self):
        (self.folder / 'stdout').symlink_to('/proc/self/fd/1')  # what /dev/stdout is; that one is never put at risk
        run = self.tact('sim', 'box.xml', *SHORT, '--html', 'stdout')
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('</html>', run.stdout)
        with open(self.folder / 'all', 'w', encoding='utf-8') as out:
            run = subprocess.run([TACT, 'sim', 'box.xml', *SHORT, '--html', 'stdout'], cwd=self.folder, stdout=out,
                                 stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn('is where standard output goes', run.stderr)

    @unittest.skipIf(os.geteuid() != 0, 'only root makes devices')
    def test_a_device_is_written_and_stays(self):
        device = self.folder / 'full'
        try:
            os.mknod(device, 0o600 | 0o020000, os.makedev(1, 7))
            device.open('wb').close()
        except OSError:
            self.skipTest('no devices here')
        for option in ('--checkpoint', '--html'):
            run = self.tact('sim', 'box.xml', *SHORT, option, 'full')
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn('full: ', run.stderr)
            self.assertTrue(device.is_char_device())

    def test_places_are_looked_at_before_the_run(self):
        for option in ('--html', '--checkpoint'):
            self.refused(self.tact('sim', 'box.xml', '--duration', '100000', option, 'no/such/file'), 'no/such/file: ', 'folder')
            self.refused(self.tact('sim', 'box.xml', '--duration', '100000', option, '.'), '.: is a folder')

    def test_no_input_is_overwritten(self):
        self.write('part.xml', '<mujoco><worldbody><body name="more" pos="1 0 1"><freejoint/>'
                   '<geom type="mesh" mesh="cube" mass="1"/></body></worldbody></mujoco>')
        self.write('cube.obj', CUBE)
        self.write('all.xml', BOX.format('<asset><mesh name="cube" file="cube.obj" scale="0.1 0.1 0.1"/></asset>',
                                         '') .replace('</mujoco>', '<include file="part.xml"/></mujoco>'))
        self.write('all.tact.json', {'format': 'tact-scene/1'})
        self.assertEqual(self.tact('sim', 'all.xml', *SHORT, '--checkpoint', 'half.ckpt').returncode, 0)
        os.link(self.folder / 'cube.obj', self.folder / 'hard.obj')
        (self.folder / 'soft.ckpt').symlink_to('half.ckpt')
        inputs = ('all.xml', 'part.xml', 'cube.obj', 'all.tact.json', 'half.ckpt')
        before = {name: self.read(name) for name in inputs}
        for name in (*inputs, 'hard.obj', 'soft.ckpt', './part.xml'):
            for option in ('--record', '--html', '--checkpoint'):
                run = self.tact('sim', 'all.xml', *SHORT, '--resume', 'half.ckpt', option, name)
                self.refused(run, f'{name}: is an input; name another file')
        for name in inputs[:4]:
            for option in ('--record', '--html'):
                self.refused(self.tact('view', 'all.xml', *SHORT, '--html', 'out.html' if option == '--record' else name,
                                       *(('--record', name) if option == '--record' else ())), f'{name}: is an input')
            for command, option in (('solve', '--write-problem'), ('modes', '--svg'), ('impact', '--certificate')):
                self.refused(self.tact(command, 'all.xml', option, name), f'{name}: is an input')
        self.assertEqual({name: self.read(name) for name in inputs}, before)
        self.assertFalse((self.folder / 'out.html').exists())

    def test_meshes_of_a_robot_are_inputs_too(self):
        self.write('cube.obj', CUBE)
        self.write('robot.urdf', '<robot name="r"><link name="a"><inertial><mass value="1"/>'
                   '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>'
                   '<mesh filename="cube.obj"/></geometry></collision></link></robot>')
        for name in ('robot.urdf', 'cube.obj'):
            self.refused(self.tact('sim', 'robot.urdf', *SHORT, '--html', name), f'{name}: is an input')

    def test_what_cannot_be_written_does_not_cost_the_summary(self):
        words = ('sim', 'box.xml', *SHORT, '--html', 'a.html', '--checkpoint', 'a.ckpt')
        run = self.full(100, *words, '--json')
        self.assertEqual(run.returncode, 2)
        out = json.loads(run.stdout)
        self.assertEqual(out['steps'], 50)
        for name in ('a.html: cannot be written', 'a.ckpt: cannot be written'):
            self.assertTrue(any(name in line for line in out['warnings']), out['warnings'])
            self.assertIn(name, run.stderr)
        run = self.full(100, *words)
        self.assertEqual(run.returncode, 2)
        self.assertIn('50 steps of 1 ms', run.stdout)
        self.assertIn('a.html: cannot be written', run.stdout)
        self.assertNotIn('  page ', run.stdout)
        self.assertEqual([p.name for p in self.folder.iterdir()], ['box.xml'])

    def test_a_recording_that_stops_growing_is_said_everywhere(self):
        words = ('sim', 'box.xml', '--duration', '1', '--record', 'a.tact', '--every', '1')
        run = self.full(20000, *words, '--json')
        self.assertEqual(run.returncode, 2)
        out = json.loads(run.stdout)
        self.assertEqual((out['steps'], out['status']), (1000, 'finished'))
        self.assertTrue(any('a.tact: cannot be written any more' in line for line in out['warnings']), out['warnings'])
        self.assertIn('a.tact: cannot be written any more', run.stderr)
        run = self.full(20000, *words)
        self.assertIn('a.tact: cannot be written any more', run.stdout)
        self.assertIn('a.tact: cannot be written any more', run.stderr)


if __name__ == '__main__':
    unittest.main()
