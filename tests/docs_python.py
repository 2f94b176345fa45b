"""The code of docs/python.md, for mypy; held equal to the page by a test."""

from combinat import Shoe, analyze, games, load_game, parse_game

[game.id for game in games()][:2]
analysis = analyze("commission-insurance-2013", 8)
analysis
analysis["player-pair"].expected_value
[bet.id for bet in analysis]
analysis["tie"]["loses"].ways
analysis.insurance[0]
bet = analysis["player-pair"]
bet.variance, bet.standard_deviation
bet.skewness_signed_square, bet.skewness
analyze("commission-insurance-2013", 6, pays={"tie": "9 to 1"})["tie"]
tiger = load_game("tiger-buffalo-noncommission-2025")
read = analyze(tiger, readings=["wu-dalang-must-win"])["wu-dalang"]
analyze(tiger)["wu-dalang"].hit_frequency < read.hit_frequency
shoe = Shoe.of_decks(8).minus("A A 10 K")
len(shoe), Shoe.parse("A=31 2=32 K=32").size, Shoe.of({"A": 31, "K": 2}).size, Shoe.of([32] * 13).decks
analyze(tiger, shoe)["tie"].house_edge == -analyze(tiger, shoe)["tie"].expected_value
rows = analysis.to_dicts()
rows[3]["id"], rows[3]["house_edge"]
frame = analysis.to_polars()
frame["house_edge"][3], frame["house_edge_float"][3] == 43 / 415
import numpy as np
from combinat import evaluate

evaluation = evaluate("commission-insurance-2013", np.array([[32] * 13, [24] * 13]))
evaluation
evaluation["player-pair"]
floats = evaluation.expected_values()
str(floats.dtype), floats.shape
from combinat import formula, removals

[removal.most[0].value for removal in removals("commission-insurance-2013")][:3]
value, *lines = formula("commission-insurance-2013", "player-pair")
value.at(8), value.limit
from combinat import coverage, solve

solution = solve("commission-insurance-2013", "player-pair", edge="5%")
solution
solution.payable[0].odds, solution.payable[0].bet.house_edge
rest = coverage("commission-insurance-2013", bets=["tie"])["tie"].rest
rest.when, str(rest.deal)
from combinat import CombinatError, Round, round_in_progress, ruling, settle

settlement = settle("commission-insurance-2013", Round.parse("9 4 K", "7 7"), {"banker": 100, "tie": "2.50"})
settlement
settlement["banker"].net, settlement["banker"].clause
try:
    _ = settle("commission-insurance-2013", Round.parse("9 K 3", "7 7"), {"banker": 100})
except CombinatError as error:
    print(error)
now = round_in_progress("commission-insurance-2013", Round.parse("2 4", "K 5"))
now["banker"].expected_value, len(now.insurance)
ruling("commission-insurance-2013", "foreign-card", "9 4 K")
import tempfile
from combinat import CertificateError, crosscheck, simulate, verify

with tempfile.TemporaryDirectory() as folder:
    counts = simulate("commission-insurance-2013", f"{folder}/counts.json", rounds=100_000, seed=1)
    verdict = crosscheck(counts)
    try:
        reports = verify(folder)
    except CertificateError as error:
        print(str(error).partition("; ")[2])
verdict
