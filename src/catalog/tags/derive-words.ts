import { wordOf } from '../formats/text.ts';
import type { Game } from '../games.ts';

/** The names of rarities, types and colors, where catalogs have codes or several spellings for one. */

const CODES = { C: 'Common', U: 'Uncommon', R: 'Rare', P: 'Promo' };

const RARITIES: Partial<Record<Game, Record<string, string>>> = {
  pokemon: {
    'Rare Holo': 'Holo Rare',
    'Rare Holo V': 'Holo Rare V',
    'Rare Holo VMAX': 'Holo Rare VMAX',
    'Rare Holo VSTAR': 'Holo Rare VSTAR',
    'Rare Holo GX': 'Holo Rare GX',
    'Rare Holo EX': 'Holo Rare EX',
    'Rare Ultra': 'Ultra Rare',
    'Rare Secret': 'Secret Rare',
    'Rare Rainbow': 'Rainbow Rare',
  },
  digimon: { ...CODES, SR: 'Super Rare', SEC: 'Secret Rare', UR: 'Ultra Rare' },
  gundam: { ...CODES, LR: 'Legend Rare' },
};

const TYPES: Partial<Record<Game, Record<string, string>>> = { pokemon: { Dark: 'Darkness' } };

/** English name of a rarity. `C+` of Gundam is "Common Plus": the plus must not fold away. */
export function rarityName(game: Game, rarity: string): string {
  const base = rarity.replace(/\++$/, '');
  const pluses = ' Plus'.repeat(rarity.length - base.length);
  return capitalized(wordOf(RARITIES[game] ?? {}, base) ?? base) + pluses;
}

/** English name of a type; some catalogs write `seven_dwarfs`. */
export function typeName(game: Game, type: string): string {
  return capitalized(wordOf(TYPES[game] ?? {}, type) ?? type.replaceAll('_', ' '));
}

export function capitalized(text: string): string {
  return text.replace(/(^|\s)(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
