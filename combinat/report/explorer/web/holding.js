// Whether a game holds together. Each entry of a register was looked at alone when the rule book was loaded;
// here it is asked of several that are followed at once.

import { coursesFrom, resultsFrom } from "./bets.js";
import { FOUR_CARDS, changedBook, madeGame } from "./game.js";
import { contradiction } from "./readings.js";
import { insuranceName } from "./round.js";
import { PLAYER, nextHand } from "./table_of_play.js";
import { t } from "./texts.js";
import { MATCHES, toldMatches } from "./walk.js";

const TOTALS = Array.from({ length: 10 }, (_, total) => total);

const every = (table) => new Set(TOTALS.flatMap((player) => TOTALS.flatMap((banker) => resultsFrom(table, [player, 0], [banker, 0]))));

// Every result that can follow an insurance state while its offer is open.
function resultsAfter(game, { stage, player: points, banker }) {
  return (stage === FOUR_CARDS ? [null] : TOTALS).flatMap((third) => {
    const two = [(points - (third ?? 0) + 10) % 10, 0];
    if (third !== null && nextHand(game.table, two, [banker, 0]) !== PLAYER) return [];
    const player = third === null ? two : [...two, third];
    const isOpen = game.opens === "whenever-listed" || nextHand(game.table, player, [banker, 0]) !== null;
    return isOpen ? resultsFrom(game.table, player, [banker, 0]) : [];
  });
}

function offerHolds(game, state) {
  const results = resultsAfter(game, state);
  const ties = results.filter((number) => Math.floor(number / 40) === Math.floor(number / 4) % 10).map((number) => Math.floor(number / 40));
  return results.length > 0 && state.offer.tiePays.every((points) => ties.includes(points));
}

function payFault(game) {
  const results = [...every(game.table)];
  const everyCourse = () => TOTALS.flatMap((player) => TOTALS.flatMap((banker) => coursesFrom(game.table, [player, 0], [banker, 0])));
  const byCourse = (one, other) => {
    const courses = everyCourse();
    return toldMatches().some(({ match, totals }) =>
      courses.some((course) => totals[0].includes(course.player) && totals[1].includes(course.banker) && one.covers(course, match) && other.covers(course, match)),
    );
  };
  const both = (one, other) =>
    !(one.isPlain && other.isPlain) ? byCourse(one, other) : results.some((number) => one.results[number] && other.results[number]) && MATCHES.some((match) => one.matches[match] && other.matches[match]);
  for (const bet of game.bets) {
    for (const [number, line] of bet.lines.entries()) {
      if (!both(line, line)) return t("fault_never_pays", { bet: bet.name, line: line.name || bet.name });
      if (bet.lines.slice(0, number).some((earlier) => both(earlier, line))) return t("fault_pays_twice", { bet: bet.name, line: line.name });
    }
  }
  return "";
}

// What is wrong with a game, in words; empty: nothing.
export function fault(game) {
  const homeless = game.bets.find((bet) => !bet.layouts.length);
  if (homeless) return t("fault_no_layout", { bet: homeless.name });
  const state = game.states.find((one) => !offerHolds(game, one));
  if (state) return t("fault_never_offered", { table: insuranceName(state.side, state.stage), totals: t("totals_of", state) });
  const limit = game.limits.find((one) => one.net && !game.states.some((other) => other.offer.net.equals(one.net)));
  if (limit) return t("fault_limit", { clause: limit.clause, odds: limit.odds });
  return payFault(game);
}

// Why these readings cannot be followed together; empty: they can.
export function refusedReadings(book, readings, common) {
  const words = contradiction(book, readings);
  if (words || readings.length < 2) return words;
  const wrong = fault(madeGame(changedBook(book, { readings, odds: {}, insurance: {} }, common), common));
  return wrong && t("readings_no_game", { ids: readings.join(", "), wrong });
}
