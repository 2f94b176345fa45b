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

function fill(place, text) {
  place.textContent = text;
  place.hidden = !text;
}

// For screen readers: the figures have changed.
export function announce(text) {
  if (status.textContent !== text) status.textContent = text;
}

// For everybody: an input was refused. An empty text hides the notice.
export const tell = (text) => fill(notice, text);

// For everybody, and for some seconds: an action is done.
function confirmDone(text) {
  clearTimeout(timer);
  fill(confirmation, text);
  if (text) timer = setTimeout(() => confirmDone(""), CONFIRMED_FOR);
}

tell("");
confirmDone("");

// Copies a text to the clipboard, if the browser allows it.
export async function copyText(text, done = t("copied")) {
  try {
    await navigator.clipboard.writeText(text);
    confirmDone(done);
  } catch {
    tell(t("not_copied"));
  }
}
