import type { Language } from '../../../src/catalog/languages.ts';
import type { MatchItem } from '../../../src/sales/match/match-index.ts';

/** The small catalog that titles.json is measured against: its truths, each with near siblings. */

export type Title = {
  title: string;
  truth_basis: string;
  truth: {
    company?: string | null;
    grade?: number | null;
    label?: string | null;
    name?: string;
    player?: string;
    set?: string | null;
    number?: string | null;
    language?: string;
    edition?: string | null;
    parallel?: string;
    multi_card?: boolean;
    candidate_card_id?: string;
    is_that_card?: boolean;
  };
};

/** Sets of the Japanese cards that the file calls "other card", recognized by words of their titles. */
const OTHER_SETS: [words: RegExp, set: string, code: string | null, year: number][] = [
  [/blue shock/i, 'Blue Shock', 'XY8a', 2015],
  [/red flash/i, 'Red Flash', 'XY8b', 2015],
  [/20th anniversary/i, 'Expansion Pack 20th Anniversary', 'CP6', 2016],
  [/expansion p/i, 'Expansion Pack', 'ADV1', 2003],
  [/best of xy/i, 'The Best of XY', null, 2017],
  [/psycho drive/i, 'Psycho Drive', 'BW3', 2012],
  [/xy promo/i, 'XY Promo', 'XY-P', 2015],
  [/rocket gang strikes back/i, 'Rocket Gang Strikes Back', 'PCG', 2004],
];

/** Years and codes of the sets that the truths name. */
const SETS: Record<string, [name: string, code: string | null, year: number]> = {
  'SM Shining Legends': ['Shining Legends', 'SLG', 2017],
  'SWSH Black Star Promos': ['SWSH Black Star Promos', 'PR-SW', 2019],
  'SM Black Star Promos': ['SM Black Star Promos', 'PR-SM', 2017],
  'Base Set': ['Base Set', 'BS', 1999],
  'Neo Genesis': ['Neo Genesis', 'N1', 2000],
  Expedition: ['Expedition Base Set', 'EX', 2002],
  'Legendary Collection': ['Legendary Collection', 'LC', 2002],
  'Neo Destiny': ['Neo Destiny', 'N4', 2002],
  'Hidden Fates Shiny Vault': ['Hidden Fates Shiny Vault', 'HIF', 2019],
  'Wind from the Sea': ['Wind from the Sea', 'E3', 2002],
  'Vivid Voltage': ['Vivid Voltage', 'VIV', 2020],
  'XY Evolutions': ['Evolutions', 'EVO', 2016],
  'Unified Minds': ['Unified Minds', 'UNM', 2019],
  'Unbroken Bonds': ['Unbroken Bonds', 'UNB', 2019],
  Fossil: ['Fossil', 'FO', 1999],
  'Rebel Clash': ['Rebel Clash', 'RCL', 2020],
  'Call of Legends': ['Call of Legends', 'CL', 2011],
  'SV10 Glory of Team Rocket (Japanese)': ['Glory of Team Rocket', 'SV10', 2025],
  'Destined Rivals': ['Destined Rivals', 'DRI', 2025],
};

const LABELLED: Record<string, Pick<MatchItem, 'setName' | 'number' | 'name' | 'year'>> = {
  'cpa-ep': { setName: '2025 Bowman Chrome Baseball', number: 'CPA-EP', name: 'Elian Peña', year: 2025 },
  'cpa-fa': { setName: '2025 Bowman Chrome Baseball', number: 'CPA-FA', name: 'Franklin Arias', year: 2025 },
  'cpa-bd': { setName: '2025 Bowman Chrome Baseball', number: 'CPA-BD', name: 'Bo Davidson', year: 2025 },
  'cpa-gwo': { setName: '2024 Bowman Baseball', number: 'CPA-GWO', name: 'George Wolkow', year: 2024 },
  'cpa-cbo': { setName: '2024 Bowman Draft Baseball', number: 'CPA-CBO', name: 'Caleb Bonemer', year: 2024 },
  'bca-ka': { setName: '2025 Bowman University Chrome Football', number: 'BCA-KA', name: 'Kaytron Allen', year: 2025 },
};

