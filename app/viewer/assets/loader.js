// Unpacks the page: its style, its script, the tiles and the record. The security policy knows the hash of each script.
(async () => {
  globalThis.unpack = (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  };
  const [style, script, symbols, data] = (await unpack(document.getElementById("data").textContent)).split("\0");
  globalThis.packed = { symbols, data: JSON.parse(data) };
  for (const [tag, text] of Object.entries({ style, script })) {
    const element = document.createElement(tag);
    element.textContent = text;
    document.head.append(element);
  }
})();
