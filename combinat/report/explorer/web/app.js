// The page: its state, its views, its link.

import { functions } from "./api.js";
import { readBooks } from "./books.js";
import { freshShoe, wholeDecks } from "./cards.js";
import { button, choice, h, redrawn, visible } from "./dom.js";
import { NO_CHANGES } from "./game.js";
import { gameOf, model } from "./model.js";
import { copyText, messages, tell } from "./messages.js";
import { meaningPlace, term } from "./parts.js";
import { VIEWS, fitting, fragment, freshState, stateFrom } from "./state.js";
import { t } from "./texts.js";
import { changesInWords, paysView, saidOfPays } from "./view_pays.js";
import { picturesView } from "./view_pictures.js";
import { roundView, saidOfRound } from "./view_round.js";
import { saidOfShoe, shoeView } from "./view_shoe.js";
import { wordsView } from "./view_words.js";

const DRAW = { shoe: shoeView, round: roundView, pays: paysView, pictures: picturesView, words: wordsView };
const SAY = { shoe: saidOfShoe, round: saidOfRound, pays: saidOfPays };
const MOST_UNDONE = 200;

const books = readBooks(JSON.parse(document.getElementById("data").textContent));
window.combinat = Object.freeze({ version: books.version, ...functions(books.games, books.referenceDecks) });

const undone = []; // what Undo goes back to, the last one at the end
let waiting = 0;

const app = {
  books,
  state: freshState(books),
  model: null,
  canUndo: () => undone.length > 0,
  undo: () => {
    if (undone.length) put({ ...undone.pop(), view: app.state.view });
  },
  update: (patch, { undoable = true } = {}) => {
    if (undoable) {
      undone.push(app.state);
      if (undone.length > MOST_UNDONE) undone.shift();
    }
    put({ ...app.state, ...patch });
  },
  // Drawn when the browser has moved the focus on, so that it is kept.
  redraw: () => {
    clearTimeout(waiting);
    waiting = setTimeout(draw);
  },
  // The game with the readings that are taken, and the odds as written.
  readGame: () => gameOf(books, { ...app.state, changes: { ...NO_CHANGES, readings: app.state.changes.readings } }),
};

function put(state) {
  app.state = fitting(gameOf(books, state), state);
  app.model = null;
  tell("");
  history.replaceState(null, "", `#${fragment(books, app.state)}`);
  app.redraw();
}

// ---------------------------------------------------------------- what stands over the views

function decksChoice() {
  const { decks } = app.model.entry.book;
  const own = wholeDecks(app.state.full);
  const numbers = new Set(Array.from({ length: decks.most - decks.least + 1 }, (_, more) => decks.least + more));
  if (own) numbers.add(own);
  const options = [...numbers].sort((one, other) => one - other).map((number) => [`${number}`, t(number === 1 ? "deck_option" : "decks_option", { n: number })]);
  const take = (number) => app.update({ full: freshShoe(Number(number)), shoe: freshShoe(Number(number)), round: [] });
  return choice(t("decks"), "decks", `${own}`, options, take);
}

function choices() {
  const { book } = app.model.entry;
  const games = [...books.entries.values()].map((one) => [one.book.id, `${one.book.effective.$moment.slice(0, 4)} ${one.book.name}`]);
  const layouts = [["", t("every_layout")], ...book.layouts.map((one) => [one.id, one.id])];
  const take = (id) => app.update({ ...freshState(books, id), view: app.state.view });
  return h(
    "div",
    { class: "choices" },
    choice(t("game"), "game", app.state.game, games, take, { class: "game" }),
    h("span", { class: "with-term" }, choice(t("layout"), "layout", app.state.layout, layouts, (layout) => app.update({ layout, bet: "" })), term("layout")),
    decksChoice(),
    button(t("copy_link"), () => copyText(location.href, t("link_copied")), { "data-key": "copy link" }),
  );
}

// Said where the shoe is of a number of decks that the document does not allow.
function forbiddenDecks() {
  const { decks } = app.model.entry.book;
  const own = wholeDecks(app.state.full);
  if (own >= decks.least && own <= decks.most) return null;
  return h("p", { class: "notice", id: "forbidden-decks", role: "note" }, t("forbidden_decks", { ...decks, n: own }));
}

function changedBanner() {
  if (!app.model.isChanged) return null;
  return h(
    "section",
    { class: "banner", "aria-label": t("changed"), id: "changed" },
    h("strong", null, t("changed")),
    h("ul", null, changesInWords(app).map((words) => h("li", null, words))),
    button(t("approved_again"), () => app.update({ changes: NO_CHANGES }), { class: "small", "data-key": "approved again" }),
  );
}

function tabs() {
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = VIEWS.indexOf(app.state.view);
    const next = event.key === "Home" ? 0 : event.key === "End" ? VIEWS.length - 1 : by && (place + by + VIEWS.length) % VIEWS.length;
    if (next === undefined) return;
    event.preventDefault();
    app.update({ view: VIEWS[next] }, { undoable: false });
    setTimeout(() => document.getElementById(`tab-${VIEWS[next]}`).focus());
  };
  return h(
    "div",
    { role: "tablist", "aria-label": t("views"), on: { keydown: move } },
    VIEWS.map((view) => {
      const isShown = app.state.view === view;
      const show = () => app.update({ view }, { undoable: false });
      return h("button", { type: "button", role: "tab", id: `tab-${view}`, "aria-selected": String(isShown), "aria-controls": "view", tabindex: isShown ? "0" : "-1", "data-key": `tab ${view}`, on: { click: show } }, t(`view_${view}`));
    }),
  );
}

const top = h("div", { id: "top" });
const view = h("div", { id: "view", role: "tabpanel", tabindex: "-1" });

function draw() {
  app.model = model(books, app.state);
  redrawn(top, choices(), forbiddenDecks(), tabs(), changedBanner());
  view.setAttribute("aria-labelledby", `tab-${app.state.view}`);
  redrawn(view, DRAW[app.state.view](app));
  document.documentElement.dataset.drawn = String(Number(document.documentElement.dataset.drawn ?? 0) + 1);
  SAY[app.state.view]?.(app);
}

function fromLink() {
  const { state, refused } = stateFrom(books, location.hash.slice(1));
  app.state = state;
  draw();
  tell(refused.length ? t("link_refused", { what: refused.map(visible).join(", ") }) : "");
}

document.getElementById("page").append(
  h("a", { class: "skip", href: "#view", on: { click: (event) => (event.preventDefault(), view.focus()) } }, t("skip")),
  h("header", null, h("h1", null, t("title")), h("p", null, t("lead"))),
  h("main", null, top, ...messages(), view),
  h("footer", null, h("p", null, t("foot", { version: books.version }))),
  meaningPlace(),
);
window.addEventListener("hashchange", fromLink);
fromLink();
