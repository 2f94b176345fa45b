// The number of decks, switched once for the whole page. The page holds, for every other number, the texts of the
// cells and lines that it changes and the rows that then favour the player; nothing is computed here.

import { choice, h } from "./dom.js";
import { announce } from "./messages.js";
import { FAVOURS, placed } from "./tables.js";
import { decksText, t } from "./texts.js";

// What shows the text of a cell, a head or a line: a link or a button in it, if it is one.
const holder = (place) => place.querySelector("a, button") ?? place;

const captionOf = (sheet) => sheet.region.querySelector("caption > span > span");

// The texts of one version: [place, text] for every place that some version changes.
function textsOf(version, sheets) {
  const cells = Object.entries(version.cells).flatMap(([anchor, changes]) => changes.map(([row, column, text]) => [holder(sheets.get(anchor).rows[row].cells[column]), text]));
  const said = Object.entries(version.said).map(([name, text]) => [holder(document.querySelector(`[data-said="${name}"]`)), text]);
  const heads = Object.entries(version.heads).flatMap(([anchor, changes]) => changes.map(([column, text]) => [holder(sheets.get(anchor).headCells[column]), text]));
  const captions = Object.entries(version.captions).map(([anchor, text]) => [captionOf(sheets.get(anchor)), text]);
  return [...cells, ...heads, ...captions, ...said];
}

function markedRows(version, sheets) {
  return Object.entries(version.marks).map(([anchor, rows]) => [sheets.get(anchor), new Set(rows)]);
}

// The page as it is written, for every place and table that some version changes.
function asWritten(versions, sheets) {
  const every = Object.values(versions);
  const places = new Set(every.flatMap((version) => textsOf(version, sheets).map(([place]) => place)));
  const tables = new Set(every.flatMap((version) => markedRows(version, sheets).map(([sheet]) => sheet)));
  return {
    texts: [...places].map((place) => [place, place.textContent]),
    marks: [...tables].map((sheet) => [sheet, new Set(sheet.rows.flatMap((row, at) => (row.classList.contains(FAVOURS) ? [at] : [])))]),
  };
}

// Tables and lines that follow the number of decks, each once.
const follows = (places) => new Set(places.map(([place]) => place.closest(".scroll, p, dd")));

// A choice of the number of decks; `after` is called when it has changed.
export function decksSwitch({ decks, versions }, sheets, after) {
  const written = asWritten(versions, sheets);
  const note = h("p", { class: "switched", role: "status", hidden: true });
  const show = (number) => {
    const version = versions[number] ?? { cells: {}, heads: {}, captions: {}, said: {}, marks: {} };
    for (const [place, text] of [...written.texts, ...textsOf(version, sheets)]) if (place.textContent !== text) place.textContent = text;
    for (const [sheet, rows] of [...written.marks, ...markedRows(version, sheets)]) sheet.rows.forEach((row, at) => row.classList.toggle(FAVOURS, rows.has(at)));
    const isOther = number !== decks.reference;
    for (const place of follows(written.texts)) place.classList.toggle("other", isOther);
    for (const sheet of sheets.values()) placed(sheet);
    note.hidden = !isOther;
    note.textContent = isOther ? t("switched", { decks: decksText(number), reference: decksText(decks.reference) }) : "";
    if (!isOther) announce(decksText(number));
    after(number);
  };
  const options = decks.numbers.map((number) => [number, number === decks.reference ? t("of_document", { decks: decksText(number) }) : decksText(number)]);
  return { control: choice(t("decks"), "decks", decks.reference, options, show), note };
}
