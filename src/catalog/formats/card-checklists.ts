import { groupBy } from '../../lib/group-by.ts';
import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { parallelsIn } from './card-checklists-parallels.ts';
import { broken, dropped, readSource, recordEntry, type SourceFile, someOf } from './source-files.ts';
import { baseSections, isBaseTitle, plainCards, playersIn, variationOf } from './sports.ts';
import { cleanText, isObject, type Json, yearOf } from './text.ts';

const SPACE = 'card-checklists';

/** Notes of a section are prose of some hundred characters; a longer text is not read to its end. */
const MAX_NOTES = 4000;

/** card-checklists releases, one JSON file each; its index of releases is skipped. */
export const cardChecklists: CatalogFormat = {
  name: 'card-checklists',
  game: 'sports',
  about: 'card-checklists releases (sports): one JSON file for a release, or a folder of them',
  read: (paths) => readSource(paths, { aside: ['_release-index.json'], open: () => readFile }),
};

function readFile({ path, value }: SourceFile): Iterable<CatalogEntry> | null {
  const isRelease = isObject(value) && Array.isArray(value.sections) && cleanText(value.slug) && cleanText(value.name);
  return isRelease ? releaseEntries(value, path) : null;
}

/** A row of a section: a card, or one player of a card of several. */
type Row = { number: string; player: string; team: string | null; mark: string | null; where: string };

function* releaseEntries(release: Json, path: string): Generator<CatalogEntry> {
  const name = releaseName(cleanText(release.name)!, cleanText(release.sport));
  const year = yearOf(name) ?? yearOf(release.year);
  const set: SourceSet = { key: cleanText(release.slug)!, name, code: null, year };
  const sections = release.sections as unknown[];
  const titles = sections.map((section) => sectionTitle(isObject(section) ? cleanText(section.title) : null));
  const base = baseSections(titles);
  const isPlain = plainCards();
  const teams = teamsOf(sections, base);
  const seen = new Set<string>();
  for (const [s, section] of sections.entries()) {
    const place = `${path} sections[${s}]`;
    if (!isObject(section) || titles[s] === '' || !Array.isArray(section.cards)) {
      yield broken('a section without title or cards', place);
      continue;
    }
    const rows: Row[] = [];
    for (const [c, card] of section.cards.entries()) {
      const row = rowOf(card, `${place}.cards[${c}]`);
      const last = rows.at(-1);
      if ('kind' in row) yield row;
      else if (last !== undefined && isSameCard(last, row)) {
        last.player = `${last.player} / ${row.player}`;
        yield dropped('player_of_same_card', row.where);
      } else rows.push(row);
    }
    const parallels = parallelsIn(typeof section.odds === 'string' ? section.odds.slice(0, MAX_NOTES) : '');
    for (const text of parallels.unclear) yield dropped('parallel_unclear', `${place}.odds: ${text}`);
    // "Base Clear Parallels" are the Clear parallel of the base; where the section names parallels, it is only their list.
    const listed = /^(.*?) ?parallels$/i.exec(titles[s]!)?.[1] ?? null;
    const title = listed === null ? titles[s]! : listed.replace(/^base /i, '').replace(/ prizms$/i, '');
    const details = detailsOf(rows, teams);
    for (const row of rows) {
      const isBase = listed === null && base.has(s) && isPlain(s, row.number, row.player);
      const section = isBase ? null : title.replace(/^Base (Variation)s?$/i, '$1');
      const entry = (parts: (string | null)[], run: string | null): CatalogEntry => {
        const variation = variationOf([section, details.get(row) ?? null, ...parts], run);
        const id = [set.key, row.number, row.player, variation ?? ''].join('|');
        if (seen.has(id)) return dropped('repeat', `${row.where} ${variation ?? ''}`.trim());
        seen.add(id);
        const team = details.has(row) && !teams.has(row.team ?? '') ? null : row.team;
        return recordOf(set, { ...row, team }, variation, id, titles[s]!);
      };
      if (listed !== null && parallels.named.length > 0) yield dropped('no_plain_version', row.where);
      else yield entry([], runOf(row));
      for (const parallel of parallels.named)
        if (!parallel.without.some((surname) => row.player.endsWith(surname)))
          yield entry([parallel.name], parallel.run);
    }
  }
}

