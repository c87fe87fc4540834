// Writes art.json, the drawings of the riichi tiles, from an npm package. Run it only to renew that file:
//
//     npm install riichi-mahjong-tiles@0.1.0 react@19 react-dom@19 svgo@4
//     cp FOLDER/app/viewer/tiles/extract.mjs . && node extract.mjs FOLDER/app/viewer/tiles/art.json
//
// Source: https://www.npmjs.com/package/riichi-mahjong-tiles, version 0.1.0. It holds the drawings of FluffyStuff,
// https://github.com/FluffyStuff/riichi-mahjong-tiles. Its README declares all drawings public domain (CC0 1.0).
// The faces are 300 x 400. Colours, paths and attributes are shortened; coordinates have no decimals.
import { writeFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import * as drawings from "riichi-mahjong-tiles";
import { optimize } from "svgo";

const SUITS = { m: "Man", p: "Pin", s: "Sou" };
const HONOURS = { E: "Ton", S: "Nan", W: "Shaa", N: "Pei", F: "Hatsu", C: "Chun" };

const NAMES = Object.fromEntries([
  ...Object.entries(SUITS).flatMap(([suit, name]) => [
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => [`${rank}${suit}`, `Regular${name}${rank}`]),
    [`5${suit}r`, `Regular${name}5Dora`],
  ]),
  ...Object.entries(HONOURS).map(([tile, name]) => [tile, `Regular${name}`]),
]);

const PLUGINS = [
  // Attributes, because the page's security policy refuses inline styles.
  "convertStyleToAttrs",
  {
    name: "preset-default",
    params: {
      floatPrecision: 0,
      overrides: {
        convertTransform: { floatPrecision: 3, transformPrecision: 4 },
        // Merged paths that overlap would have holes.
        mergePaths: false,
      },
    },
  },
  "removeXlink",
];

function inside(tile, name) {
  const markup = renderToStaticMarkup(createElement(drawings[name]));
  const plugins = [...PLUGINS, { name: "prefixIds", params: { prefix: tile, delim: "-" } }];
  const { data } = optimize(markup, { multipass: true, plugins });
  return data.replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "");
}

const lines = Object.entries(NAMES).map(([tile, name]) => `"${tile}": ${JSON.stringify(inside(tile, name))}`);
writeFileSync(process.argv[2], `{\n${lines.join(",\n")}\n}\n`);
