// The pay table as one can change it: other odds, odds for a wanted edge, other readings, and the export.

import { button, choice, field, h, tableIn } from "./dom.js";
import { Fraction, HUNDRED, decimal, parsedFraction, percent, signedPercent } from "./fraction.js";
import { netFor, outcomeOf } from "./bets.js";
import { exportedBook } from "./exported.js";
import { refusedReadings } from "./holding.js";
import { insuranceName } from "./round.js";
import { typedOdds, writtenOdds } from "./odds.js";
import { entryOf, isShownHere, touchedBy } from "./readings.js";
import { announce, copyText, tell } from "./messages.js";
import { clauseBelow, column, favourMark, term } from "./parts.js";
import { stayNote } from "./staying.js";
import { favoursText } from "./view_shoe.js";
import { many, t } from "./texts.js";
import { toml } from "./toml.js";

const solving = { line: "", edge: "5", step: "20" };

// The changes with one line's odds set; the approved odds again: no change.
function withOdds(changes, group, key, index, odds, approved) {
  const lines = { ...changes[group][key] };
  if (odds === approved) delete lines[index];
  else lines[index] = odds;
  const others = { ...changes[group] };
  delete others[key];
  return { ...changes, [group]: Object.keys(lines).length ? { ...others, [key]: lines } : others };
}

// A text about a line of a pay table, or about the bet where it has but one.
const named = (one, several, bet, line, values = {}) => t(line.name ? several : one, { bet: bet.name, line: line.name, ...values });

// What is changed, each in words; the odds before any change are those of the reading that is taken.
export function changesInWords(app) {
  const { changes } = app.state;
  const { book, game: approved } = app.model.entry;
  const { game } = app.model;
  const readings = changes.readings.map((id) => t("changed_reading", { question: entryOf(book, id).question }));
  const odds = Object.entries(changes.odds).flatMap(([id, lines]) =>
    Object.entries(lines).map(([index, now]) => named("changed_bet", "changed_line", game.bet(id), game.bet(id).lines[index], { odds: now, approved: approved.bet(id).lines[index]?.odds ?? "–" })),
  );
  const insurance = Object.entries(changes.insurance).flatMap(([key, lines]) =>
    Object.entries(lines).map(([index, now]) => {
      const table = game.insurance.find((one) => one.key === key);
      const before = approved.insurance.find((one) => one.key === key);
      return t("changed_insurance", { what: `${insuranceName(table.side, table.stage)}, ${totalsOf(table.lines[index])}`, odds: now, approved: before.lines[index]?.odds ?? "–" });
    }),
  );
  return [...readings, ...odds, ...insurance];
}

// ---------------------------------------------------------------- odds

function oddsField(app, label, key, now, set) {
  const type = (text) => {
    try {
      const odds = typedOdds(text);
      tell("");
      set(odds);
    } catch (error) {
      tell(`${label}: ${error.message}`);
      app.redraw();
    }
  };
  return field(label, key, now, type, { hidden: true, class: "odds", maxlength: "40" });
}

// How often a line of the pay table pays; a bet that stays on it is not valued on it.
const chanceText = (outcome) => (outcome ? percent(outcome.probability) : "–");

// The odds of a line before they were typed over: those of the reading that is taken.
const readOdds = (app, id, index) => app.readGame().bet(id).lines[index].odds;

function payRows(app, bet, approved) {
  const change = bet.houseEdge.minus(approved.houseEdge);
  const { lines } = bet.bet;
  return lines.map((line, index) => {
    const before = readOdds(app, bet.id, index);
    const set = (odds) => app.update({ changes: withOdds(app.state.changes, "odds", bet.id, index, odds, before) });
    const isChanged = line.odds !== before;
    const label = named("odds_of", "odds_of_line", bet, line);
    const first = index === 0;
    const span = { rowspan: `${lines.length}` };
    return h(
      "tr",
      { class: [isChanged && "changed", first && "first", bet.favoursPlayer && "favours"].filter(Boolean).join(" ") || null, "data-line": `${bet.id} ${index}` },
      first && h("th", { scope: "rowgroup", ...span }, bet.name, bet.favoursPlayer && favourMark(), clauseBelow(bet.bet.settled)),
      h("td", null, line.name || t("only_line")),
      h("td", { class: "n wide" }, chanceText(outcomeOf(bet, index))),
      h("td", { class: "wide" }, before),
      h("td", null, line.net.sign <= 0 ? line.odds : oddsField(app, label, `odds ${bet.id} ${index}`, line.odds, set)),
      first && h("td", { class: "n wide", ...span }, percent(approved.houseEdge)),
      first && h("td", { class: "n strong", ...span }, percent(bet.houseEdge)),
      first && h("td", { class: "n wide", ...span }, change.sign ? signedPercent(change) : t("unchanged")),
      first && h("td", { class: "wide", ...span }, bet.bet.settled),
    );
  });
}

