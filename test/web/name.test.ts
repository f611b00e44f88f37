import { expect, test } from 'vitest';
import { langOf } from '../../src/web/name.tsx';

test('names in other scripts are marked with the language of their signs', () => {
  expect(['フシギダネ', '拡張パック', '리자몽', 'พิคาชู', 'Чаризард'].map((name) => langOf(name))).toEqual([
    'ja',
    'ja',
    'ko',
    'th',
    'ru',
  ]);
});

test('signs that Chinese and Japanese share are read in the language of the card', () => {
  expect(langOf('噴火龍', 'Chinese Traditional')).toBe('zh-Hant');
  expect(langOf('喷火龙', 'Chinese Simplified')).toBe('zh-Hans');
  expect(langOf('悪', 'Japanese')).toBe('ja');
});

test('Latin letters need no mark', () => {
  expect(langOf('Flabébé', 'French')).toBeUndefined();
});
