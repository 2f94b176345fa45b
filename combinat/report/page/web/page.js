// The page of a report, made to answer: it is complete without this script, which adds what paper cannot do.

import { h } from "./dom.js";
import { decksSwitch } from "./decks.js";
import { messages } from "./messages.js";
import { placed, sheetOf } from "./tables.js";
import { t } from "./texts.js";
import { tryingOf } from "./trying.js";

const data = JSON.parse(document.getElementById("data").textContent);
const regions = [...document.querySelectorAll("main .scroll:has(> table)")];
const sheets = new Map(regions.map((region) => [region.id, sheetOf(region)]));

let decksNow = data.decks.reference;
const tried = data.bets.filter((bet) => sheets.has(bet.table)).map((bet) => tryingOf(bet, sheets.get(bet.table), () => decksNow));
const switched = decksSwitch(data, sheets, (number) => {
  decksNow = number;
  tried.forEach((draw) => draw());
});

const open = () => (document.querySelector("#contents details").open = true);
const contents = h("a", { href: "#contents", on: { click: open } }, t("contents"));
const bar = h("div", { class: "bar", role: "region", "aria-label": t("bar") }, data.decks.numbers.length > 1 && switched.control, contents, switched.note, messages());
document.querySelector("main").before(bar);

// A table that fits its place scrolls with the page, so that its head stays in sight; else within its own box.
function fitted() {
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  for (const region of regions) {
    const table = region.querySelector("table");
    region.classList.toggle("fits", table.offsetWidth <= region.clientWidth);
    if (region.classList.contains("fits")) region.removeAttribute("tabindex");
    else region.setAttribute("tabindex", "0");
  }
}

new ResizeObserver(fitted).observe(document.querySelector("main"));
for (const sheet of sheets.values()) placed(sheet);
document.documentElement.dataset.drawn = "1";
