// A table as CSV: what is seen of it, in the order in which it is seen.

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Words that a spreadsheet would take for a formula stand behind an apostrophe; digits do not stand in threes.
function csvCell(text, isNumber) {
  if (isNumber) return quoted(text === "-" ? "" : text.replace(/(\d),(?=\d{3})/g, "$1"));
  return quoted(FORMULA.test(text) && text !== "-" ? `'${text}` : text === "-" ? "" : text);
}

// `heads` and `rows`: texts; `numbers`: which columns hold numbers.
export function csv(heads, rows, numbers) {
  const lines = [heads.map((head) => csvCell(head, false)), ...rows.map((row) => row.map((text, at) => csvCell(text, numbers[at])))];
  return lines.map((line) => `${line.join(",")}\n`).join("");
}
