// Prints the scope of each character of texts, as VS Code gives it. Run it in a folder with the extension's packages:
// node textmate.cjs GRAMMAR... < texts, a JSON list of [language, text].
"use strict";

const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { basename, resolve } = require("node:path");

const installed = createRequire(resolve("package.json"));
const oniguruma = installed("vscode-oniguruma");
const textmate = installed("vscode-textmate");
const grammars = Object.fromEntries(
  process.argv.slice(2).map((path) => [`source.${basename(path).split(".")[0]}`, [readFileSync(path, "utf8"), path]]),
);

async function main() {
  await oniguruma.loadWASM(readFileSync(installed.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => textmate.parseRawGrammar(...grammars[scope]),
  });
  const answers = [];
  for (const [language, text] of JSON.parse(readFileSync(0, "utf8"))) {
    const grammar = await registry.loadGrammar(`source.${language}`);
    let stack = textmate.INITIAL;
    const scopes = [];
    for (const line of text.split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      // A token may reach behind its line.
      for (const each of tokens)
        for (let at = each.startIndex; at < Math.min(each.endIndex, line.length); at++)
          scopes.push(each.scopes.length > 1 ? each.scopes.at(-1) : "");
      scopes.push("");
    }
    answers.push(scopes);
  }
  process.stdout.write(JSON.stringify(answers));
}

main();
