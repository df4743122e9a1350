// Prints where the functions and types of TypeScript and JavaScript files are, as TypeScript's own
// parser has it: a JSON line for each. Paths are read from standard input, one a line.
// The package `typescript` has to be where node looks (NODE_PATH).
"use strict";

const fs = require("node:fs");
const ts = require("typescript");

const K = ts.SyntaxKind;
const FUNCTIONS = new Set([
  K.FunctionDeclaration,
  K.MethodDeclaration,
  K.MethodSignature,
  K.GetAccessor,
  K.SetAccessor,
  K.Constructor,
]);
const TYPES = new Set([
  K.ClassDeclaration,
  K.InterfaceDeclaration,
  K.EnumDeclaration,
  K.TypeAliasDeclaration,
]);
const NAMED_BY_THEIR_PLACE = new Set([K.ArrowFunction, K.FunctionExpression, K.ClassExpression]);

function main() {
  for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const text = fs.readFileSync(path, "utf8");
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    for (const one of definitions(file)) {
      console.log(JSON.stringify({ path, ...one }));
    }
  }
}

function* definitions(file) {
  const waiting = [file];
  while (waiting.length) {
    const node = waiting.pop();
    ts.forEachChild(node, (child) => {
      waiting.push(child);
    });
    const kind = kindOf(node);
    if (kind) yield described(file, node, kind);
  }
}

function kindOf(node) {
  const named = Boolean(node.name) || node.kind === K.Constructor;
  if (FUNCTIONS.has(node.kind) && named) return "function";
  if (TYPES.has(node.kind) && named) return "type";
  if (isFunctionByItsValue(node)) return "function";
  // Anything else that has a name can confirm a symbol of ours.
  return node.name && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) ? "other" : "";
}

// `const f = () => {}`, at the outermost level: within functions it is a matter of taste.
function isFunctionByItsValue(node) {
  return (
    ts.isVariableDeclaration(node) &&
    ts.isIdentifier(node.name) &&
    node.initializer &&
    NAMED_BY_THEIR_PLACE.has(node.initializer.kind) &&
    node.initializer.kind !== K.ClassExpression &&
    ts.isSourceFile(node.parent.parent.parent)
  );
}

function described(file, node, kind) {
  const name = node.kind === K.Constructor ? "constructor" : node.name.getText(file);
  const line = (at) => file.getLineAndCharacterOfPosition(at).line + 1;
  const start = node.name ? node.name.getStart(file) : node.getStart(file);
  return { name: name.replace(/^["']|["']$/g, ""), kind, line: line(start), end: line(node.end) };
}

main();
