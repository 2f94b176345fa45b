// What the page says, to those who look and to those who listen; and copying, which says that it was done.

import { h } from "./dom.js";
import { t } from "./texts.js";

const status = h("p", { role: "status", class: "unseen", id: "status" });
const notice = h("p", { role: "alert", class: "notice", id: "notice" });

export const messages = () => [status, notice];

// Said to those who listen, when figures have changed.
export function announce(text) {
  if (status.textContent !== text) status.textContent = text;
}

// Shown to everyone: something that was not understood.
export function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

tell("");

export async function copyText(text, done = t("copied")) {
  try {
    await navigator.clipboard.writeText(text);
    announce(done);
    return true;
  } catch {
    return copiedTheOldWay(text, done);
  }
}

function copiedTheOldWay(text, done) {
  const area = h("textarea", { class: "unseen", "aria-label": t("copy") });
  area.value = text;
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  focused?.focus?.();
  if (copied) announce(done);
  else tell(t("not_copied"));
  return copied;
}
