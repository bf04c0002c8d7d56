"""Contact modes: counted, streamed, stopped."""

import resource
import time
import unittest

import numpy as np
from numpy.testing import assert_array_equal

import tact


class ModesTest(unittest.TestCase):
    def test_counts_of_the_readme(self):
        counts = tact.count_modes("box-2")
        self.assertEqual((counts.cs, counts.full), (46, 228))
        self.assertEqual(counts.cs_by_dim, {1: 1, 2: 6, 3: 14, 4: 16, 5: 8, 6: 1})

    def test_a_stream_visits_every_mode_once_in_order(self):
        stream = tact.modes("box-2", witnesses=True)
        seen = list(stream)
        self.assertEqual(len(seen), 228)
        words = [(m.cs, m.ss) for m in seen]
        self.assertEqual(len(set(words)), 228)
        self.assertEqual(words, sorted(words))
        self.assertEqual(stream.counts.full, 228)
        self.assertEqual(len(stream.hash), 16)
        rows = tact.ModeSystem.scene("box-2").rows
        normals = rows[::3]
        for mode in seen:
            signs = np.sign(normals @ mode.witness)
            self.assertEqual(mode.cs, "".join("+" if s > 0 else "0" for s in signs))

    def test_own_rows(self):
        # Two walls at a right angle in the plane: each stays or opens.
        system = tact.ModeSystem([([1, 0], None), ([0, 1], None)])
        self.assertEqual(sorted(m.cs for m in tact.modes(system)), ["++", "+0", "0+", "00"])
        cone = tact.mode_cone(system, "+0")
        self.assertEqual(cone["dim"], 1)
        assert_array_equal(np.sign(cone["rays"]), [[1, 0]])

    def test_of_a_problem(self):
        touch = tact.Contact([0, 1], [[1, 0]], mu=0.5)
        problem = tact.ContactProblem([touch], mass=np.eye(2))
        self.assertEqual(tact.count_modes(problem).full, 4)  # separates; slides two ways or sticks

    def test_streams_in_bounded_memory_and_stops(self):
        # Far more modes than anybody waits for, and nobody holds them.
        name = "hand-ball" if "hand-ball" in tact.mode_scenes() else "box-4"
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with tact.modes(name) as stream:
            for _, mode in zip(range(5000), stream):
                self.assertTrue(mode.cs)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 200_000, "kB")

    def test_left_alone_it_goes_away(self):
        for _ in range(5):
            stream = tact.modes("box-2")
            next(stream)
            del stream
        stream = tact.modes("box-2")
        next(stream)
        with self.assertRaisesRegex(ValueError, "not all visited"):
            _ = stream.counts
        start = time.monotonic()
        stream.close()
        self.assertLess(time.monotonic() - start, 30)

    def test_big_numbers_are_whole(self):
        counts = tact.count_modes("box-2", kind="contacting")
        self.assertIsInstance(counts.cs, int)
        self.assertEqual(counts.cs, counts.full)


if __name__ == "__main__":
    unittest.main()
