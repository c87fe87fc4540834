// Unpacks the page: its style, its script, the tiles and the record. The security policy knows the hash of each script.
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  globalThis.packed = JSON.parse(await new Response(stream).text());
  for (const tag of ["style", "script"]) {
    const element = document.createElement(tag);
    element.textContent = packed[tag];
    document.head.append(element);
  }
})();
