"""Recordings as arrays, growing files, and pages."""

import base64
import pathlib
import re
import tempfile
import unittest

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import tact
import tact.viewer


class RecordingTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "run.tact"

    def tearDown(self):
        self.folder.cleanup()

    def test_arrays(self):
        run = tact.simulate(tact.Model.built_in("tipping-box"), 0.3, record=self.path, every=10)
        rec = tact.Recording(self.path)
        self.assertTrue(rec.finished)
        self.assertEqual(rec.status, "finished")
        assert_array_equal(rec.times, run.times)
        assert_array_equal(rec.qpos, run.qpos)
        assert_array_equal(rec.qvel, run.qvel)
        for account, joules in run.ledger.items():
            self.assertEqual(rec.ledger[account][-1], joules, account)
        self.assertEqual(len(rec.contact_offsets), len(rec) + 1)
        assert_array_equal(rec.contacts_at(-1), rec.contacts[rec.contact_offsets[-2]:])
        assert_allclose(rec.body_poses[-1, 1, :3, 3], rec.qpos[-1, :3], atol=1e-5)
        self.assertEqual(rec.header["format"], "tact-recording/1")
        with self.assertRaises(IndexError):
            rec.contacts_at(len(rec))

    def test_a_file_that_grows(self):
        seen = []

        def look(sim):
            if sim.steps == 20:
                seen.append(tact.Recording(self.path))
                self.assertFalse(seen[0].finished)
                self.assertEqual(seen[0].status, "open")
                self.assertEqual(len(seen[0]), 21)

        tact.simulate(tact.Model.built_in("tipping-box"), 0.1, record=self.path, every=1, callback=look)
        came = seen[0].refresh()
        self.assertGreater(came, 0)
        self.assertTrue(seen[0].finished)
        assert_array_equal(seen[0].qpos, tact.Recording(self.path).qpos)
        self.assertEqual(seen[0].refresh(), 0)

    def test_a_cut_file_is_read_as_far_as_it_goes(self):
        tact.simulate(tact.Model.built_in("tipping-box"), 0.1, record=self.path)
        whole = len(tact.Recording(self.path))
        bytes_ = self.path.read_bytes()
        self.path.write_bytes(bytes_[: len(bytes_) // 2])
        self.assertLess(0, len(tact.Recording(self.path)))
        self.assertLess(len(tact.Recording(self.path)), whole)

    def test_refusals(self):
        with self.assertRaisesRegex(FileNotFoundError, "no such file"):
            tact.Recording("nowhere.tact")
        self.path.write_text("no recording")
        with self.assertRaises(ValueError):
            tact.Recording(self.path)
        with self.assertRaises(OSError):
            tact.simulate(tact.Model.built_in("tipping-box"), 0.1, record="/nowhere/run.tact")


class ViewTest(unittest.TestCase):
    """With a stand-in for the page, so that it can be tested without building the viewer."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.page = pathlib.Path(self.folder.name) / "page.html"
        self.page.write_text(f"<!doctype html><title>v</title><body>{tact.viewer.MARKER}<script>1</script></body>")

    def tearDown(self):
        self.folder.cleanup()

    def stream(self, page):
        found = re.search(r'<script type="text/plain" id="tact-recording">([^<]*)</script>', page.html)
        return base64.b64decode(found[1])

    def test_the_stream_is_the_recording(self):
        path = pathlib.Path(self.folder.name) / "run.tact"
        out = pathlib.Path(self.folder.name) / "run.html"
        tact.simulate(tact.Model.built_in("tipping-box"), 0.05, record=path)
        for what in (path, tact.Recording(path)):
            page = tact.view(what, html=out, page=self.page)
            self.assertEqual(self.stream(page), path.read_bytes())
            self.assertEqual(out.read_text(encoding="utf-8"), page.html)
        self.assertIn("srcdoc=", page._repr_html_())
        self.assertNotIn('<script type="text', page._repr_html_())  # escaped inside srcdoc

    def test_models_and_simulations(self):
        model = tact.Model.built_in("box-tower")
        self.assertTrue(self.stream(tact.view(model, page=self.page)).startswith(b"TACTREC1"))
        sim = tact.Simulation(model)
        sim.step(5)
        data = pathlib.Path(self.folder.name) / "still.tact"
        data.write_bytes(self.stream(tact.view(sim, page=self.page)))
        assert_array_equal(tact.Recording(data).qpos[0], sim.state.qpos)

    def test_a_page_without_the_marker_is_refused(self):
        self.page.write_text("<body></body>")
        with self.assertRaisesRegex(ValueError, "exactly once"):
            tact.view(tact.Model.built_in("box-tower"), page=self.page)

    @unittest.skipUnless(tact.viewer.PAGE.exists(), "the viewer page is not part of this build")
    def test_the_page_that_comes_with_tact(self):
        page = tact.view(tact.Model.built_in("box-tower"))
        self.assertTrue(self.stream(page).startswith(b"TACTREC1"))


if __name__ == "__main__":
    unittest.main()
