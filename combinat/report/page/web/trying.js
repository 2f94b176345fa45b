// Other odds for a bet, typed over those of its table: the edge follows, exactly, from the ways that the page holds.

import { button, h } from "./dom.js";
import { figures } from "./bet_figures.js";
import { Fraction, ONE, percent, signedRoot, sum } from "./fraction.js";
import { tell } from "./messages.js";
import { netOf, typedOdds } from "./odds.js";
import { decksText, t } from "./texts.js";

// The outcomes of a bet on a shoe of so many decks, with the odds that are tried for its lines.
export function outcomesOf(bet, tried, decks) {
  return bet.outcomes.map(({ net, is_void: isVoid }, line) => ({
    net: tried.has(line) ? netOf(tried.get(line)) : new Fraction(BigInt(net[0]), BigInt(net[1])),
    ways: BigInt(bet.ways[decks][line]),
    isVoid,
  }));
}

export function figuresOf(bet, tried, decks) {
  const outcomes = outcomesOf(bet, tried, decks);
  return figures(outcomes, outcomes.reduce((all, one) => all + one.ways, 0n));
}

// Digits before a point in threes, as the document has them; those of a fraction above and below its line.
const inThrees = (text) => text.replace(/(?<![\d.])\d+/g, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));

// What is said of the odds tried, in the order of the lines.
export function triedText(bet, tried, decks) {
  const now = figuresOf(bet, tried, decks);
  const lines = [...tried].sort(([one], [other]) => one - other).map(([line, odds]) => (bet.outcomes.filter((one) => one.is_paid).length > 1 ? t("tried_line", { odds, line: bet.outcomes[line].name }) : odds));
  const said = t("tried_edge", {
    bet: bet.name,
    odds: lines.join(", "),
    decks: decksText(decks),
    edge: percent(now.houseEdge, 6),
    exact: inThrees(`${now.houseEdge}`),
    back: percent(now.returnToPlayer, 6),
    deviation: signedRoot(now.variance, 4),
  });
  const before = t("document_edge", { edge: percent(figuresOf(bet, new Map(), decks).houseEdge, 6) });
  return [said, ...(now.favoursPlayer ? [t("favours_player")] : []), before].join(" ");
}

function oddsField(bet, line, set) {
  const { name, odds } = bet.outcomes[line];
  const input = h("input", { type: "text", class: "odds", value: odds, autocomplete: "off", maxlength: "40", "aria-label": t("odds_of", { bet: bet.name, line: name }) });
  input.addEventListener("change", () => {
    try {
      const typed = input.value.trim() === "" ? odds : typedOdds(input.value);
      tell("");
      input.value = typed;
      set(line, typed === odds ? null : typed);
    } catch (error) {
      tell(`${t("odds_of", { bet: bet.name, line: name })}: ${error.message}`);
      input.value = odds;
      set(line, null);
    }
  });
  return [input, () => (input.value = odds)];
}

// The shares of the return of a bet's lines, and the return, as its table shows them.
function showShares(bet, sheet, tried, decks) {
  if (bet.share_column === null) return;
  const outcomes = outcomesOf(bet, tried, decks);
  const all = outcomes.reduce((ways, one) => ways + one.ways, 0n);
  const show = (row, share) => (sheet.rows[row].cells[bet.share_column].textContent = inThrees(percent(share, bet.share_places)));
  const shares = outcomes.map(({ net, ways }) => net.plus(ONE).times(new Fraction(ways, all)));
  bet.outcomes.forEach(({ row }, line) => show(row, shares[line]));
  bet.total_rows.forEach((row) => show(row, sum(shares)));
}

// The fields of one bet, in the rows of its table; the value is what draws its line again.
export function tryingOf(bet, sheet, decksNow) {
  const tried = new Map();
  const said = h("span", { role: "status" });
  const paid = bet.outcomes.flatMap(({ row, is_paid: isPaid }, line) => (isPaid && row !== null ? [[line, sheet.rows[row]]] : []));
  const back = button(t("document_odds"), () => {
    tried.clear();
    resets.forEach((reset) => reset());
    draw();
  }, { class: "small" });
  const place = h("p", { class: "tried", hidden: true }, h("strong", null, `${t("tried")}. `), said, " ", back);
  const draw = () => {
    if (tried.size || !place.hidden) showShares(bet, sheet, tried, decksNow());
    place.hidden = !tried.size;
    said.textContent = tried.size ? triedText(bet, tried, decksNow()) : "";
    for (const [line, row] of paid) row.classList.toggle("changed", tried.has(line));
    sheet.region.classList.toggle("trying", tried.size > 0);
  };
  const resets = paid.map(([line, row]) => {
    const [input, reset] = oddsField(bet, line, (at, odds) => {
      if (odds === null) tried.delete(at);
      else tried.set(at, odds);
      draw();
    });
    row.cells[bet.odds_column].replaceChildren(input);
    return reset;
  });
  sheet.region.after(place);
  return draw;
}
