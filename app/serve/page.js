"use strict";
// The page works without this script. With it, files are shown as soon as they are dropped, chosen or pasted, and
// what the server answers takes its place in the page: the files stay in the field, and are not sent back.

const form = document.getElementById("form");
const [file, text, drop, result, status] = ["file", "text", "drop", "result", "status"].map((id) => document.getElementById(id));
let asked = 0;

async function show(button) {
  const own = ++asked;
  const data = new FormData(form, button);
  data.append("script", "1");
  const size = [...data.values()].reduce((sum, value) => sum + (value.size ?? value.length), 0);
  if (size > form.dataset.most) {
    status.textContent = form.dataset.large;
    return;
  }
  status.textContent = form.dataset.wait;
  let html;
  try {
    html = await (await fetch(form.getAttribute("action"), { method: "POST", body: data, headers: { Accept: "text/html" } })).text();
  } catch {
    html = null;
  }
  // The answer to an older question comes too late.
  if (own !== asked) return;
  status.textContent = html === null ? form.dataset.silent : "";
  if (html === null) return;
  const answered = new DOMParser().parseFromString(html, "text/html");
  const section = button?.closest("section");
  const same = section && answered.getElementById(section.id);
  if (same) {
    // The replay beside it goes on.
    section.replaceWith(same);
    same.focus();
    return;
  }
  result.replaceChildren(...(answered.getElementById("result") ?? answered.body).childNodes);
  result.scrollIntoView();
  const replay = result.querySelector("[data-first]");
  if (replay) form.requestSubmit(replay);
}

// Puts files into the field as if they were chosen there, and shows them.
function take(files) {
  const taken = new DataTransfer();
  for (const each of files) taken.items.add(each);
  file.files = taken.files;
  text.value = "";
  show();
}

// Returns the files of a dropped file or folder. A folder lists at most a hundred entries at once.
async function entries(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  for (let some; (some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length; ) {
    for (const one of some) found.push(...(await entries(one)));
  }
  return found;
}

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.hasAttribute("formtarget")) {
    if (event.isTrusted && button.closest("ol")) document.getElementById("replay").scrollIntoView();
    return;
  }
  event.preventDefault();
  show(button?.closest("#result") ? button : undefined);
});
file.addEventListener("change", () => {
  text.value = "";
  show();
});
text.addEventListener("paste", () => {
  file.value = "";
  setTimeout(show);
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
document.addEventListener("dragleave", (event) => event.relatedTarget || drop.classList.remove("over"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const dropped = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  take((await Promise.all(dropped.map(entries))).flat());
});
document.addEventListener("paste", (event) => event.clipboardData.files.length && take(event.clipboardData.files));
