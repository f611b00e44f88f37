/** The language tag of a name in another script; undefined for Latin letters, which the page's own language reads. */
export function langOf(name: string, language: string | null = null): string | undefined {
  if (/\p{Script=Hangul}/u.test(name)) return 'ko';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name)) return 'ja';
  if (/\p{Script=Han}/u.test(name)) return HAN[language ?? ''] ?? 'ja';
  return OTHERS.find(([script]) => script.test(name))?.[1];
}

/** Languages written in Chinese signs. */
const HAN: Readonly<Record<string, string>> = { 'Chinese Simplified': 'zh-Hans', 'Chinese Traditional': 'zh-Hant' };

const OTHERS = [
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Greek}/u, 'grc'],
  [/\p{Script=Devanagari}/u, 'sa'],
] as const;
