import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS } from './list/index.ts';
import type { Mutant } from './mutant.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['src', 'test', 'bench', 'migrations', 'content', 'docs', 'scripts', 'bin', 'package.json'];
const SETTINGS = ['tsconfig.json', 'tsconfig.client.json', 'vitest.config.ts', 'README.md', 'ARCHITECTURE.md'];
const AT_ONCE = 2;
/** A test or a file that takes longer hangs. On a busy machine a test may starve or fail once: neither kills a mutant. */
const LONGEST_MS_A_TEST = 90_000;
const LONGEST_MS_A_FILE = 180_000;

type Verdict = { isKilled: boolean; detail: string };
type Outcome = { failed: string[]; passed: number; output: string };

/** Runs the mutants whose file or effect has one of the words (all without words); false: some are not killed. */
export async function runHandMade(words: readonly string[]): Promise<boolean> {
  const chosen = MUTANTS.filter(
    ({ file, does }) => words.length === 0 || words.some((word) => `${file}: ${does}`.includes(word)),
  );
  console.log(`${chosen.length} hand-made mutants of ${new Set(chosen.map(({ file }) => file)).size} files`);
  const folders = Array.from({ length: Math.min(AT_ONCE, chosen.length) }, copyOfProject);
  try {
    const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
    const sound = await vitest(folders[0]!, tests, AT_ONCE);
    if (sound.failed.length > 0 || sound.passed === 0) {
      console.error(`Without any mutant these tests fail: ${sound.failed.join('; ') || sound.output}`);
      return false;
    }
    const waiting = [...chosen];
    const alive: Mutant[] = [];
    await Promise.all(
      folders.map(async (folder) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const { isKilled, detail } = await judge(folder, mutant);
          if (!isKilled) alive.push(mutant);
          console.log(`${isKilled ? 'killed  ' : 'SURVIVED'} ${mutant.file}: ${mutant.does}\n         ${detail}`);
        }
      }),
    );
    console.log(`${chosen.length - alive.length} of ${chosen.length} killed`);
    return alive.length === 0;
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(folder: string, { file, find, replace, tests }: Mutant): Promise<Verdict> {
  const path = join(folder, 'src', file);
  const text = readFileSync(path, 'utf8');
  const found = text.split(find).length - 1;
  if (found !== 1) return { isKilled: false, detail: `its text occurs ${found} times: bring the list up to date` };
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const { failed, passed, output } = await vitest(folder, tests, 1);
    if (failed.length > 0) return { isKilled: true, detail: failed[0]! };
    return { isKilled: false, detail: passed > 0 ? 'every test passes' : `no test ran: ${output.slice(-500)}` };
  } finally {
    writeFileSync(path, text);
  }
}

/** A copy of the project that shares its packages. */
function copyOfProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-mutants-'));
  for (const name of [...COPIED, ...SETTINGS]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Which tests fail; up to the first one where only that is asked. */
function vitest(folder: string, tests: readonly string[], workers: number): Promise<Outcome> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const files = tests.map((name) => join('test', name));
  const options = [
    '--reporter=json',
    `--outputFile=${report}`,
    `--maxWorkers=${workers}`,
    '--bail=1',
    '--retry=0',
    `--testTimeout=${LONGEST_MS_A_TEST}`,
  ];
  return new Promise((settle) => {
    const config = tests.some(needsServer) ? [] : ['--config=test/mutants/vitest.config.ts'];
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options, ...config];
    // Of both configs only one sets the fonts of made-up slabs, and a thread's environment would be too late.
    const FONTCONFIG_FILE = join(folder, 'test/support/photos/fonts.conf');
    const env = { ...process.env, CI: '1', MUTATION_TESTS: files.join(' '), FONTCONFIG_FILE };
    const child = spawn(process.execPath, args, { cwd: folder, detached: true, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LONGEST_MS_A_FILE * tests.length);
    child.on('close', () => {
      clearTimeout(timer);
      settle({ ...readReport(report), output });
    });
  });
}

/** Without a database and the built program a run takes a fourth of the time. */
function needsServer(test: string): boolean {
  return /support\/(?:app|database\/database)\.ts/.test(readFileSync(join(ROOT, 'test', test), 'utf8'));
}

type Report = { testResults: { assertionResults: { status: string; fullName: string }[] }[] };

function readReport(path: string): Pick<Outcome, 'failed' | 'passed'> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { failed: [], passed: 0 };
  }
  const tests = (JSON.parse(text) as Report).testResults.flatMap((file) => file.assertionResults);
  return {
    failed: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    passed: tests.filter(({ status }) => status === 'passed').length,
  };
}
