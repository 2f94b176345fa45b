"""Every command on small questions, each in several ways: for whatever must hold of all of them."""

import shlex
from pathlib import Path

from tests.conftest import SMALL_BOOK, VOCABULARY
from tests.documents import COMMISSION_2013, NONCOMMISSION_2025

ROOT = SMALL_BOOK.parent.parent.parent
PLACES = {
    "small": SMALL_BOOK,
    "vocabulary": VOCABULARY,
    "mistakes": SMALL_BOOK.with_name("many-mistakes.toml"),
    "insured": COMMISSION_2013,
    "tiger": NONCOMMISSION_2025,
    "plus": "tiger-buffalo-noncommission-plus-2024",
    "docs": ROOT / "docs",
}

SHOWN = """
games
rules {insured}
rules {tiger} --layout P
rules {small}
check {mistakes}
check {docs}/gallery/ez-baccarat.toml
check {vocabulary} --bet sum --bet naturals
odds {insured}
odds {tiger} --layout P
odds {small} --decks 1 --detail --joint --interpretations --stake six=3
odds {small} --cards "A=2 2=2" --joint --stake six=1
odds {small} --decks 1,2 --reading pair-by-rank
odds {insured} --decks 4-10 --pays "tie=9 to 1"
odds {vocabulary} --decks 1 --bet kings --bet thirds
compare {small} {insured} --decks 2
diff {small} {insured}
diff {small} {small}
insurance {insured} --favourable
insurance {plus} --favourable
insurance {small} --decks 1 --by-card --range --grid
insurance {small} --cards "A=2 2=2" --range
insurance {small} --decks 1,2
round {insured} --player "5 K" --banker "K 6"
round {small} --decks 1 --player "5 K" --banker "K 6" --next "7 2 A"
round {small} --player "5 K" --banker "K 6" --cards "5=1 6=1 K=2"
settle {tiger} --player "K 6" --banker "2 3 9"
settle {insured} --player "K 6" --banker "2 3 9" --stake player=100 --insure player@four-cards=30
ruling {tiger} --incident simultaneous-cards --cards "5 K K 6 7 3" --layout P --stake player=100
ruling {tiger} --incident technical-interruption --cards "5 K K 6"
ruling {plus} --incident insurance-not-offered --cards "5 K K 6 7" --stake player=100
table {plus} {docs}/table.toml --interpretations
table {tiger} {docs}/open-table.toml
exposure {small} --decks 1 --stake six=100 --stake punto=10 --detail
exposure {small} --cards "A=2 2=2" --stake six=1
exposure {tiger} --layout P --limit tie=50 --maximum 100 --max-differential 1000
exposure {vocabulary} --decks 1 --stake kings=1
formula {small} six
formula {insured} banker:four-cards:6-5 --decks 4,8
solve {small} any-pair --edge 5% --decks 1
solve {small} six --hit 4% --decks 1
removal {small} --decks 1
removal {small} --cards "A=3 K=3 6=4" --pairs --bet six
removal {small} --decks 1 --insurance
count {small} six --tags best --left 10,20 --decks 1
count {small} six --tags "6=-1 K=1" --left 10 --decks 1 --index 1 --detail
perfect {small} --decks 1 --left 7 --bet six --cut-card 14
perfect {small} --decks 1 --left 7,8 --ceilings
power {small} --fault "one card missing 6" --decks 1 --rounds 1000
crosscheck counts.json --game {small}
crosscheck faulty.csv --game {small}
crosscheck {docs}/maps/card-columns.csv --map {docs}/maps/card-columns.toml --game {insured}
review staked.csv
verify {small_report} --figures-only
schema
doctor
"""
"""Commands that print a table, in a format that can be chosen; they run where ``prepared`` was."""

WRITING = """
new fresh.toml --bet "Lucky Eight"
keygen house --out keys
simulate {small} --decks 1 --rounds 500 --out counts.json
simulate {small} --decks 1 --rounds 2000 --fault "wrong-cell 6/6" --out faulty.csv
convert {docs}/maps/card-columns.csv --map {docs}/maps/card-columns.toml --game {insured} --out converted.csv
evaluate {small} --shoes shoes.csv --out values.csv --insurance
prove {small} --decks 1 --out game.v
explore {small} --out explorer.html
protect {small} --decks 1 --cut-card 20 --burn none --bet six --shoes 40 --seed 7 --workers 1 --out study
"""
"""Commands that write files, and say so."""


def words(line: str, **places: object) -> list[str]:
    """The words of a command of the lists."""
    return [word.format(**{**PLACES, **places}) for word in shlex.split(line)]


def lines(commands: str) -> list[str]:
    """The commands of a list."""
    return commands.strip().splitlines()


def write_inputs(folder: Path) -> None:
    """Write the files that the commands read and none of them writes."""
    (folder / "shoes.csv").write_text(
        "A,2,3,4,5,6,7,8,9,10,J,Q,K\n" + "4," * 12 + "4\n" + "2," * 12 + "2\n", "utf-8"
    )
