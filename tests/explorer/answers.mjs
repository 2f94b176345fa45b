// Answers of the explorer's engine under Node; the first argument is the folder of its modules.
//
// Each line of standard input is JSON: `questions`, and `page_data` if it is new.
// Each line of standard output has the answers.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const names = ["model.js", "api.js", "cards.js", "round.js", "fraction.js", "game.js"];
const [{ readBooks }, { functions }, { parsedCards }, { roundOf, settlement }, { parsedFraction }, game] =
  await Promise.all(names.map((name) => import(new URL(name, folder))));

let books = null;
let api = null;

const amounts = (texts) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, parsedFraction(text)]));

function lineRecord({ stays, stake, net, odds, ...line }) {
  const result = stays ? "stays" : net.sign > 0 ? "won" : net.sign < 0 ? "lost" : "returned";
  return { ...line, stake: `${stake}`, net: `${net}`, odds: odds || null, result };
}

const ANSWERS = {
  odds: (one) => api.odds(one.game, one.cards),
  insurance: (one) => api.insurance(one.game, one.cards),
  round: (one) => api.round(one.game, one.cards, one.player, one.banker),
  settle: (one) => {
    const { layout = "", isVoid = false } = one;
    const of = books.entries.get(one.game).game;
    const now = roundOf(of, parsedCards(one.player), parsedCards(one.banker));
    const options = { maxima: amounts(one.maxima ?? {}), layout, isVoid };
    const settled = settlement(of, now, amounts(one.stakes), amounts(one.insured), options);
    return { lines: settled.lines.map(lineRecord), staked: `${settled.staked}`, net: `${settled.net}` };
  },
  // Odds and insurance of the game with other odds.
  changed: (one) => {
    const entry = books.entries.get(one.game);
    const book = game.changedBook(entry.book, one.changes);
    const changed = { ...entry, game: game.gameFrom(book, books.common) };
    const answering = functions(new Map([[one.game, changed]]));
    return { odds: answering.odds(one.game, one.cards), insurance: answering.insurance(one.game, one.cards) };
  },
};

function answer(question) {
  try {
    return ANSWERS[question.ask](question);
  } catch (error) {
    return { refused: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { page_data: data, questions } = JSON.parse(line);
  if (data) {
    books = readBooks(data);
    api = functions(books.entries);
  }
  process.stdout.write(`${JSON.stringify(questions.map(answer))}\n`);
}
