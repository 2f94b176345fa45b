// Adds a button to every table of a page that copies the table as CSV.
// The page is complete without this script.

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const DONE_FOR = 1200; // milliseconds

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Numbers lose the commas between digits; a text that a spreadsheet takes for a formula gets an apostrophe.
function csvCell(cell) {
  const text = cell.textContent.trim();
  if (text === "-") return "";
  if (cell.classList.contains("r")) return quoted(text.replace(/(\d),(?=\d{3})/g, "$1"));
  return quoted(FORMULA.test(text) ? `'${text}` : text);
}

const csv = (table) => [...table.rows].map((row) => `${[...row.cells].map(csvCell).join(",")}\n`).join("");

const status = document.createElement("p");
status.className = "unseen";
status.setAttribute("role", "status");
document.body.append(status);

async function copy(table, button) {
  try {
    await navigator.clipboard.writeText(csv(table));
    status.textContent = `Copied as CSV: ${table.tBodies[0].rows.length} rows.`;
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), DONE_FOR);
  } catch {
    status.className = "notice";
    status.textContent = "The browser does not allow copying; select the table and copy it.";
  }
}

for (const region of document.querySelectorAll("main .scroll:has(> table)")) {
  const table = region.querySelector("table");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy as CSV";
  button.setAttribute("aria-label", `Copy as CSV: ${region.getAttribute("aria-label")}`);
  button.addEventListener("click", () => copy(table, button));
  if (table.caption) table.caption.firstElementChild.append(" ", button);
  else region.before(button);
}
