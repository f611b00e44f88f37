import { type Game, isGame } from '../../catalog/games.ts';
import { foldWords } from '../../catalog/words/fold.ts';

/** Where `words` are together in a query, the query is also read with each of `expansions` in their place. */
export type SynonymRule = {
  /** The game that readings by this rule are about; null for all games. */
  game: Game | null;
  /** As the file has it. */
  phrase: string;
  /** The phrase as `foldWords` gives it; for scripts that do not fold, its NFKC text in lower case as the only word. */
  words: string[];
  /** As the file has them, in the file's order: to be read like any query. */
  expansions: string[];
};

export type SynonymMistake = { line: number; message: string };

const MAX_RULES = 10_000;
const MAX_LINE_LENGTH = 400;
const MAX_PHRASE_WORDS = 8;
const MAX_EXPANSION_WORDS = 12;

/**
 * Reads a synonyms file: one `<game|*>: <phrase> = <expansion> [| <other expansion>]` a line, `#` begins a comment. A
 * line that is not a rule is left out and reported by its number, counted from 1; never throws.
 */
export function parseSynonyms(text: string): { rules: SynonymRule[]; mistakes: SynonymMistake[] } {
  const rules: SynonymRule[] = [];
  const mistakes: SynonymMistake[] = [];
  const lineByKey = new Map<string, number>();
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = index + 1;
    if (written.length > MAX_LINE_LENGTH) {
      mistakes.push({ line, message: `The line is longer than ${MAX_LINE_LENGTH} characters.` });
      continue;
    }
    const content = written.split('#', 1)[0]!.trim();
    if (content === '') continue;
    const rule = parseRule(content);
    if (typeof rule === 'string') {
      mistakes.push({ line, message: rule });
      continue;
    }
    const key = synonymKey(rule);
    const earlier = lineByKey.get(key);
    if (earlier !== undefined) {
      mistakes.push({ line, message: `"${rule.phrase}" has a rule of this game on line ${earlier}.` });
      continue;
    }
    if (rules.length === MAX_RULES) {
      mistakes.push({
        line,
        message: `A file has at most ${MAX_RULES} rules: this line and those after it are not read.`,
      });
      break;
    }
    lineByKey.set(key, line);
    rules.push(rule);
  }
  return { rules, mistakes };
}

/** The rules of two files as one list: where both have a rule for one phrase of one game, only the later file's. */
export function mergeSynonyms(earlier: SynonymRule[], later: SynonymRule[]): SynonymRule[] {
  return [...new Map([...earlier, ...later].map((rule) => [synonymKey(rule), rule])).values()];
}

function synonymKey({ game, words }: SynonymRule): string {
  return `${game ?? '*'}:${words.join(' ')}`;
}

/** The rule of a line, or what is wrong with it. */
function parseRule(content: string): SynonymRule | string {
  const parts = /^([^:=]*):([^=]*)=([^=]*)$/.exec(content);
  if (parts === null) return 'A rule is written "game: phrase = expansion".';
  const [scope, phrase, rest] = parts.slice(1).map(tidy) as [string, string, string];
  if (scope !== '*' && !isGame(scope)) return `"${scope}" is not a game; * stands for all games.`;
  const words = wordsOf(phrase);
  if (words.length === 0) return 'The phrase has no words.';
  if (words.length > MAX_PHRASE_WORDS) return `The phrase has more than ${MAX_PHRASE_WORDS} words.`;

  const expansions = rest.split('|').map(tidy);
  const seen = new Set([words.join(' ')]);
  for (const expansion of expansions) {
    const expansionWords = wordsOf(expansion);
    if (expansionWords.length === 0) return 'An expansion has no words.';
    if (expansionWords.length > MAX_EXPANSION_WORDS) {
      return `"${expansion}" has more than ${MAX_EXPANSION_WORDS} words.`;
    }
    const folded = expansionWords.join(' ');
    if (seen.has(folded)) return `"${expansion}" is the phrase itself or occurs twice.`;
    seen.add(folded);
  }
  return { game: scope === '*' ? null : scope, phrase, words, expansions };
}

function tidy(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Folded words, or the whole text where it has letters that fold to nothing (ピカチュウ, リザードンVMAX). */
function wordsOf(text: string): string[] {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.some((letter) => foldWords(letter).length === 0) ? [text.toLowerCase()] : foldWords(text);
}
