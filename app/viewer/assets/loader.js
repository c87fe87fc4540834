// Unpacks the page: its style, its script, the tiles and the record. The security policy knows the hash of each script.
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const [style, script, symbols, data] = (await new Response(stream).text()).split("\0");
  globalThis.packed = { symbols, data: JSON.parse(data) };
  for (const [tag, text] of Object.entries({ style, script })) {
    const element = document.createElement(tag);
    element.textContent = text;
    document.head.append(element);
  }
})();