function oddsPanel(app) {
  const { bets, approved } = app.model;
  const head = h("tr", null, column(t("bet")), column(t("line")), column(t("chance"), null, { class: "n wide" }), column(t("approved"), null, { class: "wide" }), column(t("now"), "odds"), column(t("approved_edge"), null, { class: "n wide" }), column(t("edge_now"), "house_edge", { class: "n" }), column(t("difference"), null, { class: "n wide" }), column(t("clause"), null, { class: "wide" }));
  return h("section", { class: "panel" }, h("h2", null, t("pays_title")), h("p", { class: "help" }, t("pays_help")), stayNote(app, "stay_valued"), tableIn(t("pays_caption"), "pays", head, bets.flatMap((bet, number) => payRows(app, bet, approved[number])), { class: "pays" }));
}

// ---------------------------------------------------------------- a wanted edge

const STEPS = { 0: "step_exact", 1: "step_1", 2: "step_2", 20: "step_20" };

function solved(app) {
  const [id, index] = solving.line.split(":");
  const bet = app.model.bets.find((one) => one.id === id);
  const wanted = parsedFraction(solving.edge);
  if (!bet || !wanted) return { words: [t("bad_edge")] };
  const net = netFor(bet, Number(index), wanted.over(HUNDRED).negated);
  if (net === null) return { words: [t("cannot_solve")] };
  if (net.sign <= 0) return { words: [t("not_solved")] };
  const words = [t("solved_exact", { net, about: decimal(net, 4) })];
  const step = BigInt(solving.step);
  const rounded = step ? new Fraction((net.numerator * step) / net.denominator, step) : net;
  const odds = writtenOdds(rounded);
  if (!odds) return { words: [...words, rounded.sign > 0 ? t("too_long") : t("nothing_left")] };
  const line = outcomeOf(bet, Number(index));
  const edge = bet.houseEdge.minus(rounded.minus(line.net).times(line.probability));
  return { words: [...words, t("solved", { odds, edge: percent(edge) })], odds, id, index };
}

function solvePanel(app) {
  const lines = app.model.bets.flatMap((bet) => bet.bet.lines.map((line, index) => [bet, line, index]).filter(([, line]) => line.net.sign > 0));
  const options = lines.map(([bet, line, index]) => [`${bet.id}:${index}`, line.name ? `${bet.name}: ${line.name}` : bet.name]);
  if (!options.some(([value]) => value === solving.line)) [[solving.line]] = options;
  const answer = solved(app);
  const use = () => app.update({ changes: withOdds(app.state.changes, "odds", answer.id, answer.index, answer.odds, readOdds(app, answer.id, answer.index)) });
  const set = (key) => (value) => {
    solving[key] = value;
    app.redraw();
  };
  return h(
    "section",
    { class: "panel", id: "solve" },
    h("h2", null, t("solve_title")),
    h("p", { class: "help" }, t("solve_help")),
    h(
      "div",
      { class: "row" },
      choice(t("solve_line"), "solve line", solving.line, options, set("line")),
      field(t("wanted_edge"), "wanted edge", solving.edge, set("edge"), { inputmode: "decimal", class: "amount", maxlength: "12" }),
      choice(t("step"), "solve step", solving.step, Object.entries(STEPS).map(([value, key]) => [value, t(key)]), set("step")),
    ),
    h("div", { class: "said", role: "status", id: "solved" }, answer.words.map((words) => h("p", null, words))),
    answer.odds && button(t("use_odds"), use, { class: "main", "data-key": "use odds" }),
  );
}

// ---------------------------------------------------------------- insurance lines

const span = (points) => (points.length > 1 ? `${points[0]}–${points[points.length - 1]}` : `${points[0]}`);
const isRun = (points) => points.every((point, at) => at === 0 || point === points[at - 1] + 1);
const pointsText = (points) => (isRun(points) ? span(points) : points.join(", "));
const totalsOf = (offer) => t("totals_of", { player: pointsText(offer.player), banker: pointsText(offer.banker) });

function insuranceLines(app) {
  const { game, insurance } = app.model;
  if (!game.terms) return null;
  const rows = game.insurance.flatMap((table) =>
    table.lines.map((offer, index) => {
      const before = app.readGame().insurance.find((one) => one.key === table.key).lines[index].odds;
      const set = (odds) => app.update({ changes: withOdds(app.state.changes, "insurance", table.key, index, odds, before) });
      const values = insurance.filter((state) => state.offer === offer && state.expectedValue).map((state) => state.expectedValue).sort((one, other) => one.compare(other));
      const favours = values.some((value) => value.sign > 0);
      const range = values.length ? (values.length > 1 ? `${signedPercent(values[0], 2)} … ${signedPercent(values[values.length - 1], 2)}` : signedPercent(values[0], 2)) : "–";
      return h(
        "tr",
        { class: [offer.odds !== before && "changed", favours && "favours"].filter(Boolean).join(" ") || null },
        h("th", { scope: "row" }, insuranceName(table.side, table.stage), favours && favourMark(values.every((value) => value.sign > 0) ? "favours_player" : "favours_at_some"), clauseBelow(offer.clause || table.settled)),
        h("td", null, totalsOf(offer)),
        h("td", { class: "wide" }, before),
        h("td", null, oddsField(app, `${insuranceName(table.side, table.stage)}, ${totalsOf(offer)}`, `insure odds ${table.key} ${index}`, offer.odds, set)),
        h("td", { class: "n" }, range),
        h("td", { class: "wide" }, offer.clause || table.settled),
      );
    }),
  );
  const head = h("tr", null, column(t("hand"), "insurance"), column(t("totals"), "state"), column(t("approved"), null, { class: "wide" }), column(t("now"), "odds"), column(t("ev_range"), "expected_value", { class: "n" }), column(t("clause"), null, { class: "wide" }));
  return h("section", { class: "panel" }, h("h2", null, t("insurance_lines")), tableIn(t("insurance_lines_caption"), "insurance lines", head, rows, { class: "dense" }));
}

