import { cleanText } from './text.ts';

/**
 * What the sports checklists share. A set is a release; the base section's cards have no variation; any other section
 * (insert, parallel) is the variation, and what a card has beyond it follows: `Rookie Autographs: Gold /10`.
 */

/** How a print run is written: `/50`, and `1/1` for the single copy; null when `count` is not a print run. */
export function printRun(count: unknown): string | null {
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return null;
  return count === 1 ? '1/1' : `/${count}`;
}

/** A variation of its parts, outermost first, and the print run at its end; null for the plain card. */
export function variationOf(parts: readonly (string | null)[], run: string | null = null): string | null {
  const words = parts.filter((part) => part !== null).join(': ');
  // A plain card stays plain though a source counts its copies.
  return words === '' ? null : cleanText(run === null ? words : `${words} ${run}`);
}

const BASE_SECTION =
  /^(base( set| cards| checklist)?( common| uncommon| rare| sp| short prints?| high numbers?)?( set)?( (series|tier) \w+)?|(low|high|first|second|third|1st|2nd|3rd) (series|numbers?)|series (\d|one|two|three|i{1,3}))$/i;

/** True for the titles under which sources list the cards of a release itself. */
export function isBaseTitle(title: string): boolean {
  return BASE_SECTION.test(title.replace(/[\s–—-]+/g, ' ').trim());
}

/**
 * Says which sections of a release are its base, by index: those with a base title, else the first. Two base sections
 * may list the same card: only the first then has the plain one (see `plainCards`).
 */
export function baseSections(titles: readonly string[]): Set<number> {
  const named = titles.flatMap((title, index) => (isBaseTitle(title) ? [index] : []));
  return new Set(named.length > 0 ? named : [0]);
}

/** Remembers which base section a card came from first; a later section with the same card is a variation of it. */
export function plainCards(): (section: number, number: string | null, name: string) => boolean {
  const sectionOf = new Map<string, number>();
  return (section, number, name) => {
    const key = `${number ?? ''}\n${name}`;
    const first = sectionOf.get(key);
    if (first === undefined) sectionOf.set(key, section);
    return first === undefined || first === section;
  };
}

/** The players a card's name states: `A / B`, or in brackets after a title, `Goal Leaders (A / B)`. */
export function playersIn(name: string): string[] {
  if (/\bchecklist\b|\bteam card\b/i.test(name)) return [];
  const listed = /\(([^()]+ \/ [^()]+)\)$/.exec(name)?.[1] ?? name;
  return [...new Set(listed.split(/ ?\/ ?/).map((part) => part.replace(/ CL$/, '').trim()))].filter(Boolean);
}

/** Nicknames of the North American league teams, now and before: they end a team's name. */
const NICKNAMES = new Set(
  `Angels Astros Athletics Expos Nationals Jays Braves Brewers Cardinals Cubs Diamondbacks Dodgers Giants Guardians
  Indians Mariners Marlins Mets Orioles Padres Phillies Pirates Rangers Rays Reds Rockies Royals Tigers Twins Yankees
  49ers Bears Bengals Bills Broncos Browns Buccaneers Chargers Chiefs Colts Commanders Cowboys Dolphins Eagles Falcons
  Jaguars Jets Lions Oilers Packers Panthers Patriots Raiders Rams Ravens Redskins Saints Seahawks Steelers Texans
  Titans Vikings 76ers Bucks Bulls Bullets Cavaliers Celtics Clippers Grizzlies Hawks Heat Hornets Jazz Kings Knicks
  Lakers Magic Mavericks Nets Nuggets Pacers Pelicans Pistons Raptors Rockets Spurs Suns SuperSonics Thunder
  Timberwolves Warriors Wizards Avalanche Blackhawks Blues Bruins Canadiens Canucks Capitals Coyotes Devils Ducks Flames
  Flyers Hurricanes Islanders Kraken Leafs Lightning Nordiques Penguins Predators Sabres Senators Sharks Stars Whalers
  Wild Wings`.split(/\s+/),
);

/** The team in a free note (`Los Angeles Dodgers`), or null when the note says something else. */
export function teamIn(note: string | null): string | null {
  if (note === null) return null;
  const teams = note.split(' / ');
  return teams.every((team) => /^\p{Lu}/u.test(team) && team.length <= 30 && NICKNAMES.has(team.split(' ').at(-1)!))
    ? note
    : null;
}
