import type { Game } from '../../catalog/games.ts';

/** A word that shows that it is not a single card, unless it is part of the card's own name. */
export type TitleRejection = { reason: 'lot' | 'not_card'; word: string };

const LOT = new RegExp(
  [
    'lots?|bundles?|playset|seq(?:uential)?|complete set|choose|you pick|u pick|pick (?:your|a|the)|pair|both cards|collection of',
    String.raw`set of (?:\d{1,3}|two|three|four|five|six|cards)|[2-9]\d? (?:cards?|karten)|x[2-9]|[2-9]x`,
    // German. A single card is sold "aus Sammlung", out of a collection.
    String.raw`\w*konvolute?|(?<!\baus (?:\w+ ){0,3})(?:karten)?sammlung`,
  ]
    .join('|')
    .replace(/^/, String.raw`\b(?:`)
    .replace(/$/, String.raw`)\b`),
);

const NOT_CARD = new RegExp(
  [
    // Imitations.
    'prox(?:y|ies)|customs?|orica|fan art|fanart|digital|reprints?|replica|bootleg|fake|counterfeit|gold plated|metal card|aceo',
    // What cards come in, or come with.
    'code cards?|online code|empty|(?:case|label|flip|slab) only|no card|booster (?:box|pack)|sealed',
    // Draws.
    'mystery (?:pack|box|slab|bag|card|power|lot|cube|envelope)s?|(?:pack|slab|box) chance|chance (?:at|to (?:win|pull|get))',
    'repack(?:ed|s)?|grab bags?|raffle|razz|random (?:pack|card|slab|pull|team)s?|(?:break|breaker) (?:spot|slot)s?',
    // Things for collectors. A card that is sold in a case or with a stand is still a card.
    String.raw`(?<!\b(?:in|with|w\/|includes|incl\.?|\+) (?:an? )?(?:acrylic )?)(?:display|phone|slab|art|storage|carrying) (?:case|stand|box)`,
    '(?:card|slab) (?:stand|protector|holder)s?|(?:case|stand|frame|holder|protector) for|(?:acrylic|picture|wall) frame',
    'magnets?|decals?|key ?(?:chain|ring)s?|posters?(?! collection)|t-?shirts?|play ?mats?(?! set)|mouse ?pads?|mugs?',
  ]
    .map((words) => `(?:${words})`)
    .join('|')
    .replace(/^/, String.raw`\b(?:`)
    .replace(/$/, String.raw`)\b`),
);
const STICKER = /\b(?<!on )stickers?\b(?! auto)/;
const GRADE_STICKER =
  /\b(?:(?:psa|bgs|cgc|beckett) (?:gem mint |mint )?(?:10|[1-9](?:\.5)?)|mint|grade|label|slab|custom|vinyl) stickers?\b(?! auto)/;

/**
 * The first word by which a title is rejected. `text` is in lower case and `rest` is it without its grade. Sports have
 * cards called stickers, and autographs on stickers: there only a sticker of a grade is rejected.
 */
export function rejectionIn(rest: string, text: string, game: Game | null): TitleRejection | null {
  const lot = LOT.exec(rest);
  if (lot !== null) return { reason: 'lot', word: lot[0] };
  const thing = NOT_CARD.exec(rest) ?? (game === 'sports' ? GRADE_STICKER.exec(text) : STICKER.exec(rest));
  return thing === null ? null : { reason: 'not_card', word: thing[0].trim() };
}
