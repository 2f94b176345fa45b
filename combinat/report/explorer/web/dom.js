// Elements. Every text becomes a text node: no text of a rule book can become markup.

// Characters without a shape (controls, bidirectional overrides) are shown by their code points.
const UNSEEN = new RegExp(
  [
    "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e",
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\uffff\\u{110bd}\\u{110cd}",
    "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  ].join(""),
  "gu",
);

const codePoint = (character) =>
  `[U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;

export const visible = (text) => text.replace(UNSEEN, codePoint);

const PROPERTIES = ["value", "checked", "disabled"];
const isAbsent = (value) => value === null || value === undefined || value === false;

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (isAbsent(value)) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === "class") node.classList.add(...value.split(" ").filter(Boolean));
    else if (PROPERTIES.includes(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : visible(String(value)));
  }
}

const isAttributes = (value) => !isAbsent(value) && Object.getPrototypeOf(value) === Object.prototype;

// An element: "tag#id.class.class", then its attributes if any, then its children. Absent children are left
// out.
function element(create, selector, parts) {
  const [, tag, id, classes] = /^(\w+)(?:#([\w-]+))?((?:\.[\w-]+)*)$/.exec(selector);
  const node = create(tag);
  setAttributes(node, { id, class: classes.replaceAll(".", " ") });
  if (isAttributes(parts[0])) setAttributes(node, parts.shift());
  for (const child of parts.flat(4)) {
    if (isAbsent(child)) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
  return node;
}

export const h = (selector, ...parts) => element((tag) => document.createElement(tag), selector, parts);

// An element with children for each item.
export const each = (selector, items, make) => h(selector, items.map(make));

const SVG = "http://www.w3.org/2000/svg";
export const svg = (selector, ...parts) =>
  element((tag) => document.createElementNS(SVG, tag), selector, parts);

export const button = (label, act, attributes = {}) =>
  h("button", { type: "button", ...attributes, on: { click: act } }, label);

const labelled = (label, control) => h("label.field", h("span", label), control);

// A choice among [value, label] pairs.
export function choice(label, key, chosen, options, act, attributes = {}) {
  const list = options.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  const on = { change: (event) => act(event.target.value) };
  return labelled(label, h("select", { "data-key": key, ...attributes, on }, list));
}

// A text field; `act` receives the text when the field is left or Enter is pressed.
export function field(label, key, value, act, { hidden, ...others } = {}) {
  const on = { change: (event) => act(event.target.value) };
  const named = { type: "text", value, "data-key": key, autocomplete: "off", ...others, on };
  const input = h("input", { ...named, "aria-label": hidden && label });
  return hidden ? input : labelled(label, input);
}

// A table in a region that scrolls by itself where it is wider than the screen.
export const tableIn = (caption, key, head, body, attributes = {}) =>
  h(
    "div.scroll",
    { role: "region", "aria-label": caption, tabindex: "0", "data-key": `scroll ${key}` },
    h("table", attributes, h("caption.unseen", caption), h("thead", head), h("tbody", body)),
  );

// Replaces the content of a place; focus, scrolled tables and open details stay as they were, by their
// `data-key`.
export function replaceContent(place, ...children) {
  const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  const scrolled = new Map(
    [...place.querySelectorAll(".scroll")].map((one) => [one.dataset.key, one.scrollLeft]),
  );
  const open = new Set([...place.querySelectorAll("details[open]")].map((one) => one.dataset.key));
  place.replaceChildren(...children.flat(3).filter(Boolean));
  for (const one of place.querySelectorAll(".scroll")) one.scrollLeft = scrolled.get(one.dataset.key) ?? 0;
  for (const one of place.querySelectorAll("details")) if (open.has(one.dataset.key)) one.open = true;
  if (focused && !document.activeElement?.closest?.("[data-key]")) {
    const again = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused);
    again?.focus({ preventScroll: true });
  }
}
