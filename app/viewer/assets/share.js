// Sharing what the page shows: a picture of the position or of the result, and the link to it.

const SIZE = [1200, 630];

// The width of a text as a multiple of the size of its letters. A text that has no room is smaller, and then without its end.
const extent = (text) => [...text].reduce((sum, sign) => sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u.test(sign) ? 1 : 0.56), 0);
function fitted(x, y, size, room, look, text, transform = null) {
  const small = Math.max(0.6 * size, Math.min(size, room / extent(text)));
  // No room has more signs: the loop takes one away at a time.
  const signs = [...text].slice(0, 2 + room / small / 0.56);
  while (signs.length > 1 && extent(signs.join("")) * small > room) signs.splice(-2, 2, "…");
  return svg("text", { x, y, "font-size": small, class: look, transform }, signs.join(""));
}

const aboutLine = ({ head, credit }) => [...head.filter(([key]) => key === "head.date").map(([, fact]) => say(fact)), credit ? "mjconv" : ""].filter(Boolean).join(" · ");

// The card of a round: the parts that Python laid out, in the language of the reader.
function drawCard({ data, replay: { round } }) {
  const talk = (seat) => seatName(data, round, seat, true);
  const draw = {
    rect: (x, y, width, height, look) => svg("rect", { class: look, x, y, width, height }),
    text: (x, y, size, room, look, sentence) => fitted(x, y, size, room, look, say(sentence, talk)),
    tile: (x, y, width, tile, look) => tableTile(tile, x, y, width, look),
  };
  return svg("svg", { class: "picture card", viewBox: "0 0 1200 630" }, round.card.map(([kind, ...values]) => draw[kind](...values)),
    fitted(1160, 36, 20, 400, "on end", aboutLine(data)));
}

// The table, and beside it what is known at this step.
function drawPosition(view) {
  const { data, replay: { round, state } } = view;
  pictured = true;
  const table = view.square ? drawTable(view).root.querySelector(".board") : drawLanes(view).root;
  pictured = false;
  const facts = [state.sticks ? counted("sticks", state.sticks) : "", state.left === null ? "" : leftText(state.left)].filter(Boolean).join(" · ");
  return html("div", { class: view.square ? "picture" : "picture rows" }, table, html("div", {},
    html("h2", {}, say(round.title)), html("p", { class: "quiet" }, facts),
    state.dora.length ? html("p", { class: "quiet" }, word("card.dora"), tileLine("", "", indicators(state.dora).map(({ tile, look }) => lineTile(tile, look)))) : null,
    html("p", { class: "caption", "data-wind": "" }, view.caption.textContent),
    html("ul", {}, range(seatCount(round)).map((seat) => html("li", { class: `${colour(seat)}${seat === state.turn ? " turn" : ""}` }, shape(seat), html("span", {}, windLetter(round, seat)),
      html("span", { class: "name" }, seatName(data, round, seat, true)), html("b", {}, state.points[seat] === null ? "" : number(state.points[seat]))))),
    html("p", { class: "quiet about" }, aboutLine(data))));
}

// Draws a picture on a canvas, and returns it as a file. Nothing is loaded: the drawing has the styles and the tiles of the page.
async function pictureFile(view, card) {
  const [width, height] = SIZE;
  const body = document.createElement("body");
  body.append(document.querySelector(".symbols").cloneNode(true), card ? drawCard(view) : drawPosition(view));
  const drawing = svg("svg", { width, height, lang: document.documentElement.lang },
    svg("style", {}, document.querySelector("head > style").textContent), svg("foreignObject", { width, height }, body));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done) => { canvas.toBlob(done); });
  return { address: canvas.toDataURL(), file: new File([blob], `${view.replay.round.label}${card ? "" : `.${view.replay.step}`}.png`, { type: blob.type }) };
}

// What this browser allows here. A frame needs the leave of its page for the clipboard, and a file has no link.
const mayCopy = () => navigator.clipboard && (document.featurePolicy?.allowsFeature("clipboard-write") ?? !SANDBOXED);
const maySend = (files) => !SANDBOXED && navigator.canShare?.({ files });

function share(view) {
  const dialog = html("dialog", { class: "keys share", "aria-label": own("button.share"), onclose: () => dialog.remove() });
  const act = (name, action) => html("button", { type: "button", onclick: action }, own(name));
  const { address } = view.copies;
  const close = act("close", () => dialog.close());
  const show = async (card) => {
    const { file, address: picture } = await pictureFile(view, card);
    const link = LINKED && !SANDBOXED && location.protocol !== "file:" ? { url: address } : {};
    dialog.replaceChildren(
      html("img", { src: picture, alt: card ? own("share.card") : view.caption.textContent }),
      html("div", {}, act("share.position", () => show(false)), view.replay.round.results.length && !view.quiet ? act("share.card", () => show(true)) : null),
      html("div", {},
        maySend([file]) ? act("share.send", () => navigator.share({ files: [file], title: view.data.title, ...link }).catch(() => {})) : null,
        html("a", { href: picture, download: file.name }, own("share.save")),
        mayCopy() && globalThis.ClipboardItem ? act("share.copy", () => navigator.clipboard.write([new ClipboardItem({ [file.type]: file })]).then(() => dialog.close())) : null,
        link.url ? act("share.link", () => { dialog.close(); view.copy("address"); }) : null, close),
      location.protocol === "file:" ? html("p", { class: "quiet" }, own("share.file").replace("{x0}", address.split("#")[1])) : "");
  };
  view.app.append(dialog);
  dialog.append(close);
  dialog.showModal();
  return show(false);
}
