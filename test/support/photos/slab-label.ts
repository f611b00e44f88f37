import type { Random } from './photo-random.ts';

/** What is printed on a label. */
export type LabelPrint = {
  company: 'PSA' | 'BGS' | 'CGC';
  layout: 'red border' | 'white' | 'subgrades' | 'black' | 'dark header' | 'dark box' | 'blue header';
  /** Digits as printed; null where the front of the slab has none. */
  cert: string | null;
  /** What the barcode says; null without one. */
  barcode: { kind: 'ITF' | 'Code128' | 'QRCode' | 'DataMatrix'; text: string } | null;
  gradeWords: string;
  gradeNumber: string;
  /** Key of the grade's row in the table of grades. */
  gradeKey: string;
  card: LabelCard;
};

export type LabelCard = { name: string; year: number; game: string; set: string; number: string; variety: string };

const PSA_GRADES: readonly [words: string, number: string, weight: number][] = [
  ['GEM MT', '10', 4],
  ['MINT', '9', 4],
  ['NM-MT', '8', 3],
  ['NM-MT+', '8.5', 1],
  ['NM', '7', 2],
  ['NM+', '7.5', 1],
  ['EX-MT', '6', 2],
  ['EX', '5', 1],
  ['VG-EX', '4', 1],
  ['VG', '3', 1],
  ['GOOD', '2', 1],
];
const BGS_GRADES: readonly [words: string, number: string, weight: number][] = [
  ['GEM MINT', '9.5', 4],
  ['MINT', '9', 4],
  ['NEAR MINT-MINT+', '8.5', 2],
  ['NEAR MINT-MINT', '8', 2],
  ['NEAR MINT+', '7.5', 1],
  ['NEAR MINT', '7', 1],
  ['EXCELLENT-NM', '6', 1],
  ['PRISTINE', '10', 1],
];
const CGC_GRADES: readonly [words: string, number: string, weight: number][] = [
  ['GEM MINT', '10', 4],
  ['PRISTINE', '10', 3],
  ['MINT+', '9.5', 2],
  ['MINT', '9', 4],
  ['NM/Mint+', '8.5', 2],
  ['NM/Mint', '8', 2],
  ['Near Mint', '7', 1],
  ['EX/NM', '6', 1],
];

const CARDS: readonly LabelCard[] = [
  { name: 'Charizard', year: 1999, game: 'Pokemon', set: 'Base Set', number: '4/102', variety: 'Holo' },
  { name: 'Blastoise', year: 1999, game: 'Pokemon', set: 'Game', number: '2', variety: '1st Edition' },
  { name: 'Umbreon VMAX', year: 2021, game: 'Pokemon', set: 'Evolving Skies', number: '215/203', variety: 'Secret' },
  { name: 'Pikachu', year: 2016, game: 'Pokemon', set: 'XY Evolutions', number: '35/108', variety: 'Reverse Foil' },
  { name: 'Rayquaza', year: 2018, game: 'Pokemon', set: 'Celestial Storm', number: '177', variety: 'Rainbow' },
  { name: 'Giratina V', year: 2022, game: 'Pokemon', set: 'Lost Origin', number: '186', variety: 'Alternate Art' },
  { name: 'Monkey.D.Luffy', year: 2023, game: 'One Piece', set: 'Romance Dawn', number: 'OP01-003', variety: '' },
  { name: 'Black Lotus', year: 1993, game: 'Magic', set: 'Alpha', number: '', variety: '' },
  { name: 'Counterspell', year: 1993, game: 'Magic', set: 'Beta', number: '', variety: '' },
  { name: 'Dark Magician', year: 2002, game: 'Yu-Gi-Oh!', set: 'LOB', number: '005', variety: '1st Edition' },
  { name: 'Elsa', year: 2023, game: 'Lorcana', set: 'The First Chapter', number: '207/204', variety: 'Enchanted' },
  { name: 'Michael Jordan', year: 1986, game: 'Sports', set: 'Fleer', number: '57', variety: '' },
];

/** A label of one of three companies, by chance. */
export function randomLabel(random: Random, company: LabelPrint['company']): LabelPrint {
  const card = random.pick(CARDS);
  const digits = (count: number) =>
    String(random.whole(1, 9)) + Array.from({ length: count - 1 }, () => random.whole(0, 9)).join('');
  if (company === 'PSA') {
    const [gradeWords, gradeNumber] = weighted(random, PSA_GRADES);
    const cert = digits(random.pick([8, 8, 8, 9]));
    const kind = random.pick(['ITF', 'ITF', 'Code128', 'QRCode', null] as const);
    // Interleaved digits come in pairs.
    const text =
      kind === 'QRCode'
        ? `https://www.psacard.com/cert/${cert}`
        : kind === 'ITF' && cert.length % 2
          ? `0${cert}`
          : cert;
    const barcode = kind === null ? null : { kind, text };
    const gradeKey = `psa-${gradeNumber.replace('.', '-')}`;
    return { company, layout: 'red border', cert, barcode, gradeWords, gradeNumber, gradeKey, card };
  }
  if (company === 'BGS') {
    const [words, gradeNumber] = weighted(random, BGS_GRADES);
    const layout =
      words === 'PRISTINE' && random.chance(0.5) ? 'black' : random.pick(['subgrades', 'subgrades', 'white'] as const);
    const cert = `00${digits(8)}`;
    const barcode = random.chance(0.3) ? { kind: 'DataMatrix' as const, text: cert } : null;
    const gradeWords = layout === 'black' ? 'PRISTINE BLACK LABEL' : words;
    const gradeKey = layout === 'black' ? 'bgs-10-5' : `bgs-${gradeNumber.replace('.', '-')}`;
    return { company, layout, cert, barcode, gradeWords, gradeNumber, gradeKey, card };
  }
  const [gradeWords, gradeNumber] = weighted(random, CGC_GRADES);
  const isTop = gradeNumber === '10';
  const gradeKey = gradeWords === 'GEM MINT' ? 'cgc-10-gem-mint' : `cgc-${gradeNumber.replace('.', '-')}`;
  if (!isTop && random.chance(0.3))
    return { company, layout: 'blue header', cert: null, barcode: null, gradeWords, gradeNumber, gradeKey, card };
  const cert = digits(random.pick([10, 10, 10, 13]));
  const layout = isTop ? random.pick(['dark box', 'dark header'] as const) : 'dark header';
  return { company, layout, cert, barcode: { kind: 'Code128', text: cert }, gradeWords, gradeNumber, gradeKey, card };
}

function weighted<T extends readonly [string, string, number]>(random: Random, choices: readonly T[]): T {
  const often = choices.flatMap((choice) => Array.from({ length: choice[2] }, () => choice));
  return random.pick(often);
}