const EDITIONS: Record<string, string> = { '1st': '1st Edition', reverse: 'Reverse Holo' };

/** The item that a title's truth is, or null when the truth names no single card. */
export function truthItem({ title, truth }: Title): Omit<MatchItem, 'id'> | null {
  if (truth.player !== undefined) {
    const parallel = truth.parallel === 'base' ? '' : `: ${truth.parallel}`;
    const set = { setName: '2024 Donruss Optic Football', setCode: null, year: 2024 };
    return sports({ ...set, number: '3', name: truth.player, variation: `Rookie Kings${parallel}` });
  }
  if (truth.candidate_card_id !== undefined) {
    const key = Object.keys(LABELLED).find((it) => truth.candidate_card_id!.includes(`-${it}-`))!;
    return sports({ ...LABELLED[key]!, setCode: null, variation: 'Chrome Prospect Autographs' });
  }
  if (truth.name === undefined || truth.number == null || truth.multi_card) return null;
  const other = OTHER_SETS.find(([words]) => words.test(title));
  const [setName, setCode, year] = truth.set ? SETS[truth.set]! : (other!.slice(1) as [string, string | null, number]);
  const first = truth.edition === undefined && /1st edition/i.test(title) ? '1st' : truth.edition;
  const name = truth.name.startsWith('Mewtwo ex (')
    ? /\bM Mewtwo/i.test(title)
      ? 'M Mewtwo EX'
      : 'Mewtwo EX'
    : truth.name;
  return {
    game: 'pokemon',
    setName,
    setCode,
    number: truth.number,
    name,
    language: truth.language === 'ja' ? 'Japanese' : 'English',
    variation: EDITIONS[first ?? ''] ?? null,
    rarity: null,
    year,
  };
}

function sports(
  item: Pick<MatchItem, 'setName' | 'setCode' | 'number' | 'name' | 'year' | 'variation'>,
): Omit<MatchItem, 'id'> {
  return { game: 'sports', language: 'English', rarity: null, ...item };
}

/** At least ten cards that are easily taken for `item`: other sets, numbers, printings, languages, names. */
export function siblings(item: Omit<MatchItem, 'id'>): Omit<MatchItem, 'id'>[] {
  const isSports = item.game === 'sports';
  const number = item.number!;
  const next = (step: number): string =>
    /\d/.test(number)
      ? number.replace(/\d+/, (digits) => String(Number(digits) + step).padStart(digits.length, '0'))
      : `${number}${'XY'[step % 2]}`;
  const otherSets = isSports
    ? [
        `${item.year! - 1}${item.setName.slice(4)}`,
        `${item.year} Topps Chrome Baseball`,
        `${item.year} Panini Prizm Football`,
      ]
    : ['Crown Zenith', 'Primal Clash', 'Triplet Beat'];
  const otherLanguages: Language[] =
    item.language === 'Japanese' ? ['Korean', 'Chinese Traditional'] : ['French', 'German'];
  const section = item.variation?.split(':')[0] ?? null;
  const variations = isSports
    ? [
        null,
        section,
        ...['Refractor /499', 'Speckle Refractor /299', 'Gold /10', 'Holo', 'Orange Shimmer /25'].map(
          (it) => `${section}: ${it}`,
        ),
      ]
    : [null, '1st Edition', 'Reverse Holo', 'Staff Stamp'];
  return [
    ...otherSets.map((setName, at) => ({
      ...item,
      setName,
      setCode: null,
      year: isSports ? Number(setName.slice(0, 4)) : item.year! + at - 1,
    })),
    ...[1, 2, 7].map((step) => ({ ...item, number: next(step) })),
    ...(isSports ? [] : otherLanguages.map((language) => ({ ...item, language }))),
    ...variations.filter((variation) => variation !== item.variation).map((variation) => ({ ...item, variation })),
    { ...item, name: isSports ? 'Joe Burrow' : 'Snorlax' },
  ];
}

export function itemKey(item: Omit<MatchItem, 'id'>): string {
  return [item.setName, item.number, item.name, item.language, item.variation].join('|');
}
