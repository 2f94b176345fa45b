// A rule book as a TOML file: what `combinat` reads.

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

const escaped = (character) => {
  const code = character.codePointAt(0);
  if (character === '"' || character === "\\") return `\\${character}`;
  return CONTROL.test(character) && character.length === 1 ? `\\u${code.toString(16).padStart(4, "0")}` : character;
};

const quoted = (text) => `"${[...text].map(escaped).join("")}"`;

const BARE = /^[A-Za-z0-9_-]+$/;
const keyed = (key) => (BARE.test(key) ? key : quoted(key));

// A date or a time is no text in TOML: the rule book marks it.
const isMoment = (value) => typeof value === "object" && value !== null && typeof value.$moment === "string";

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isMoment(value)) return value.$moment;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([key, one]) => `${keyed(key)} = ${inline(one)}`).join(", ")} }`;
  return typeof value === "string" ? quoted(value) : `${value}`;
}

const isTable = (value) => typeof value === "object" && !Array.isArray(value) && !isMoment(value);
const isTables = (value) => Array.isArray(value) && value.length > 0 && value.every(isTable);

// A list of tables stands over several lines, one on each.
const entry = ([key, value]) =>
  isTables(value) ? [`${keyed(key)} = [`, ...value.map((one) => `    ${inline(one)},`), "]"] : [`${keyed(key)} = ${inline(value)}`];

const plainText = (comment) => comment.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/g, " ");

// Plain values first, then a `[table]` or `[[table]]` for each of the others.
export function toml(book, comments = []) {
  const every = Object.entries(book);
  const plain = every.filter(([, value]) => !isTable(value) && !isTables(value));
  const tables = every.flatMap(([key, value]) => {
    if (isTables(value)) return value.map((one) => [`[[${keyed(key)}]]`, one]);
    return isTable(value) ? [[`[${keyed(key)}]`, value]] : [];
  });
  const lines = [
    ...comments.map((comment) => `# ${plainText(comment)}`),
    ...plain.flatMap(entry),
    ...tables.flatMap(([head, table]) => ["", head, ...Object.entries(table).flatMap(entry)]),
  ];
  return `${lines.join("\n")}\n`;
}
