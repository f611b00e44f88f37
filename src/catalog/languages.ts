/** The closed list of printing languages: English names, as in the API; codes, as sources write them. */

export const LANGUAGES = [
  'English',
  'Japanese',
  'French',
  'German',
  'Italian',
  'Spanish',
  'Portuguese',
  'Korean',
  'Chinese Simplified',
  'Chinese Traditional',
  'Thai',
  'Indonesian',
  'Dutch',
  'Polish',
  'Russian',
  // Magic has printed single cards in these.
  'Hebrew',
  'Latin',
  'Ancient Greek',
  'Arabic',
  'Sanskrit',
  'Phyrexian',
] as const;

export type Language = (typeof LANGUAGES)[number];

const BY_CODE: Record<string, Language> = {
  en: 'English',
  ja: 'Japanese',
  jp: 'Japanese',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  es: 'Spanish',
  sp: 'Spanish',
  pt: 'Portuguese',
  'pt-br': 'Portuguese',
  'pt-pt': 'Portuguese',
  ko: 'Korean',
  kr: 'Korean',
  'zh-cn': 'Chinese Simplified',
  zhs: 'Chinese Simplified',
  zh: 'Chinese Simplified',
  'zh-tw': 'Chinese Traditional',
  zht: 'Chinese Traditional',
  th: 'Thai',
  id: 'Indonesian',
  nl: 'Dutch',
  pl: 'Polish',
  ru: 'Russian',
  he: 'Hebrew',
  la: 'Latin',
  grc: 'Ancient Greek',
  ar: 'Arabic',
  sa: 'Sanskrit',
  ph: 'Phyrexian',
};

/** The language of a source's code (`en`, `zh-tw`, `jp`; case does not matter), or null when the list has none. */
export function languageOfCode(code: string): Language | null {
  const known = code.toLowerCase();
  return Object.hasOwn(BY_CODE, known) ? BY_CODE[known]! : null;
}

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}
