// The answers to programs: the records of `combinat --format json`, with exact numbers as strings.

import { RANKS, freshShoe, parsedCards, parsedShoe, size } from "./cards.js";
import { Fraction, signedRoot } from "./fraction.js";
import { largestPayout, stayingBets, thirdCentralMoment, valuedBet } from "./bets.js";
import { insuranceAnalysis } from "./insurance.js";
import { roundInProgress, roundOf } from "./round.js";
import { refuse } from "./texts.js";
import { countsFor } from "./walk.js";

const text = (value) => (value === null ? null : `${value}`);

const camelCase = (key) => key.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

// Exact figures by their keys, which are named as in JSON.
const exactOf = (one, keys) =>
  Object.fromEntries(keys.split(" ").map((key) => [key, text(one[camelCase(key)])]));

const PLACES = 12; // the decimals of a root

const shoeRecord = (counts) => ({
  size: size(counts),
  cards: Object.fromEntries(RANKS.map((rank, number) => [rank, counts[number]])),
});

const rootText = (square) => (square === null ? null : signedRoot(square, PLACES));

// The skewness and what it follows from; null if the bet never varies.
function skewed(bet) {
  const third = thirdCentralMoment(bet);
  const cube = bet.variance.times(bet.variance).times(bet.variance);
  const square = cube.sign ? third.times(third.size).over(cube) : null;
  return { third_central_moment: text(third), skewness: rootText(square) };
}

const betRecord = (bet) => ({
  id: bet.id,
  name: bet.name,
  outcomes: bet.outcomes.map((one) => ({
    name: one.name,
    odds: one.odds || null,
    ...exactOf(one, "net ways probability"),
    contribution: text(one.net.times(one.probability)),
  })),
  ...exactOf(bet, "expected_value house_edge return_to_player variance hit_frequency push void fair_odds"),
  ...exactOf(bet, "edge_per_resolved_bet"),
  standard_deviation: rootText(bet.variance),
  ...skewed(bet),
  largest_payout: text(largestPayout(bet)),
});

const stateRecord = (state) => ({
  side: state.side,
  stage: state.stage,
  player_points: state.player,
  banker_points: state.banker,
  odds: text(state.net),
  pays_on_tie: [...state.offer.tiePays],
  ...exactOf(state, "ways probability wins pushes loses expected_value house_edge variance fair_odds"),
  favours_player: state.favoursPlayer,
});

function oddsRecord(game, counts) {
  const all = countsFor(game, counts);
  const staying = stayingBets(game);
  return {
    schema: "combinat/odds/1",
    game: game.id,
    shoe: shoeRecord(counts),
    sample_space: text(all.sampleSpace),
    void: text(new Fraction(all.void, all.sampleSpace)),
    bets: Object.fromEntries(game.bets.map((bet) => [bet.id, betRecord(valuedBet(game, bet, all))])),
    ...(staying.length ? { until_decided: staying.map((bet) => bet.id) } : {}),
  };
}

function insuranceRecord(game, counts) {
  const all = countsFor(game, counts);
  return {
    schema: "combinat/insurance/1",
    game: game.id,
    shoe: shoeRecord(counts),
    sample_space: text(all.sampleSpace),
    states: insuranceAnalysis(game, all).map(stateRecord),
  };
}

const STANDS = { 1: "won", 0: "returned", "-1": "lost" };

const stands = (bet) => (bet.isDecided ? STANDS[bet.expectedValue.sign] : "open");

function roundRecord(game, counts, player, banker) {
  const now = roundOf(game, player, banker);
  const known = roundInProgress(game, counts, now);
  const { sampleSpace } = known.counts;
  const staying = stayingBets(game);
  const chance = (ways) => text(new Fraction(ways, sampleSpace));
  return {
    schema: "combinat/round/1",
    game: game.id,
    player: player.map((rank) => RANKS[rank]),
    banker: banker.map((rank) => RANKS[rank]),
    next: now.next,
    coming: [], // the page knows no card in advance
    beyond: [],
    shoe: shoeRecord(known.left),
    sample_space: text(sampleSpace),
    results: {
      "player wins": chance(known.winners.player),
      "banker wins": chance(known.winners.banker),
      tie: chance(known.winners.tie),
      ...(known.counts.void ? { void: chance(known.counts.void) } : {}),
    },
    bets: known.bets.map((bet) => ({
      id: bet.id,
      stands: stands(bet),
      ...exactOf(bet, "hit_frequency returned expected_value"),
    })),
    insurance: known.insurance.map(stateRecord),
    ...(staying.length ? { of_one_round: staying.map((bet) => bet.id) } : {}),
  };
}

const givenCards = (given) =>
  Array.isArray(given) ? given.flatMap((word) => parsedCards(String(word))) : parsedCards(given ?? "");

// The functions under `window.combinat`. A shoe is "A=31 2=32", {A: 31, ...}, or thirteen counts.
export function functions(entries) {
  const entry = (id) => {
    if (!entries.has(id)) refuse("no_game", { id, games: [...entries.keys()].join(", ") });
    return entries.get(id);
  };
  const game = (id) => entry(id).game;
  const shoe = (id, cards) =>
    cards === undefined ? freshShoe(entry(id).reference_decks) : parsedShoe(cards);
  return {
    games: () => [...entries.keys()],
    odds: (id, cards) => oddsRecord(game(id), shoe(id, cards)),
    insurance: (id, cards) => insuranceRecord(game(id), shoe(id, cards)),
    // Hands are "5 K" or ["5", "K"]; the shoe includes their cards.
    round: (id, cards, player, banker) =>
      roundRecord(game(id), shoe(id, cards), givenCards(player), givenCards(banker)),
  };
}
