import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const REPORTS = join(ROOT, '.stryker/reports');
const LEAST_OVER_ALL = 85;
const LEAST_IN_EACH = 75;

/**
 * Files without a database, HTTP, files, clock or chance, whose tests need none either. Below `src/`, each with its tests
 * below `test/`: files that everything imports would take a minute a mutant with all.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'access/address.ts': ['access/address'],
  'http/outbound/outbound-address.ts': ['http/outbound/outbound-address'],
  'graded/runs/event-id.ts': ['graded/runs/event-id'],
  'catalog/cert.ts': ['catalog/cert', 'vision/slab/slab-cert'],
  'graded/slab/slab-cert.ts': ['vision/slab/slab-cert'],
  'graded/slab/slab-evidence.ts': ['graded/slab/slab-evidence'],
  'catalog/slug.ts': ['catalog/{slug,slug-names}'],
  'catalog/grades.ts': ['catalog/grades'],
  'search/cursor.ts': ['search/cursor'],
  'search/query/rank.ts': ['search/query/{rank,rank-text}'],
  'search/query/score.ts': ['search/query/score'],
  'sales/screen.ts': ['sales/screen'],
  'sales/match/words.ts': ['sales/match/match-{words,rules}'],
  ...tested('catalog/words', 'compare named', 'sales/match/match-{words,rules}'),
  'sales/match/read-title.ts': ['sales/match/match-{read,rules}'],
  'sales/match/read-grade.ts': ['sales/match/match-{grade,misleading,read}'],
  'sales/match/match-index.ts': ['sales/match/match-{index,fits}'],
  ...tested('sales/match', 'evaluate fits', 'sales/match/match-{elsewhere,fits,misleading,rules,several}'),
  ...tested(
    'sales/match',
    'denials hopes match-title rejections',
    'sales/match/match-{denials,elsewhere,fits,grade,index,misleading,read,rules,several,words}',
  ),
  ...tested('indices/method', 'level basket walk evidence', 'indices/method/{basket,edge,evidence,level,walk}'),
  ...tested(
    'pricing/model',
    'calibration card curve daily-line fmv forecast market model quote recent refit refit-sets update venue',
    'pricing/model/{oracle,model-*,quote}',
  ),
};

function tested(folder: string, names: string, tests: string): Record<string, string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [`${folder}/${name}.ts`, [tests]]));
}

type Report = { files: Record<string, { mutants: { status: string }[] }> };

/** Lets Stryker make mutants, file by file: only the tests of a file run for it. False: too few are killed. */
export async function runPure(words: readonly string[]): Promise<boolean> {
  const chosen = Object.keys(FILES).filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  const total = { killed: 0, all: 0 };
  const lines: string[] = [];
  let isEnough = true;
  mkdirSync(REPORTS, { recursive: true });
  for (const file of chosen) {
    const count = mutate(file);
    if (count === null) return false;
    const score = (100 * count.killed) / Math.max(1, count.all);
    if (score < LEAST_IN_EACH) isEnough = false;
    total.killed += count.killed;
    total.all += count.all;
    lines.push(`${score.toFixed(1).padStart(5)}%  ${count.killed} of ${count.all}  ${file}`);
    console.log(lines.at(-1));
  }
  const score = (100 * total.killed) / Math.max(1, total.all);
  console.log(`\n${lines.join('\n')}\n${score.toFixed(1)}% of ${total.all} mutants killed over all`);
  return isEnough && score >= LEAST_OVER_ALL;
}

function mutate(file: string): { killed: number; all: number } | null {
  const report = join(REPORTS, `${file.replaceAll('/', '-')}.json`);
  rmSync(report, { force: true });
  const args = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutants/stryker.config.mjs'];
  const tests = FILES[file]!.map((name) => `test/${name}.test.ts`).join(' ');
  const env = { ...process.env, MUTATED: `src/${file}`, MUTATION_TESTS: tests, MUTATION_REPORT: report };
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) return null;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map((mutant) => mutant.status));
  const counted = statuses.filter((one) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(one));
  const killed = counted.filter((one) => one === 'Killed' || one === 'Timeout').length;
  return { killed, all: counted.length };
}
