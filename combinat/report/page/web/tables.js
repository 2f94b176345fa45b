// What a reader can do with a table of the page: sort its rows, see some of them, copy it.

import { button, h } from "./dom.js";
import { csv } from "./csv.js";
import { copyText } from "./messages.js";
import { comparison } from "./ordering.js";
import { t } from "./texts.js";

export const FAVOURS = "favours-player";
const [LEAST_TO_SORT, LEAST_TO_FILTER, MOST_CHOICES] = [5, 20, 8];
const FEW = 4; // a word that is chosen stands for so many rows at least, on average
const KEEPS_ITS_PLACE = ["group", "to-sign"];

// The text of a cell as it is read; an odds field counts as the odds in it.
const textOf = (cell) => cell.querySelector("input")?.value ?? cell.textContent.trim();

function ownTexts(sheet, at) {
  return sheet.rows.map((row) => textOf(row.cells[at]));
}

// ---------------------------------------------------------------- order

function isSortable(sheet) {
  return sheet.rows.length >= LEAST_TO_SORT && sheet.rows.every((row) => !KEEPS_ITS_PLACE.includes(row.className) && textOf(row.cells[0]) !== "");
}

function ordered(sheet) {
  const { at, direction } = sheet.order;
  if (!direction) return sheet.rows;
  const compare = comparison(ownTexts(sheet, at), sheet.numbers[at], direction);
  const [last, others] = [sheet.rows.filter((row) => row.classList.contains("total")), sheet.rows.filter((row) => !row.classList.contains("total"))];
  const keyed = others.map((row) => [textOf(row.cells[at]), row]).sort(([one], [other]) => compare(one, other));
  return [...keyed.map(([, row]) => row), ...last];
}

// Numbers begin with the largest, words with the first; then the other way; then as the document has them.
function turned(order, at, isNumber) {
  const first = isNumber ? -1 : 1;
  if (order.at !== at || !order.direction) return { at, direction: first };
  return { at, direction: order.direction === first ? -first : 0 };
}

function sortButton(sheet, head, at) {
  const act = () => {
    sheet.order = turned(sheet.order, at, sheet.numbers[at]);
    placed(sheet);
  };
  const name = head.textContent;
  head.replaceChildren(button(name, act, { class: "sort", title: t("sort_by", { head: name }) }));
}

// ---------------------------------------------------------------- some of the rows

// Columns of few different words, such as a hand or a stage.
function choices(sheet) {
  if (sheet.rows.length < LEAST_TO_FILTER) return [];
  return sheet.names.flatMap((_, at) => {
    if (sheet.numbers[at] || sheet.rows[0].cells[at].classList.contains("o")) return [];
    const different = [...new Set(ownTexts(sheet, at))].filter((text) => text !== "" && text !== "-");
    return different.length > 1 && different.length <= MOST_CHOICES && different.length * FEW <= sheet.rows.length ? [[at, different]] : [];
  });
}

function choiceOf(sheet, at, words) {
  const act = (event) => {
    sheet.wanted.set(at, event.target.value);
    placed(sheet);
  };
  const options = [["", t("every")], ...words.map((word) => [word, word])].map(([value, text]) => h("option", { value }, text));
  return h("label", { class: "field" }, h("span", null, sheet.names[at]), h("select", { on: { change: act } }, options));
}

function favoursBox(sheet) {
  const act = (event) => {
    sheet.onlyFavours = event.target.checked;
    placed(sheet);
  };
  return h("label", { class: "box" }, h("input", { type: "checkbox", on: { change: act } }), t("only_favours"));
}

function isWanted(sheet, row) {
  if (sheet.onlyFavours && !row.classList.contains(FAVOURS)) return false;
  return [...sheet.wanted].every(([at, word]) => !word || textOf(row.cells[at]) === word);
}

// ---------------------------------------------------------------- drawn again

// The rows in their order, those that are not wanted hidden, and how many are left.
export function placed(sheet) {
  sheet.body.append(...ordered(sheet));
  sheet.headCells.forEach((head, at) => {
    const { direction } = sheet.order;
    if (at === sheet.order.at && direction) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  });
  for (const row of sheet.rows) row.hidden = !isWanted(sheet, row);
  const left = sheet.rows.filter((row) => !row.hidden).length;
  const isFiltered = sheet.onlyFavours || [...sheet.wanted.values()].some(Boolean);
  sheet.count.textContent = isFiltered ? t("shown_rows", { n: left, all: sheet.rows.length }) : "";
  const good = sheet.rows.filter((row) => row.classList.contains(FAVOURS)).length;
  if (sheet.favours) sheet.favours.hidden = !sheet.onlyFavours && (!good || good === sheet.rows.length);
}

function copied(sheet) {
  const rows = [...sheet.body.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map(textOf));
  return copyText(csv(sheet.names, rows, sheet.numbers), t("csv_copied", { n: rows.length }));
}

function copyCsv(sheet, label) {
  const one = button(t("copy_csv"), async () => {
    if (!(await copied(sheet))) return;
    one.classList.add("done");
    setTimeout(() => one.classList.remove("done"), 1200);
  }, { class: "small", "aria-label": t("copy_csv_of", { table: label }) });
  return one;
}

// The table of a region, with what can be done with it.
export function sheetOf(region) {
  const table = region.querySelector("table");
  const headCells = [...table.tHead.rows[0].cells];
  const [body] = table.tBodies;
  const sheet = {
    region,
    body,
    headCells,
    names: headCells.map((head) => head.textContent),
    numbers: headCells.map((head) => head.classList.contains("r")),
    rows: [...body.rows],
    order: { at: 0, direction: 0 },
    wanted: new Map(),
    onlyFavours: false,
    count: h("span", { class: "count", role: "status" }),
  };
  if (isSortable(sheet)) headCells.forEach((head, at) => sortButton(sheet, head, at));
  if (sheet.rows.length >= LEAST_TO_SORT) sheet.favours = favoursBox(sheet);
  const selects = choices(sheet).map(([at, words]) => choiceOf(sheet, at, words));
  if (selects.length || sheet.favours) region.before(h("div", { class: "tools" }, selects, sheet.favours, sheet.count));
  const copy = copyCsv(sheet, region.getAttribute("aria-label"));
  if (table.caption) table.caption.firstElementChild.append(" ", copy);
  else region.before(h("div", { class: "tools" }, copy));
  placed(sheet);
  return sheet;
}
