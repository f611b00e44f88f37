#!/usr/bin/env node
// The program. Runs the build when there is one (npm run build) that is not older than the sources, else these through tsx.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [built, sources] = ['../dist/main.js', '../src'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

if (isCurrent()) {
  await import(built);
} else {
  if (existsSync(built)) console.error('mintmark: dist/ is older than src/ and not used; build it anew: npm run build');
  // tsx would read the tsconfig.json of the working directory, which need not be this project's; threads inherit this.
  process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  const { register } = await import('tsx/esm/api');
  register();
  await import(`${sources}/main.ts`);
}

/** A build that an upgrade has left behind would bring back the program of before. A package has no sources. */
function isCurrent() {
  if (!existsSync(built)) return false;
  if (!existsSync(sources)) return true;
  const builtMs = statSync(built).mtimeMs;
  return readdirSync(sources, { recursive: true }).every((name) => statSync(`${sources}/${name}`).mtimeMs <= builtMs);
}