// ---------------------------------------------------------------- readings

function readingWords(entry, id) {
  return [
    h("h3", { id }, entry.question, h("small", null, entry.clauses.join(", "), " · ", h("code", null, entry.id))),
    h("p", null, h("strong", null, `${t("reading")}: `), entry.reading),
    h("p", null, h("strong", null, `${t("otherwise")}: `), entry.otherwise),
  ];
}

function readingSwitch(app, entry) {
  const { changes } = app.state;
  const isOn = changes.readings.includes(entry.id);
  const toggle = () => {
    const readings = isOn ? changes.readings.filter((id) => id !== entry.id) : [...changes.readings, entry.id];
    const refused = refusedReadings(app.model.entry.book, readings, app.books.common);
    tell(refused);
    if (refused) return;
    const touched = touchedBy(entry.instead); // odds typed for lines that now are others go
    const odds = Object.fromEntries(Object.entries(changes.odds).filter(([bet]) => !touched.includes(`bet ${bet}`)));
    app.update({ changes: { readings, odds, insurance: touched.includes("insurance") ? {} : changes.insurance } });
  };
  const id = `reading-${entry.id}`;
  return h(
    "li",
    { class: isOn ? "reading on" : "reading" },
    readingWords(entry, id),
    h("button", { type: "button", role: "switch", "aria-checked": String(isOn), "aria-describedby": id, class: "switch", "data-key": `reading ${entry.id}`, on: { click: toggle } }, h("span", { class: "knob", "aria-hidden": "true" }), t("read_otherwise")),
  );
}

function readingsPanel(app) {
  const entries = app.model.entry.book.interpretations ?? [];
  const [here, elsewhere] = [entries.filter(isShownHere), entries.filter((entry) => !isShownHere(entry))];
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("readings_title"), term("reading")),
    h("p", { class: "help" }, entries.length ? t("readings_help") : t("no_readings")),
    h("ul", { class: "readings" }, here.map((entry) => readingSwitch(app, entry))),
    elsewhere.length
      ? [
          h("h2", null, t("table_readings")),
          h("p", { class: "help" }, t("table_readings_help")),
          h("ul", { class: "readings", id: "table-readings" }, elsewhere.map((entry) => h("li", { class: "reading" }, readingWords(entry, `reading-${entry.id}`)))),
        ]
      : null,
  );
}

// ---------------------------------------------------------------- export

let lastExport = { key: "" }; // kept while nothing is changed: the view is drawn again with every card

export function exportedToml(app) {
  const { entry, isChanged } = app.model;
  const key = `${entry.book.id} ${JSON.stringify(app.state.changes)}`;
  if (lastExport.key !== key) lastExport = { key, ...exportedBook(entry.book, app.state.changes, app.books.common) };
  const { book, leftOut } = lastExport;
  const comments = [t("comment_made", { version: app.books.version, id: entry.book.id, sha256: entry.sha256 })];
  comments.push(...(isChanged ? changesInWords(app) : [t("comment_same")]));
  if (leftOut.length) comments.push(t("export_left", { what: leftOut.join(", ") }));
  return { file: `${book.id}.toml`, leftOut, content: toml(book, comments) };
}

function exportPanel(app) {
  const { file, leftOut, content } = exportedToml(app);
  const download = () => {
    const link = h("a", { download: file, href: URL.createObjectURL(new Blob([content], { type: "application/toml" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const area = h("textarea", { readonly: true, rows: "12", spellcheck: "false", id: "toml", "aria-label": t("toml_of"), "data-key": "toml" });
  area.value = content;
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("export_title")),
    h("p", { class: "help" }, t("export_help", { file })),
    leftOut.length ? h("p", { class: "help" }, t("export_left", { what: leftOut.join(", ") })) : null,
    h("div", { class: "row" }, button(t("download", { file }), download, { class: "main", "data-key": "download" }), button(t("copy_toml"), () => copyText(content), { "data-key": "copy toml" })),
    area,
  );
}

export function paysView(app) {
  const [solve, save, insurance] = [solvePanel(app), exportPanel(app), insuranceLines(app)];
  const [left, right] = insurance ? [[solve, save], insurance] : [solve, save];
  return h("div", { class: "stack" }, oddsPanel(app), h("div", { class: "columns even" }, h("div", null, left), h("div", null, right)), readingsPanel(app));
}

export function saidOfPays(app) {
  announce(t("said_pays", { changes: many("change", "changes", changesInWords(app).length), favours: favoursText(app.model) }));
}
