// Part of `npm run lint` and `npm run verify`: rejects the habits of language that this project has dropped, wherever they
// appear in code, comments, strings and documents, and names what to write instead. ARCHITECTURE.md has the glossary.
// `node scripts/words.mjs [file …]`: without files, all of the project.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Each habit with its replacement. The list grows when the last use of a word is gone; exceptions belong in the pattern. */
export const HABITS = [
  {
    habit: 'whoever',
    pattern: /\bwhoever\b/i,
    instead: 'name the person or program: the caller, the client, anyone who …',
  },
  { habit: 'is none', pattern: /(?<!\bthere )\b(?:is|are) none\b/i, instead: '"is not a …", "is null", "is empty"' },
  {
    habit: 'told',
    // A catalog's own text, and the connection setting `tells`.
    pattern:
      /\b(?:un)?told\b(?! from a listing title)|(?<=[\w`)] |['*] ?)tell(?:s|ing)?(?=[ .,;:][ a-z`]|$)|\bTell(?:s|ing)? [a-z]/,
    instead: '"state", "report", "identify", "show", "distinguish", "notify"',
  },
  {
    habit: 'is no',
    pattern:
      /(?<!here )\b(?:is|are|was|were) no (?!(?:long|old|wid|larg|small|high|low|near|bett|furth|other|sur)\w*\b|more\b|less\b)[a-z]/,
    instead: '"is not a"',
  },
  { habit: 'sureness', pattern: /\bsureness\b/i, instead: '"confidence"' },
  { habit: 'dear', pattern: /\bdear(?:er|est)?\b/i, instead: '"expensive", "highest price"' },
  { habit: 'looked at', pattern: /\blook(?:ed|s|ing)? at\b/i, instead: '"processed", "read", "checked", "considered"' },
  { habit: 'beside', pattern: /\bbeside\b/i, instead: '"next to", "besides", "compared with"' },
  { habit: 'courier', pattern: /\bcouriers?\b/i, instead: '"service client"' },
  {
    habit: 'refused',
    // The public value of a disposition, fault codes, the variable, and what systems refuse.
    pattern:
      /\brefus(?:ed|es|al|als|ing)\b(?<!['`.]refused)(?!['`]| to run| connections?|PerMinute)(?<!(?:connection|disposition:) refus(?:ed|al))/i,
    instead: 'a row is "rejected", a request "denied" or "rejected"',
  },
  { habit: 'leap', pattern: /\b(?:leaps?|leapt)\b(?! (?:years?|days?)\b)/i, instead: '"jump"' },
  // Not a remainder, nor a placeholder of a test's name.
  { habit: 'space before %', pattern: /[\d}]\s%(?![si]\b)(?!\s\(?\w+\s?[)\]=<>!])/, instead: '"80%"' },
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'test', 'bench', 'docs', 'content', 'scripts', 'packages'];
const CHECKED = /\.(?:ts|tsx|mjs|js|md)$/;
/** This list, and the test that shows each habit. */
const EXEMPT = ['scripts/words.mjs', 'test/words.test.ts'];

/** The habits of a text, each with the number of its line, from 1. */
export function habitsIn(text) {
  return text
    .split('\n')
    .flatMap((line, i) =>
      HABITS.flatMap(({ habit, pattern, instead }) => (pattern.test(line) ? [{ line: i + 1, habit, instead }] : [])),
    );
}

/** Every file that people read, of the whole project. */
function checkedFiles() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  return [...readdirSync(ROOT), ...inFolders].filter(
    (path) => CHECKED.test(path) && !/node_modules\/|\/dist\//.test(path) && !EXEMPT.includes(path),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : checkedFiles().map((path) => `${ROOT}${path}`);
  const found = files.flatMap((file) =>
    habitsIn(readFileSync(file, 'utf8')).map(
      ({ line, habit, instead }) => `${file.replace(ROOT, '')}:${line}: "${habit}": write ${instead}`,
    ),
  );
  for (const message of found) console.error(message);
  if (found.length > 0) process.exitCode = 1;
}
