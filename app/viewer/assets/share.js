// Sharing what the page shows: a picture of the position or of the result, and the link to it.

const PICTURE = [1200, 630];

// The element of a picture: the table, or the results of the round, and beside it what is known at this step.
function pictureParts(view, card) {
  const { data, replay: { round, state } } = view;
  // A picture shows the table of a wide screen.
  Object.defineProperty(PHONE, "matches", { value: false, configurable: true });
  const shown = card ? html("div", {}, round.results.map((result) => resultSheet(view, result))) : (view.square ? drawTable(view) : drawLanes(view)).root;
  delete PHONE.matches;
  const points = card ? round.after : state.points;
  return html("div", { class: card ? "picture card" : "picture" }, shown, html("div", {},
    html("h2", {}, say(round.title)), card ? null : view.caption.cloneNode(true),
    html("ul", {}, range(seatCount(round)).map((seat) => html("li", { class: colour(seat) }, shape(seat),
      html("span", { class: "name" }, playerName(data, seat)), html("span", {}, number(points[seat]))))),
    html("p", { class: "quiet" }, [data.credit ? "mjconv" : "", ...data.head.filter(([key]) => key === "head.date").map(([, fact]) => say(fact))].filter(Boolean).join(" · "))));
}

// Draws a picture on a canvas, and returns it as a file. Nothing is loaded: the drawing has the styles and the tiles of the page.
async function pictureFile(view, card) {
  const [width, height] = PICTURE;
  const body = document.createElement("body");
  body.append(document.querySelector(".symbols").cloneNode(true), pictureParts(view, card));
  const drawing = svg("svg", { width, height, class: document.documentElement.className },
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
