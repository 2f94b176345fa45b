"""The workers of a local cluster, started in a folder of traps, run nothing of it."""

from pathlib import Path

from tests.cli.installed import STUDY, run_in, traces, trapped


def test_a_cluster_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    delivery = trapped(tmp_path / "delivery")
    assert (run_in(delivery, [*STUDY, "--workers", "local"]).code, traces(delivery)) == (0, [])
