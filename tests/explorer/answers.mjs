// Answers of the explorer's engine, outside a browser: questions as JSON on standard input, answers on standard output.
//
// The modules are those of the source tree, as they stand; their folder is the first argument.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const module = (name) => import(new URL(name, folder));

const [{ readBooks }, { functions }, cards, { distribution }, round, { parsedFraction }, game, { toml }, { exportedBook }, { refusedReadings }, { isShownHere }] = await Promise.all(
  ["books.js", "api.js", "cards.js", "walk.js", "round.js", "fraction.js", "game.js", "toml.js", "exported.js", "holding.js", "readings.js"].map(module),
);

const { carried, questions } = JSON.parse(readFileSync(0, "utf-8"));
const books = readBooks(carried);
const api = functions(books.games, books.referenceDecks);
// The game under other readings, made once.
const read = new Map();
function readGame(id, readings = []) {
  const key = [id, ...readings].join(" ");
  const made = () => game.madeGame(game.changedBook(books.entries.get(id).book, { ...game.NO_CHANGES, readings }, books.common), books.common);
  if (!read.has(key)) read.set(key, readings.length ? made() : books.games.get(id));
  return read.get(key);
}
const amounts = (given) => Object.fromEntries(Object.entries(given).map(([key, text]) => [key, parsedFraction(text)]));

const ANSWERS = {
  odds: (asked) => {
    const { readings = [] } = asked;
    const one = readings.length ? functions(new Map([[asked.game, readGame(asked.game, readings)]]), books.referenceDecks) : api;
    return one.odds(asked.game, asked.cards);
  },
  insurance: (asked) => api.insurance(asked.game, asked.cards),
  round: (asked) => {
    const { readings = [] } = asked;
    const one = readings.length ? functions(new Map([[asked.game, readGame(asked.game, readings)]]), books.referenceDecks) : api;
    return one.round(asked.game, asked.cards, asked.player, asked.banker);
  },
  // Why readings cannot be followed together, if they cannot.
  readings: (asked) => refusedReadings(books.entries.get(asked.game).book, asked.readings, books.common),
  // The entries of the register that have a switch.
  switches: (asked) => books.entries.get(asked.game).book.interpretations.filter(isShownHere).map((entry) => entry.id),
  // Every course by limbs and by BigInt alone: equal, or what differs.
  both_ways: (asked) => {
    const counts = cards.parsedShoe(asked.cards);
    const [player, banker] = [cards.parsedCards(asked.player ?? ""), cards.parsedCards(asked.banker ?? "")];
    const listed = (small) => {
      const all = distribution(counts, books.games.get(asked.game).table, player, banker, { small });
      return JSON.stringify([all.byPoints.map(([course, ways]) => [course.number, `${ways}`]), [...all.matches].map(String)]);
    };
    return listed(9000) === listed(-1);
  },
  settle: (asked) => {
    const one = readGame(asked.game, asked.readings);
    const now = round.roundOf(one, cards.parsedCards(asked.player), cards.parsedCards(asked.banker));
    const { layout = "", isVoid = false } = asked;
    const settled = round.settlement(one, now, amounts(asked.stakes), amounts(asked.insured), { maxima: amounts(asked.maxima ?? {}), layout, isVoid });
    const result = ({ stays, net }) => (stays ? "stays" : net.sign > 0 ? "won" : net.sign < 0 ? "lost" : "returned");
    const text = ({ stays, ...line }) => ({ ...line, stake: `${line.stake}`, net: `${line.net}`, odds: line.odds || null, result: result({ stays, ...line }) });
    return { lines: settled.lines.map(text), staked: `${settled.staked}`, net: `${settled.net}` };
  },
  changed: (asked) => {
    const entry = books.entries.get(asked.game);
    const exported = exportedBook(entry.book, asked.changes, books.common);
    const made = game.madeGame(game.changedBook(entry.book, asked.changes, books.common), books.common);
    const answering = functions(new Map([[made.id, made]]), books.referenceDecks);
    return {
      id: exported.book.id,
      left_out: exported.leftOut,
      toml: toml(exported.book, ["changed"]),
      odds: answering.odds(made.id, asked.cards),
      insurance: answering.insurance(made.id, asked.cards),
    };
  },
};

const answers = questions.map((asked) => {
  try {
    return ANSWERS[asked.ask](asked);
  } catch (error) {
    return { refused: error.message };
  }
});
process.stdout.write(JSON.stringify(answers));
