// Elements, and nothing of the page's own. Text always becomes text nodes, so no name can be markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// An HTML element, and an SVG element.
const html = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => build(document.createElementNS(SVG_SPACE, tag), attributes, children);

// An icon of 24 x 24, from the outline of its path. Icons are beside a name, so a screen reader skips them.
const icon = (path) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));

// The class that has the colour of a player. Tables of results may have more players than colours.
const colour = (seat) => `player${seat % 6}`;

// Makes an element equal to another one, and keeps the parts that are equal already.
function become(element, wanted) {
  for (const { name } of [...element.attributes]) if (!wanted.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  // Copies: a node that moves from one element to the other leaves the list of the first.
  const [before, after] = [[...element.childNodes], [...wanted.childNodes]];
  after.forEach((child, index) => {
    const old = before[index];
    if (!old) element.append(child);
    else if (old.isEqualNode(child)) return;
    else if (old.nodeName === child.nodeName && child.childNodes.length) become(old, child);
    else old.replaceWith(child);
  });
  for (const old of before.slice(after.length)) old.remove();
}

// A part of the page that is built again only if its inputs change. Building a tile anew costs the browser much
// more than comparing. `parts` collects the parts whose `update` must be called.
function live(parts, inputs, build) {
  let key = JSON.stringify(inputs());
  const element = build();
  parts.push({ update() {
    const before = key;
    key = JSON.stringify(inputs());
    if (key !== before) become(element, build());
  } });
  return element;
}

// The mark of a player, which never changes: one of SHAPES in their colour. `at` is its place and size in a drawing.
const shape = (seat, at) => svg("svg", { class: `shape ${colour(seat)}`, viewBox: "0 0 20 20", "aria-hidden": "true", ...at }, svg("path", { d: SHAPES[seat % 6] }));

const range = (count) => Array.from({ length: count }, (_, index) => index);
