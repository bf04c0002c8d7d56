"""tact sim: built-in scenes, files, recordings, checkpoints, and what it refuses."""
import json
import signal
import subprocess
import time
import unittest

from command import TACT, CommandTest

BOX = """<mujoco model="slider">
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="0.3"/>
    <body name="box" pos="0 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1" friction="0.3"/></body>
  </worldbody>
  <keyframe><key name="init" qvel="1 0 0 0 0 0"/></keyframe>
</mujoco>
"""


class SimTest(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / 'box.xml').write_text(BOX, encoding='utf-8')

    def run_json(self, *words, code=0):
        run = self.tact('sim', *words, '--json')
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout)

    def test_a_box_slides_as_coulomb_says(self):
        out = self.run_json('box.xml', '--duration', '0.5')
        self.assertEqual(out['steps'], 500)
        self.assertAlmostEqual(out['final']['qpos'][0], 1 / (2 * 0.3 * 9.81), delta=1e-6)
        self.assertAlmostEqual(out['ledger']['accounts']['friction'], -0.5, delta=1e-9)
        self.assertLess(abs(out['ledger']['closure']), 1e-12)
        self.assertLess(out['max_penetration'], 1e-9)
        self.assertEqual(out['impacts']['generating'], 0)
        self.assertEqual(out['warnings'], [])

    def test_impacts_at_their_time_by_a_word_or_by_the_side_car(self):
        block = BOX.replace('pos="0 0 0.05"', 'pos="0 0 0.26" euler="0 9 0"').replace('size="0.05 0.05 0.05"', 'size="0.05 0.05 0.2"')
        block = block.replace('qvel="1 0 0 0 0 0"', '').replace('friction="0.3"', 'friction="1"')
        self.write('block.xml', block)
        within = self.run_json('block.xml', '--duration', '0.5')
        by_word = self.run_json('block.xml', '--duration', '0.5', '--time-of-impact')
        self.write('block.tact.json', '{"format": "tact-scene/1", "time_of_impact": true}')
        by_side_car = self.run_json('block.xml', '--duration', '0.5')
        self.assertEqual(by_word['hash'], by_side_car['hash'])
        self.assertNotEqual(by_word['hash'], within['hash'])

    def test_a_jam_is_named(self):
        self.write('jam.xml', '''<mujoco><option timestep="0.001"/><default><geom friction="1"/></default><worldbody>
            <geom name="floor" type="plane" size="5 5 .1"/>
            <body name="plate" mocap="true" pos="0 0 0.12"><geom name="plate" type="box" size="0.3 0.3 0.02"/></body>
            <body name="ball" pos="0.45 0 0.092"><freejoint/><geom name="ball" type="sphere" size="0.092"/></body>
            </worldbody></mujoco>''')
        self.write('jam.tact.json', '''{"format": "tact-scene/1", "drives": [{"body": "plate", "times": [0, 0.5, 1],
            "motion": [[0, 0, 0, 0, 0, 0], [0.3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]}]}''')
        out = self.run_json('jam.xml', '--duration', '0.46', code=1)
        jams = [w for w in out['warnings'] if 'jam' in w]
        self.assertEqual(len(jams), 1, out['warnings'])
        self.assertIn('ball on plate', jams[0])
        self.assertIn('ball on floor', jams[0])

    def test_limits_and_equalities_that_jam_are_named(self):
        self.write('loop.xml', '''<mujoco><option timestep="0.001"/><worldbody>
            <body name="plate" mocap="true"><geom name="plate" type="box" size="0.3 0.3 0.02"/></body>
            <body pos="0 0 0.13"><joint name="lift" type="slide" axis="0 0 1"/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
            <body pos="1 0 0.13"><joint name="rod" type="slide" axis="0 0 1" range="-1 0.01" limited="true"/>
            <geom type="box" size="0.1 0.1 0.1"/></body>
            </worldbody><equality><joint name="loop" joint1="rod" joint2="lift"/></equality></mujoco>''')
        self.write('loop.tact.json', '''{"format": "tact-scene/1", "drives": [{"body": "plate", "times": [0, 1],
            "motion": [[0, 0, 0.5, 0, 0, 0], [0, 0, 0.5, 0, 0, 0]]}]}''')
        out = self.run_json('loop.xml', '--duration', '0.05', code=1)
        (jam,) = [w for w in out['warnings'] if 'jam' in w]
        self.assertIn('box on plate, upper limit of joint "rod", equality "loop" hold each other', jam)

    def test_threads_and_repetition_do_not_change_the_hash(self):
        hashes = {self.run_json('box.xml', '--duration', '0.2', '--threads', n)['hash'] for n in ('1', '2', '4', '1')}
        self.assertEqual(len(hashes), 1)

    def test_a_checkpoint_goes_on_bit_for_bit(self):
        whole = self.run_json('box.xml', '--duration', '0.2')
        self.run_json('box.xml', '--duration', '0.1', '--checkpoint', 'half.ckpt')
        rest = self.run_json('box.xml', '--duration', '0.1', '--resume', 'half.ckpt')
        self.assertEqual(rest['hash'], whole['hash'])
        self.assertEqual(rest['ledger'], whole['ledger'])

    def test_a_checkpoint_of_another_scene_is_refused(self):
        self.run_json('box.xml', '--duration', '0.01', '--checkpoint', 'box.ckpt')
        (self.folder / 'other.xml').write_text(BOX.replace('mass="1"', 'mass="2"'), encoding='utf-8')
        self.refused(self.tact('sim', 'other.xml', '--resume', 'box.ckpt'), 'box.ckpt: ')

    def test_a_gimbal_that_starts_locked_is_told_by_name_or_number(self):
        joints = ''.join(f'<joint type="hinge" axis="{axis}"/>' for axis in ('0 0 1', '0 1 0', '1 0 0'))
        for name, called in ((' name="head"', 'body "head"'), ('', 'body 1')):
            self.write('gimbal.xml', f'<mujoco><worldbody><body{name}>{joints}<geom type="box" size="0.1 0.2 0.3" mass="1"/></body>'
                       '</worldbody><keyframe><key name="init" qpos="0 1.5707963267948966 0"/></keyframe></mujoco>')
            run = self.tact('sim', 'gimbal.xml', '--duration', '0.01')
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(f'{called} can move without moving any mass', run.stdout)
            self.assertIn('give its joints an armature or start from another pose', run.stdout)

    def test_recording_page_and_words(self):
        run = self.tact('sim', 'box.xml', '--duration', '0.3', '--record', 'box.tact', '--html', 'box.html')
        self.assertEqual(run.returncode, 0, run.stderr)
        for word in ('300 steps of 1 ms', 'slide', 'closes to', 'box.tact', 'box.html'):
            self.assertIn(word, run.stdout)
        self.assertIn('</html>', (self.folder / 'box.html').read_text(encoding='utf-8'))
        checked = self.tact('check', 'box.tact')
        self.assertEqual(checked.returncode, 0, checked.stderr)
        audited = self.tact('audit', 'box.tact', '--json')
        self.assertEqual(audited.returncode, 0, audited.stdout + audited.stderr)
        self.assertEqual(json.loads(audited.stdout)['steps'], 300)

    def test_built_in_scenes_are_listed_and_run(self):
        names = json.loads(self.tact('sim', '--list', '--json').stdout)['scenes']
        self.assertGreaterEqual(len(names), 20)
        self.assertIn('newtons_cradle', names)
        out = self.run_json('newtons-cradle', '--law', 'generalized_reflections', '--duration', '0.5')
        speeds = [out['final']['qvel'][6 * i] for i in range(5)]
        for speed, truth in zip(speeds, (0, 0, 0, 0, 1)):
            self.assertAlmostEqual(speed, truth, delta=1e-12)

    def test_an_interrupt_sums_up_what_was_done(self):
        process = subprocess.Popen([TACT, 'sim', 'box.xml', '--duration', '100000', '--json', '--record', 'long.tact'],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, stderr)
        out = json.loads(stdout)
        self.assertEqual(out['status'], 'stopped')
        self.assertGreater(out['steps'], 0)
        self.assertEqual(self.tact('check', 'long.tact').returncode, 0)

    def test_bad_words_are_refused_in_one_sentence(self):
        self.refused(self.tact('sim', 'box.xml', '--dt', '-1'), '--dt')
        self.refused(self.tact('sim', 'box.xml', '--law', 'bounce'), '--law')
        self.refused(self.tact('sim', 'box.xml', '--restitution', '1.5'), '1.5 not in range 0 to 1')
        self.refused(self.tact('sim', 'box.xml', '--keyframe', 'there'), 'there')
        self.refused(self.tact('sim', 'no_such_scene'), 'no_such_scene')
        self.refused(self.tact('sim', 'missing.xml'), 'missing.xml')
        self.refused(self.tact('sim', 'box.xml', '--record', 'no/such/folder/a.tact'), 'no/such/folder/a.tact')
        self.refused(self.tact('sim'), 'scene')
        self.refused(self.tact('sim', 'box.xml', '--solver', 'magic'), '--solver')

    def test_words_that_cannot_be_meant_have_option_value_and_remedy(self):
        for option, values, remedy in (
                ('--duration', ('-1', '0', 'nan', 'inf', 'abc', ''), 'is positive, in seconds; for example --duration 2'),
                ('--dt', ('-1', '0', 'nan', 'abc'), 'is positive, in seconds; for example --dt 0.001'),
                ('--shake', ('-1', 'nan', 'inf', 'abc'), 'for example --shake 0.1'),
                ('--every', ('0', '-3', '1.5', 'abc', '99999999999999999999'), 'for example --every 10'),
                ('--seed', ('-1', '99999999999999999999999', '1.5', 'abc'), 'for example --seed 7'),
                ('--record', ('', '-'), 'name a file; for example --record run.tact'),
                ('--html', ('', '-'), 'name a file'), ('--checkpoint', ('', '-'), 'name a file'), ('--resume', ('',), 'name a file')):
            for value in values:
                run = self.tact('sim', 'box.xml', option, value)
                self.refused(run, f'{option} {value if value else chr(34) * 2}: ', remedy)
                self.assertLess(len(run.stderr), 150)
        self.assertEqual([p.name for p in self.folder.iterdir()], ['box.xml'])
        self.run_json('box.xml', '--duration', '0.001', '--shake', '0.1', '--seed', '18446744073709551615')

    def test_more_steps_than_can_be_counted_are_refused_before_anything_is_written(self):
        self.write('old.tact', 'old')
        (self.folder / 'long.xml').write_text(BOX.replace('<worldbody>', '<custom><numeric name="tact_duration" data="1e300"/>'
                                                          '</custom><worldbody>'), encoding='utf-8')
        for words in (('box.xml', '--duration', '1e300'), ('box.xml', '--dt', '1e-300'), ('long.xml',)):
            self.refused(self.tact('sim', *words, '--record', 'old.tact'), f'{words[0]}: ', 'steps', '--duration')
            self.refused(self.tact('view', *words, '--record', 'old.tact', '--html', 'old.html'), f'{words[0]}: ', 'steps')
        self.assertEqual((self.folder / 'old.tact').read_text(encoding='utf-8'), 'old')
        for value in ('-1', '0'):
            (self.folder / 'back.xml').write_text(BOX.replace(
                '<worldbody>', f'<custom><numeric name="tact_duration" data="{value}"/></custom><worldbody>'), encoding='utf-8')
            self.refused(self.tact('sim', 'back.xml'), f'back.xml: tact_duration is {value}; write a positive number')
            self.run_json('back.xml', '--duration', '0.01')

    def test_a_checkpoint_is_the_start(self):
        self.run_json('box.xml', '--duration', '0.01', '--checkpoint', 'half.ckpt')
        for words in (('--shake', '1'), ('--keyframe', 'init')):
            self.refused(self.tact('sim', 'box.xml', '--resume', 'half.ckpt', *words), '--resume half.ckpt: ', f'leave {words[0]} out')

    def test_a_scene_from_standard_input(self):
        there = self.run_json('box.xml', '--duration', '0.01')
        run = self.tact('sim', '-', '--duration', '0.01', '--json', stdin=BOX)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)['hash'], there['hash'])
        self.refused(self.tact('sim', '-', stdin='<mujoco/>'), 'standard input:1: ')
        urdf = ('<?xml version="1.0"?>\n<!-- <mujoco> --><robot name="r"><link name="a"/><joint name="j" type="prismatic">'
                '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1"/></joint>'
                '<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
                '</link></robot>')
        run = self.tact('sim', '-', '--duration', '0.01', '--json', stdin=urdf)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)['scene'], 'r')

    def test_readings_of_sensors(self):
        sensed = BOX.replace('mass="1"', 'name="cube" mass="1"').replace('<keyframe>', """<sensor>
          <framepos name="place" objtype="body" objname="box"/><framelinvel objtype="body" objname="box"/><clock name="clock"/>
          </sensor><keyframe>""")
        self.write('sensed.xml', sensed)
        out = self.run_json('sensed.xml', '--duration', '0.1')
        self.assertEqual(set(out['sensors']), {'place', '1', 'clock'})
        for got, truth in zip(out['sensors']['place'], out['final']['qpos']):
            self.assertAlmostEqual(got, truth, delta=1e-12)
        self.assertAlmostEqual(out['sensors']['1'][0], 1 - 0.3 * 9.81 * 0.1, delta=1e-6)
        self.assertAlmostEqual(out['sensors']['clock'][0], 0.1, delta=1e-12)
        self.assertEqual(self.run_json('box.xml', '--duration', '0.01')['sensors'], {})

    def test_outputs_do_not_overwrite_each_other(self):
        for words in (('--record', 'x', '--html', 'x'), ('--record', 'x', '--checkpoint', './x')):
            self.refused(self.tact('sim', 'box.xml', *words), 'is named for two outputs')
        self.refused(self.tact('sim', 'box.xml', '--html', './box.xml'), 'is an input')
        self.assertEqual([p.name for p in self.folder.iterdir()], ['box.xml'])

    def test_a_full_disk_is_said_and_the_run_goes_on(self):
        run = self.tact('sim', 'box.xml', '--duration', '0.1', '--record', '/dev/full')
        self.assertEqual(run.returncode, 2, run.stdout)


if __name__ == '__main__':
    unittest.main()
