// The replay of the home page plays by itself, unless the reader asked the system for less motion.
for (const frame of matchMedia("(prefers-reduced-motion: reduce)").matches ? [] : document.querySelectorAll(".replay")) {
  // The page in the frame unpacks itself after it was loaded.
  const timer = setInterval(() => {
    const play = frame.contentDocument?.querySelector("button.play");
    if (!play) return;
    clearInterval(timer);
    play.click();
  }, 100);
}
