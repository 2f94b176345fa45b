// The page: its state, its views, its link.

import { functions } from "./api.js";
import { freshShoe, wholeDecks } from "./cards.js";
import { choice, each, h, replaceContent, visible } from "./dom.js";
import { copyText, messages, tell } from "./messages.js";
import { model, readBooks } from "./model.js";
import { action } from "./parts.js";
import { VIEWS, fragment, freshState, stateFrom } from "./state.js";
import { meaningPlace, term } from "./tables.js";
import { t } from "./texts.js";
import { chartsView } from "./view_charts.js";
import { glossaryView } from "./view_glossary.js";
import { announcePays, changeTexts, paysView } from "./view_pays.js";
import { announceRound, roundView } from "./view_round.js";
import { announceShoe, shoeView } from "./view_shoe.js";

const DRAW = { shoe: shoeView, round: roundView, pays: paysView, charts: chartsView, glossary: glossaryView };
const ANNOUNCE = { shoe: announceShoe, round: announceRound, pays: announcePays };
const MOST_UNDONE = 200;

const books = readBooks(JSON.parse(document.getElementById("data").textContent));
window.combinat = Object.freeze({ version: books.version, ...functions(books.entries) });

const earlier = []; // states that Undo restores, the latest at the end
let waiting = 0;

const app = {
  state: freshState(books),
  model: null,
  canUndo: () => earlier.length > 0,
  undo: () => put({ ...earlier.pop(), view: app.state.view }),
  update: (patch, { undoable = true } = {}) => {
    if (undoable) earlier.push(app.state);
    if (earlier.length > MOST_UNDONE) earlier.shift();
    put({ ...app.state, ...patch });
  },
  // Drawn after the browser has moved the focus, so that it is kept.
  redraw: () => {
    clearTimeout(waiting);
    waiting = setTimeout(draw);
  },
};

function put(state) {
  app.state = state;
  tell("");
  history.replaceState(null, "", `#${fragment(books, state)}`);
  app.redraw();
}

// ---------------------------------------------------------------- above the views

function decksChoice() {
  const { decks } = app.model.entry.book;
  const own = wholeDecks(app.state.full);
  const allowed = Array.from({ length: decks.most - decks.least + 1 }, (_, more) => decks.least + more);
  const options = [...new Set([...allowed, own || decks.least])]
    .sort((one, other) => one - other)
    .map((n) => [`${n}`, t(n === 1 ? "deck_option" : "decks_option", { n })]);
  const take = (number) => {
    const full = freshShoe(Number(number));
    app.update({ full, shoe: full, round: [] });
  };
  return choice(t("decks"), "decks", `${own}`, options, take);
}

function choices() {
  const { book } = app.model.entry;
  const nameOf = (one) => `${one.book.effective.slice(0, 4)} ${one.book.name}`;
  const games = [...books.entries.values()].map((one) => [one.book.id, nameOf(one)]);
  const layouts = [["", t("every_layout")], ...book.layouts.map((one) => [one.id, one.id])];
  const takeGame = (id) => app.update({ ...freshState(books, id), view: app.state.view });
  const takeLayout = (layout) => app.update({ layout, bet: "" });
  // A link to a page that is a file works only where the same file has the same path.
  const copied = t(location.protocol === "file:" ? "file_link_copied" : "link_copied");
  const game = choice(t("game"), "game", app.state.game, games, takeGame);
  const layout = choice(t("layout"), "layout", app.state.layout, layouts, takeLayout);
  return h(
    "div.choices",
    h("div.game-choice", game, h("p#game-name", nameOf(app.model.entry))),
    h("span.with-term", layout, term("layout")),
    decksChoice(),
    action("copy_link", () => copyText(location.href, copied)),
  );
}

// A note where the document does not allow this number of decks.
function forbiddenDecks() {
  const { decks } = app.model.entry.book;
  const n = wholeDecks(app.state.full);
  if (n >= decks.least && n <= decks.most) return null;
  return h("p#forbidden-decks.notice", { role: "note" }, t("forbidden_decks", { ...decks, n }));
}

function changesBanner() {
  if (!app.model.isChanged) return null;
  return h(
    "section#changed.banner",
    { "aria-label": t("changed") },
    h("strong", t("changed")),
    each("ul", changeTexts(app), (words) => h("li", words)),
    action("approved_again", () => app.update({ changes: {} }), { class: "small" }),
  );
}

function tabs() {
  const place = VIEWS.indexOf(app.state.view);
  const places = { Home: 0, End: -1, ArrowRight: (place + 1) % VIEWS.length, ArrowLeft: place - 1 };
  const show = (view) => app.update({ view }, { undoable: false });
  const move = (event) => {
    if (!(event.key in places)) return;
    const next = VIEWS.at(places[event.key]);
    event.preventDefault();
    show(next);
    setTimeout(() => document.getElementById(`tab-${next}`).focus());
  };
  const tab = (view) =>
    action(`view_${view}`, () => show(view), {
      role: "tab",
      id: `tab-${view}`,
      "aria-selected": String(app.state.view === view),
      "aria-controls": "view",
      tabindex: app.state.view === view ? "0" : "-1",
      "data-key": `tab ${view}`,
    });
  return h("div", { role: "tablist", "aria-label": t("views"), on: { keydown: move } }, VIEWS.map(tab));
}

// ---------------------------------------------------------------- drawing

const top = h("div#top");
const view = h("div#view", { role: "tabpanel", tabindex: "-1" });
let draws = 0;

function draw() {
  app.model = model(books, app.state);
  replaceContent(top, choices(), forbiddenDecks(), tabs(), changesBanner());
  view.setAttribute("aria-labelledby", `tab-${app.state.view}`);
  replaceContent(view, DRAW[app.state.view](app));
  draws += 1;
  document.documentElement.dataset.drawn = String(draws);
  ANNOUNCE[app.state.view]?.(app);
}

function openLink() {
  const { state, refused } = stateFrom(books, location.hash.slice(1));
  app.state = state;
  draw();
  tell(refused.length ? t("link_refused", { what: refused.map(visible).join(", ") }) : "");
}

function skipToView(event) {
  event.preventDefault();
  view.focus();
}

document
  .getElementById("page")
  .append(
    h("a.skip", { href: "#view", on: { click: skipToView } }, t("skip")),
    h("header", h("h1", t("title")), h("p", t("lead"))),
    h("main", top, ...messages(), view),
    h("footer", h("p", t("foot", { version: books.version }))),
    meaningPlace(),
  );
window.addEventListener("hashchange", openLink);
openLink();
