/** A parallel that a section's notes name. */
type NamedParallel = {
  name: string;
  /** `/25`, `1/1`, or null when it is not numbered. */
  run: string | null;
  /** Surnames of the players that do not have it. */
  without: string[];
};

/** `PRIZM PARALLELS:`, `PARALLEL CARDS (Hobby):`, `FAST BREAK PRIZMS:`: the heading of a list of parallels. */
const HEADING = /^((?:[A-Z0-9]+ )*?)(PRIZM PARALLELS|PRIZMS|PARALLEL CARDS|PARALLELS)(?: \([^)]*\))?: ?/;

const ITEM = /^([A-Z][A-Za-z'’/& -]{0,39}?)(?: (?:#\/ ?(\d+)|(1\/1)))?((?: ?\([^)]*\))*)\*?$/;

/**
 * The parallels in the free notes of a section ("PRIZM PARALLELS: Silver, Gold #/10, Black 1/1. · Hobby only."). What
 * does not read as a list of names for every card of the section comes back as unclear and makes no printing.
 */
export function parallelsIn(notes: string): { named: NamedParallel[]; unclear: string[] } {
  const named: NamedParallel[] = [];
  const unclear: string[] = [];
  for (const clause of notes.split(' · ')) {
    const heading = HEADING.exec(clause);
    if (heading === null) continue;
    const line = titleCase(heading[1]!.trim());
    const isPrizm = heading[2]!.startsWith('PRIZM');
    for (const text of topLevelItems(clause.slice(heading[0].length))) {
      const item = ITEM.exec(text);
      const remark = item?.[4] ?? '';
      if (item === null || /select|some|only certain/i.test(remark)) {
        unclear.push(text);
        continue;
      }
      const run = item[2] === undefined ? (item[3] ?? null) : item[2] === '1' ? '1/1' : `/${item[2]}`;
      named.push({ name: parallelName(line, item[1]!.trim(), isPrizm), run, without: surnamesWithout(remark) });
    }
  }
  return { named, unclear };
}

/** `Silver` under PRIZM PARALLELS is a `Silver Prizm`; `Base` under FAST BREAK PRIZMS is the `Fast Break Prizm`. */
function parallelName(line: string, name: string, isPrizm: boolean): string {
  // FOTL (first off the line) says where a parallel is sold; its colors are named in full.
  const words = [line === 'Fotl' || name.startsWith(line) ? '' : line, line !== '' && name === 'Base' ? '' : name];
  if (isPrizm && !name.endsWith('Prizm')) words.push('Prizm');
  return words.filter(Boolean).join(' ');
}

/** The surnames in `(No Hield, Teodosic*)`. */
function surnamesWithout(remark: string): string[] {
  const list = /\(No ([^)]*)\)/.exec(remark)?.[1];
  return list === undefined ? [] : list.split(',').map((name) => name.replaceAll('*', '').trim());
}

/** Splits at the commas outside brackets, up to a sentence that follows the list. */
function topLevelItems(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    const sign = list[at];
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === undefined || (sign === ',' && depth <= 0 && !/\d/.test(list[at + 1] ?? ''))) {
      items.push(list.slice(from, at).trim().replace(/\.$/, ''));
      from = at + 1;
    }
  }
  return items.filter(Boolean);
}

function titleCase(words: string): string {
  return words.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
