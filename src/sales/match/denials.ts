/** What a title says the card is not: "not 1st Edition", "non-shadowless", "no holo", "not Japanese". */

const NOT = String.raw`\b(?:not|no|non|isn'?t|is not|without|w\/o|never)[\s-]+(?:an?\s+|the\s+|in\s+|from\s+)?`;
const LANGUAGE = '(?:japanese|english|korean|french|german|italian|spanish|portuguese|chinese)';
const PRINTING =
  String.raw`(?:(?:1st|first)(?:[\s-]+ed(?:ition|t)?\b\.?)?(?:[\s-]+stamp(?:ed)?)?|shadowless|reverse(?:[\s-]+(?:holo\w*|foil))?` +
  String.raw`|holo\w*|foil|staff(?:[\s-]+stamp(?:ed)?)?|pre[- ]?release|stamped|error|misprint|\w*refractor|auto(?:graph(?:ed)?)?` +
  String.raw`|signed|parallel|jumbo|oversized?|unlimited|promo|${LANGUAGE})\b`;
/** "Or" goes on denying; a comma or "and" may not: "non 1st Edition, Shadowless". */
const DENIAL = new RegExp(String.raw`${NOT}(${PRINTING}(?:\s*(?:\bor\b|\bnor\b|\/)\s*${PRINTING})*)`, 'g');
const EACH = new RegExp(PRINTING, 'g');

type Denials = {
  /** The title without what it denies; a denied holo is the word `nonholo`, which names a finish. */
  left: string;
  /** Denied languages as words, in lower case. */
  languages: string[];
};

/** Takes denied printings out of a title in lower case, so that they are not read as stated. */
export function readDenials(text: string): Denials {
  const languages: string[] = [];
  const left = text.replace(DENIAL, (_whole, denied: string) => {
    const words = [...denied.matchAll(EACH)].map(([word]) => word);
    languages.push(...words.filter((word) => new RegExp(`^${LANGUAGE}$`).test(word)));
    return words.some((word) => /^(?:holo|foil)/.test(word)) ? ' nonholo ' : ' ';
  });
  return { left, languages };
}
