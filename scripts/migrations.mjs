/**
 * `node scripts/migrations.mjs`: part of `npm run lint`. While a new version starts, processes of the version before go on with
 * the new tables: a migration may only add (expand). What it takes away must have been unused since an earlier version, which a
 * line `-- contract: …` states with the version. Reads migrations after the last one that is older than this rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url));
const LAST_BEFORE_THE_RULE = '0044_decisions.sql';
const CONTRACT = /^-- contract: .*\bsince \d+\.\d+\.\d+\b/m;

/** What a process of the version before trips over, and what does the same in two versions. */
const BREAKING = [
  {
    pattern: /\bdrop (table|view|sequence|function|type|schema)\b/i,
    instead: 'stop using it now, drop it one version later',
  },
  { pattern: /\bdrop column\b/i, instead: 'stop using it now, drop it one version later' },
  { pattern: /\brename\b/i, instead: 'add the new name, write both, and drop the old one a version later' },
  {
    pattern: /\balter (?:column )?\w+ (?:set data )?type\b/i,
    instead: 'add a column of the new type, write both, and drop the old one a version later',
  },
  {
    pattern: /\balter (?:column )?\w+ set not null\b/i,
    instead: 'give it a default that older processes leave to it, or add the rule a version later',
  },
  {
    pattern:
      /\badd (?:column )?(?!constraint\b)\w+ (?:(?!default|generated|,|;)[^,;])*\bnot null\b(?!(?:(?!,|;)[\s\S])*\b(?:default|generated)\b)/i,
    instead: 'a new column that must have a value needs a default: older processes do not name it',
  },
  {
    pattern:
      /\balter table\b(?:(?!;)[\s\S])*\badd (?:column )?(?:(?!;)[\s\S])*\bgenerated always as\b(?:(?!;)[\s\S])*\bstored\b/i,
    instead: 'it rewrites the table, which nobody can read meanwhile: add a plain column and fill it in batches',
  },
  {
    // The lock of the first lasts until the second is done.
    pattern:
      /\balter table (?:only )?(\w+)\b(?:(?!;)[\s\S])*\badd (?:column )?(?!constraint\b)[\s\S]*?\bcreate (?:unique )?index \w+ on \1\b/i,
    instead: 'nobody can read the table until the index is built: put the index into the next migration',
  },
  { pattern: /\balter (?:column )?\w+ drop default\b/i, instead: 'keep the default until no version relies on it' },
  {
    pattern: /\b(?:lock table|cluster|vacuum full)\b/i,
    instead: 'do not stop the other processes: change rows in batches by a command or a job',
  },
];

/** What is wrong with a migration, each with its line from 1. Comments are not read; a contract states its version. */
export function breaksIn(sql) {
  if (CONTRACT.test(sql)) return [];
  const lines = sql.split('\n').map((line) => line.replace(/--.*$/, ''));
  return BREAKING.flatMap(({ pattern, instead }) => {
    const global = new RegExp(pattern, 'gi');
    return [...lines.join('\n').matchAll(global)].map(({ index, 0: text }) => ({
      line: lines.join('\n').slice(0, index).split('\n').length,
      text: text.replace(/\s+/g, ' '),
      instead,
    }));
  }).sort((a, b) => a.line - b.line);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const name of readdirSync(MIGRATIONS).filter((one) => /^\d{4}_/.test(one) && one > LAST_BEFORE_THE_RULE))
    for (const { line, text, instead } of breaksIn(readFileSync(MIGRATIONS + name, 'utf8'))) {
      console.error(
        `migrations/${name}:${line}: "${text}" breaks processes of the version before: ${instead}. If nothing has used it since an earlier version, say so: -- contract: unused since 1.2.0`,
      );
      process.exitCode = 1;
    }
