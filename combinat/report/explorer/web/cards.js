// The thirteen ranks, the shoe as a count of each, and how both are written.

import { refuse } from "./texts.js";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const POINTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0];
export const COPIES = 4;
export const MOST_OF_A_RANK = 3_999_996; // 999,999 decks, the limit of the program

export const freshShoe = (decks) => RANKS.map(() => COPIES * decks);

export const size = (counts) => counts.reduce((all, count) => all + count, 0);

export const pointsOf = (cards) => cards.map((rank) => POINTS[rank]);

export const pointTotal = (points) => points.reduce((all, one) => all + one, 0) % 10;

export function byPoints(counts) {
  const cards = new Array(10).fill(0);
  for (const [rank, count] of counts.entries()) cards[POINTS[rank]] += count;
  return cards;
}

// The number of whole decks that a shoe consists of; 0 if it is no whole number.
export function wholeDecks(counts) {
  const decks = counts[0] / COPIES;
  return Number.isInteger(decks) && counts.every((count) => count === counts[0]) ? decks : 0;
}

export const shortened = (word) => (word.length > 20 ? `${word.slice(0, 17)}...` : word);

const words = (text) => text.replaceAll(",", " ").split(/\s+/).filter(Boolean);

export function parsedRank(word) {
  const rank = RANKS.indexOf(word.toUpperCase());
  if (rank < 0) refuse("no_card", { word: shortened(word), ranks: RANKS.join(" ") });
  return rank;
}

// "9 4, k" as ranks by number.
export const parsedCards = (text) => words(text).map(parsedRank);

export const formattedCards = (cards) => cards.map((rank) => RANKS[rank]).join(" ");

function checkedCounts(counts) {
  counts.forEach((count, rank) => {
    if (!Number.isInteger(count) || count < 0 || count > MOST_OF_A_RANK) {
      refuse("no_count", { rank: RANKS[rank], count: shortened(String(count)), most: MOST_OF_A_RANK });
    }
  });
  return counts;
}

// A shoe from "A=31 2=32", {A: 31}, or thirteen counts; ranks not named have no cards.
export function parsedShoe(given) {
  if (Array.isArray(given)) {
    if (given.length !== RANKS.length) refuse("no_counts", { n: given.length, all: RANKS.length });
    return checkedCounts([...given]);
  }
  const pairs = typeof given === "string" ? words(given).map(parsedCount) : Object.entries(given ?? {});
  const counts = new Array(RANKS.length).fill(0);
  const named = new Set();
  for (const [name, count] of pairs) {
    const rank = parsedRank(name);
    if (named.has(rank)) refuse("given_twice", { rank: RANKS[rank] });
    named.add(rank);
    counts[rank] = count;
  }
  if (!named.size) refuse("nothing_given");
  return checkedCounts(counts);
}

function parsedCount(word) {
  const parts = /^([^=]+)=(\d{1,9})$/.exec(word);
  if (!parts) refuse("no_pair", { word: shortened(word) });
  return [parts[1], Number(parts[2])];
}

export function minus(counts, cards) {
  const left = [...counts];
  for (const rank of cards) {
    if (!left[rank]) refuse("none_left", { rank: RANKS[rank] });
    left[rank] -= 1;
  }
  return left;
}

export function plus(counts, cards) {
  const more = [...counts];
  for (const rank of cards) more[rank] += 1;
  return more;
}