function recordOf(set: SourceSet, row: Row, variation: string | null, id: string, title: string): CatalogEntry {
  const players = row.mark === 'CL' ? [] : playersIn(row.player);
  const team = row.team?.replace(TRAILING_RUN, '').replace(/[\s*]+$/, '');
  const tier = isBaseTitle(title) ? (/\b(common|uncommon|rare)\b/i.exec(title)?.[1] ?? null) : null;
  return recordEntry({
    game: 'sports',
    ids: [[SPACE, id]],
    set,
    number: row.number,
    name: row.player,
    variation,
    rarity: row.mark === 'SP' || row.mark === 'SSP' ? row.mark : tier,
    facts: { characters: someOf(players), team: team || null, cardKind: row.mark === 'RC' ? 'RC' : null },
  });
}

/** `2018 Topps Update Series Baseball Cards`, `2024 Topps Chrome Formula 1 – Racing`: year, release and sport once. */
function releaseName(name: string, sport: string | null): string {
  const bare = name.replace(/ – ([\w ]+?)( Cards)?$/, '').replace(/ Cards\b(?= –|$)/, '');
  const hasSport = /\b(baseball|basketball|football|hockey|soccer|racing|golf|tennis|wrestling|boxing|mma|ufc)\b/i.test(
    bare,
  );
  return hasSport || sport === null ? bare : `${bare} ${sport}`;
}

/** A section's title without the release's name before it and the word Set after it. */
function sectionTitle(title: string | null): string {
  if (title === null) return '';
  const bare = title.replace(/^.*\d{4}.* – /, '');
  return isBaseTitle(bare) ? bare : bare.replace(/ Set$/, '');
}

/** A source writes column heads and sentences as cards too: they are recognized by their words. */
function rowOf(card: unknown, where: string): Row | CatalogEntry {
  const number = isObject(card) ? cleanText(card.n) : null;
  const player = isObject(card) ? cleanText(card.p) : null;
  if (!isObject(card) || number === null || player === null) return broken('a card without n or p', where);
  if (/^(cards|players)\b|numbered|\bonly\.$/.test(player)) return dropped('not_a_card', where);
  const team = cleanText(card.t);
  if (team === null && /^(Drivers|Cars|Award Winners|Legends|Rookies|Veterans|Managers|Teams)$/.test(player))
    return dropped('not_a_card', where);
  return { number, player, team, mark: cleanText(card.x), where };
}

const TRAILING_RUN = / *(#?\/ ?(\d+)|1\/1)[ *]*$/;

/** The print run at the end of a row's team (`Carolina Panthers #/ 99`) or in its mark (`/10`). */
function runOf(row: Row): string | null {
  const found = TRAILING_RUN.exec(row.mark ?? '') ?? TRAILING_RUN.exec(row.team ?? '');
  if (found === null) return null;
  return found[2] === undefined || found[2] === '1' ? '1/1' : `/${found[2]}`;
}

/** Players of one card are in consecutive rows, with one number and one line in place of the team. */
function isSameCard(last: Row, row: Row): boolean {
  return (
    last.number === row.number &&
    last.team !== null &&
    last.team === row.team &&
    /\b(combos?|duals?|trios?|leaders)\b/i.test(row.team)
  );
}

/** The teams in the base sections: elsewhere the same field may describe a variation. */
function teamsOf(sections: unknown[], base: Set<number>): Set<string> {
  const teams = new Set<string>();
  for (const index of base) {
    const section = sections[index];
    if (!isObject(section) || !Array.isArray(section.cards)) continue;
    for (const card of section.cards) {
      const team = isObject(card) ? cleanText(card.t) : null;
      if (team !== null) teams.add(team);
    }
  }
  return teams;
}

/**
 * What distinguishes rows of a section that share number and player: the words in brackets after the team
 * (`LA Angels (Batting)`), a description in its place, or different teams.
 */
function detailsOf(rows: Row[], teams: Set<string>): Map<Row, string> {
  const groups = groupBy(rows, ({ number, player }) => `${number}\n${player}`);
  const details = new Map<Row, string>();
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const clubs = new Set(group.map((row) => row.team).filter((team) => team !== null && teams.has(team)));
    for (const row of group) {
      if (row.team === null || (teams.has(row.team) && clubs.size === 1)) continue;
      details.set(row, /\(([^()]+)\)$/.exec(row.team)?.[1] ?? row.team);
    }
  }
  return details;
}
