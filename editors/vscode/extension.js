// Starts `mjconv lsp`, and `mjconv view --watch` beside a text.
"use strict";

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const documentSelector = ["jmjp", "uzje", "hk", "club"].map((language) => ({ language }));
let client;
/** The server of the replay beside. */
let replay;

function setting(name) {
  return vscode.workspace.getConfiguration("mjconv").get(name);
}

/** Serves the replay of the active text, and opens its page beside. */
async function openReplay() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !(await document.save())) return;
  replay?.kill();
  const server = (replay = spawn(setting("command"), ["view", "--watch", document.fileName]));
  let errors = "";
  server.stderr.on("data", (text) => (errors += text));
  server.on("error", (error) => vscode.window.showErrorMessage(`mjconv: ${error.message}`));
  server.on("exit", (code) => code && server === replay && vscode.window.showErrorMessage(errors));
  server.stdout.once("data", (address) => {
    const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    vscode.commands.executeCommand("simpleBrowser.api.open", vscode.Uri.parse(`${address}`.trim()), options);
  });
}

exports.activate = (context) => {
  const fill = () => vscode.commands.executeCommand("mjconv.fill", `${vscode.window.activeTextEditor?.document.uri}`);
  context.subscriptions.push(
    vscode.commands.registerCommand("mjconv.replay", openReplay),
    vscode.commands.registerCommand("mjconv.fillText", fill),
    { dispose: () => replay?.kill() },
  );
  const options = {
    documentSelector,
    initializationOptions: { fillOnSave: setting("fillOnSave"), shanten: setting("shanten") },
    synchronize: { configurationSection: "mjconv" },
  };
  client = new LanguageClient("mjconv", "mjconv", { command: setting("command"), args: ["lsp"] }, options);
  return client.start();
};

exports.deactivate = () => client?.stop();
