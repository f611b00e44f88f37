import { describe, expect, test } from 'vitest';
import { readCert } from '../../../src/catalog/cert.ts';
import { type Art, cardOf } from '../../../src/graded/slab/slab-card.ts';
import type { SlabCert } from '../../../src/graded/slab/slab-cert.ts';
import { evidenceOf, gradeLabelOf, type SeenOnSlab } from '../../../src/graded/slab/slab-evidence.ts';

const READ = readCert('PSA86429728');
const CERT = READ.kind === 'cert' ? READ : null;
const none: Art = { ids: [], confidence: 'none' };
const ROWS = ['2000 POKEMON ROCKET #4', 'DARK CHARIZARD-HOLO', '86429728'];

function evidence(seen: Partial<SeenOnSlab>, more: { rows?: string[]; key?: string | null; cert?: SlabCert } = {}) {
  const { rows = ROWS, key = 'psa-9', cert = { cert: null, problem: 'unread' } } = more;
  const reading = { company: 'PSA', rows, legible: rows, grade: { words: 'MINT', number: '9', key } } as const;
  return evidenceOf(reading, cert, { summary: undefined, card: null, art: none, recordGrade: null, ...seen });
}

/** One check as [compared, agrees]. */
function check(name: string, ...args: Parameters<typeof evidence>) {
  const { compared, agrees } = evidence(...args).checks.find((one) => one.check === name)!;
  return [compared, agrees];
}

const item = (name: string, id = 'a') => ({ summary: { id, name } });

describe('a check compares two things', () => {
  test('print and barcode of the cert', () => {
    const shown = (shownBy: 'print' | 'barcode' | 'print and barcode'): SlabCert => ({ cert: CERT!, shownBy });
    expect(check('cert', {}, { cert: shown('print and barcode') })).toEqual([true, true]);
    expect(check('cert', {}, { cert: shown('print') })).toEqual([false, null]);
    expect(check('cert', {}, { cert: shown('barcode') })).toEqual([false, null]);
    expect(check('cert', {}, { cert: { cert: null, problem: 'contradicted' } })).toEqual([true, false]);
    expect(check('cert', {}, { cert: { cert: null, problem: 'unsure' } })).toEqual([false, null]);
    expect(check('cert', {}, { cert: { cert: null, problem: 'unread' } })).toEqual([false, null]);
  });

  test.each([
    ['without a record', null, 'psa-9', [false, null]],
    ['without a grade that can be read', 'PSA 9', null, [false, null]],
    ['the same grade', 'PSA 9', 'psa-9', [true, true]],
    ['the same grade in the words of the grader', 'MINT 9', 'psa-9', [true, true]],
    ['another grade', 'PSA 10', 'psa-9', [true, false]],
    ['no grade of the scale', 'AUTHENTIC', 'psa-9', [true, false]],
  ])('grade of label and record, %s', (_case, recordGrade, key, expected) => {
    expect(check('grade', { recordGrade }, { key })).toEqual(expected);
  });

  test.each([
    ['the whole name', 'Dark Charizard', ROWS, [true, true]],
    ['with a letter misread', 'Dark Charizard', ['DARK CHAR1ZARD-HOLO'], [true, true]],
    ['of five letters with one misread', 'Gloom', ['GL0OM'], [true, true]],
    ['with accents', 'Flabébé', ['FLABEBE'], [true, true]],
    ['a half of the name', 'Dark Charizard', ['CHARIZARD-HOLO'], [true, null]],
    ['one word of three', 'Dark Magician Girl', ['DARK CHARIZARD'], [true, false]],
    ['nothing of the name', 'Blastoise', ROWS, [true, false]],
    ['a longer word that begins like it', 'Mew', ['MEWTWO'], [true, false]],
    ['a short word with a letter misread', 'Muk', ['MUG'], [true, false]],
    ['a name in another script', 'リザードン', ROWS, [false, null]],
    ['a name of two letters', 'N', ROWS, [false, null]],
  ])('label and name of the card, %s', (_case, name, rows, expected) => {
    expect(check('label', item(name), { rows })).toEqual(expected);
  });

  test('the label with itself is not compared', () => {
    expect(check('label', { ...item('Dark Charizard'), card: { itemId: 'a', by: 'label' } })).toEqual([false, null]);
    expect(check('label', { ...item('X'), card: { itemId: 'a', by: 'label and art' } })).toEqual([true, true]);
    expect(check('label', { ...item('Blastoise'), card: { itemId: 'a', by: 'art' } })).toEqual([true, false]);
    expect(check('label', {})).toEqual([false, null]);
  });

  test.each<[string, Art, unknown[]]>([
    ['of that card', { ids: ['b', 'a'], confidence: 'low' }, [true, true]],
    ['of another card', { ids: ['b'], confidence: 'high' }, [true, false]],
    ['of another card, medium', { ids: ['b'], confidence: 'medium' }, [true, false]],
    ['hardly recognized', { ids: ['b'], confidence: 'low' }, [true, null]],
    ['not recognized', none, [false, null]],
  ])('picture and card, %s', (_case, art, expected) => {
    expect(check('art', { ...item('X'), art })).toEqual(expected);
  });

  test('the picture with itself is not compared', () => {
    const art: Art = { ids: ['a'], confidence: 'high' };
    expect(check('art', { ...item('X'), art, card: { itemId: 'a', by: 'art' } })).toEqual([false, null]);
    expect(check('art', { ...item('X'), art, card: { itemId: 'a', by: 'label and art' } })).toEqual([true, true]);
    expect(check('art', { art })).toEqual([false, null]);
  });

  test('what is not compared neither agrees nor disagrees', () => {
    const checks = [null, 'PSA 9'].flatMap((recordGrade) =>
      (['label', 'art', 'label and art'] as const).flatMap(
        (by) => evidence({ recordGrade, ...item('X'), card: { itemId: 'a', by } }).checks,
      ),
    );
    const others = checks.filter(({ compared }) => !compared);
    expect(new Set(others.map(({ check }) => check))).toEqual(new Set(['cert', 'grade', 'label', 'art']));
    expect(others.filter(({ agrees }) => agrees !== null)).toEqual([]);
  });
});

