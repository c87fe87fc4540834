const watched = JSON.parse(document.getElementById("watched").textContent);
if (watched.message) {
  const bar = document.createElement("pre");
  bar.textContent = watched.message;
  bar.setAttribute("role", "status");
  bar.style.cssText = "margin:0;padding:.4em 1em;max-height:20vh;overflow:auto;color:#fff;font-size:13px;" +
    "white-space:pre-wrap;background:" + (watched.errors ? "#7c2d12" : "#334155");
  document.body.prepend(bar);
  document.documentElement.style.setProperty("--tall", `calc(100dvh - ${bar.offsetHeight}px)`);
}
// Whoever looks at the last act follows it. Others stay where they are.
const follows = () => {
  const slider = document.querySelector("input[type=range]");
  return slider?.value === slider?.max && decodeURIComponent(location.hash).startsWith(`#${watched.last}`);
};
setInterval(async () => {
  try {
    if (await (await fetch("/version")).text() === watched.version) return;
  } catch {
    return;
  }
  if (follows()) history.replaceState(null, "", "/");
  location.reload();
}, 400);
