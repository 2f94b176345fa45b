// Messages of the page: a status for screen readers, a notice of mistakes, and a short confirmation for
// everybody.

import { h } from "./dom.js";
import { t } from "./texts.js";

const CONFIRMED_FOR = 6000; // milliseconds

const status = h("p#status.unseen", { role: "status" });
const notice = h("p#notice.notice", { role: "alert" });
const confirmation = h("p#confirmation.confirmation", { role: "status" });
let timer = 0;

export const messages = () => [status, notice, confirmation];

// For screen readers: the figures have changed.
export function announce(text) {
  if (status.textContent !== text) status.textContent = text;
}

// For everybody: an input was refused. An empty text hides the notice.
export function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

// For everybody, and for some seconds: an action is done.
function confirmDone(text) {
  clearTimeout(timer);
  confirmation.textContent = text;
  confirmation.hidden = !text;
  if (text) timer = setTimeout(() => confirmDone(""), CONFIRMED_FOR);
}

tell("");
confirmDone("");

// Copies a text to the clipboard; returns whether the browser allowed it.
export async function copyText(text, done = t("copied")) {
  const isCopied = (await copyToClipboard(text)) || copyBySelection(text);
  if (isCopied) confirmDone(done);
  else tell(t("not_copied"));
  return isCopied;
}

async function copyToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Where the page is not served securely, browsers offer no clipboard, but copy a selection.
function copyBySelection(text) {
  const area = h("textarea.unseen", { "aria-label": t("copy") });
  area.value = text;
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus?.();
  return isCopied;
}