describe('a check says what it compared', () => {
  const says = (name: string, sentence: string, ...args: Parameters<typeof evidence>) =>
    expect(evidence(...args).checks.find((one) => one.check === name)!.detail).toBe(sentence);

  test('of the cert: how it was read, or why it was not', () => {
    const without = (problem: 'unread' | 'unsure' | 'contradicted') => ({ cert: { cert: null, problem } });
    says('cert', 'PSA86429728 was read from the barcode.', {}, { cert: { cert: CERT!, shownBy: 'barcode' } });
    says('cert', 'Readings of the cert contradict one another: none is taken.', {}, without('contradicted'));
    says('cert', 'No cert could be read.', {}, without('unread'));
    says('cert', 'A cert was read, but with too little confidence to be used.', {}, without('unsure'));
  });

  test('of the grade: what the label and the record say', () => {
    says('grade', 'The label says PSA 9, the record PSA 10.', { recordGrade: 'GEM MT 10' });
    says('grade', 'The label says PSA 9; there is no record to compare.', {});
    says('grade', 'The grade on the label could not be read.', {}, { key: null });
  });

  test('of the label: which card it names', () => {
    const by = (how: 'label' | 'label and art') => ({ ...item('Muk'), card: { itemId: 'a', by: how } as const });
    says('label', 'No card to compare with.', {});
    says('label', 'The label identifies the card Muk; there is nothing to compare it with.', by('label'));
    says('label', 'The label identifies the card Muk, as the picture does.', by('label and art'));
    says('label', 'The name N cannot be compared.', item('N'));
    says('label', 'The label has the name Dark Charizard.', item('Dark Charizard'));
    says('label', 'The label has a part of the name Dark Raichu.', item('Dark Raichu'));
    says('label', 'The label lacks the name Muk.', item('Muk'));
  });

  test('of the picture: whether it is of the card, and how surely', () => {
    const art = (confidence: Art['confidence'], ...ids: string[]) => ({ ...item('X'), art: { ids, confidence } });
    says('art', 'The picture of the card was not recognized.', art('none'));
    says('art', 'The picture identifies the card (high); there is nothing to compare it with.', {
      ...art('high', 'a'),
      card: { itemId: 'a', by: 'art' },
    });
    says('art', "The picture is like the card's (medium).", art('medium', 'a'));
    says('art', 'The picture may be of another card.', art('low', 'b'));
    says('art', 'The picture is of another card.', art('high', 'b'));
  });
});

test('what a photo showed is answered as it was read: company, label, cert and grade', () => {
  const shown = evidence({}, { cert: { cert: CERT!, shownBy: 'print' } });
  expect(shown).toMatchObject({ company: 'PSA', label: ROWS, cert: 'PSA86429728', gradeLabel: 'PSA 9' });
  expect(evidence({}).cert).toBeNull();
  const bare = { company: 'PSA' as const, rows: [], legible: [], grade: null };
  const seen: SeenOnSlab = { summary: undefined, card: null, art: none, recordGrade: null };
  expect(evidenceOf(bare, { cert: null, problem: 'unread' }, seen)).toMatchObject({ label: [], gradeLabel: null });
});

describe('the grade of a label in words', () => {
  test.each([
    [{ words: 'MINT', number: '9', key: 'psa-9' }, 'PSA 9'],
    [{ words: 'NM', number: null, key: null }, null],
    [{ words: 'AUTHENTIC', number: null, key: null }, 'AUTHENTIC'],
    [null, null],
  ])('%j: %s', (grade, label) => {
    expect(gradeLabelOf({ grade })).toBe(label);
  });
});

describe('the card of a slab by its label and its picture', () => {
  const labelled = { itemId: 'a', why: '' };
  const unknown = { itemId: null, why: 'because' };

  test.each<[string, typeof labelled | typeof unknown, Art, unknown]>([
    ['both show it', labelled, { ids: ['a'], confidence: 'low' }, { itemId: 'a', by: 'label and art' }],
    ['the label alone', labelled, none, { itemId: 'a', by: 'label' }],
    ['a picture hardly recognized', labelled, { ids: ['b'], confidence: 'low' }, { itemId: 'a', by: 'label' }],
    ['the picture alone, surely', unknown, { ids: ['b'], confidence: 'high' }, { itemId: 'b', by: 'art' }],
    ['the picture alone', unknown, { ids: ['b'], confidence: 'medium' }, { itemId: null, why: 'because' }],
    [
      'a picture of several printings',
      unknown,
      { ids: ['b', 'c'], confidence: 'high' },
      { itemId: null, why: 'because' },
    ],
    ['neither', unknown, none, { itemId: null, why: 'because' }],
  ])('%s', (_case, label, art, expected) => {
    expect(cardOf(label, art)).toEqual(expected);
  });

  test.each(['high', 'medium'] as const)('is unknown where the picture shows another card (%s)', (confidence) => {
    const card = cardOf(labelled, { ids: ['b'], confidence });
    expect(card).toEqual({ itemId: null, why: expect.stringContaining('different cards') });
  });
});
