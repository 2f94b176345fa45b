// The texts of the page. They come from texts.toml; {name} stands for a value.

let texts = {};
let terms = {};

export function useTexts(given) {
  texts = given.texts;
  terms = given.terms;
}

export const termKeys = () => Object.keys(terms);

export const termName = (term) => terms[term].name;

export const termMeaning = (term) => terms[term].meaning;

// The text of a key, with its values put in.
export function t(key, values = {}) {
  if (texts[key] === undefined) throw new RangeError(`no text for ${key}`);
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

export const many = (one, several, n) => t(n === 1 ? one : several, { n });

// An input that is refused, with the reason in words.
export class RefusedError extends Error {}

export function refuse(key, values) {
  throw new RefusedError(t(key, values));
}
