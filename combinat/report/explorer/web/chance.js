// Random cards: from the browser's source, or from a seed, so that a link deals the same shoe again.

import { RANKS, size } from "./cards.js";

// Whole numbers below a bound, from 32-bit words without the largest, which would favour small numbers.
const numbersFrom = (word) => (below) => {
  const most = Math.floor(2 ** 32 / below) * below;
  let drawn = word();
  while (drawn >= most) drawn = word();
  return drawn % below;
};

const fromBrowser = numbersFrom(() => crypto.getRandomValues(new Uint32Array(1))[0]);

// From a seed: its words are mixed by multiplication and shifts.
function fromSeed(seed) {
  let state = seed >>> 0;
  return numbersFrom(() => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  });
}

function drawnFrom(counts, random) {
  let place = random(size(counts));
  let rank = 0;
  for (; place >= counts[rank]; rank += 1) place -= counts[rank];
  return rank;
}

export const randomCard = (counts) => drawnFrom(counts, fromBrowser);

export const newSeed = () => fromBrowser(1_000_000);

// The shoe after `cards` cards are removed at random.
export function afterRandom(counts, cards) {
  const left = [...counts];
  for (let gone = 0; gone < cards; gone += 1) left[drawnFrom(left, fromBrowser)] -= 1;
  return left;
}

// All the cards of a shoe, shuffled by a seed.
export function shuffled(counts, seed) {
  const random = fromSeed(seed);
  const cards = RANKS.flatMap((_, rank) => new Array(counts[rank]).fill(rank));
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = random(last + 1);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}
