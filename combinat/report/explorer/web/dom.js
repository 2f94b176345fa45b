// Elements made by hand: every text becomes a text node, so that no text of a rule book can become markup.

// What has no shape of its own (controls, bidirectional overrides) is shown by its code point.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

export const visible = (text) => text.replace(UNSEEN, (one) => `[U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
    else node.setAttribute(name, value === true ? "" : visible(String(value)));
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return node;
}

export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

const SVG = "http://www.w3.org/2000/svg";
export const drawn = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

export const button = (label, act, attributes = {}) => h("button", { type: "button", ...attributes, on: { click: act } }, label);

// A choice among [value, label] pairs.
export function choice(label, key, chosen, options, act, attributes = {}) {
  const list = options.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  const select = h("select", { "data-key": key, ...attributes, on: { change: (event) => act(event.target.value) } }, list);
  return h("label", { class: "field" }, h("span", null, label), select);
}

// A field that tells what was typed when it is left or Enter is pressed.
export function field(label, key, value, act, attributes = {}) {
  const { hidden, ...others } = attributes;
  const input = h("input", { type: "text", value, "data-key": key, autocomplete: "off", ...others, on: { change: (event) => act(event.target.value) } });
  if (hidden) {
    input.setAttribute("aria-label", label);
    return input;
  }
  return h("label", { class: "field" }, h("span", null, label), input);
}

// A table in a region that scrolls by itself where it is wider than the screen.
export function tableIn(caption, key, head, body, attributes = {}) {
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0", "data-key": `scroll ${key}` },
    h("table", attributes, h("caption", { class: "unseen" }, caption), h("thead", null, head), h("tbody", null, body)),
  );
}

// Draw again, and leave the focus and the scrolled tables where they were, by their `data-key`.
export function redrawn(place, ...children) {
  const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  const scrolled = new Map([...place.querySelectorAll(".scroll")].map((one) => [one.dataset.key, one.scrollLeft]));
  const opened = new Set([...place.querySelectorAll("details[open]")].map((one) => one.dataset.key));
  place.replaceChildren(...children.flat(3).filter(Boolean));
  for (const one of place.querySelectorAll(".scroll")) one.scrollLeft = scrolled.get(one.dataset.key) ?? 0;
  for (const one of place.querySelectorAll("details")) if (opened.has(one.dataset.key)) one.open = true;
  if (focused && !document.activeElement?.closest?.("[data-key]")) {
    [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus({ preventScroll: true });
  }
}
