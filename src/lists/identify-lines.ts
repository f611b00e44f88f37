import { readCert } from '../catalog/cert.ts';
import { isChosen } from '../catalog/external-ids.ts';
import { GRADES, type GradeRow, gradeByKey } from '../catalog/grades.ts';
import { parseItemSegment } from '../catalog/slug.ts';
import { storedLookups } from '../graded/certs/stored.ts';
import type { GradedLookup } from '../graded/shapes.ts';
import { UUID } from '../lib/uuid.ts';
import { openResolver } from '../sales/import/resolve.ts';
import type { IdentifiedTitle } from '../sales/match/identify-title.ts';
import { contradictsTitle } from '../sales/match/read-grade.ts';
import type { Candidate } from '../sales/match/title-candidates.ts';
import type { ItemRef } from '../sales/sale.ts';
import type { ListContext } from './context.ts';
import { type ListLine, namingOf, statedGrade } from './list-lines.ts';

/** Which card in which grade a line means, or why that is not known. */
export type IdentifiedLine = {
  itemId: string | null;
  /** Null: the representative grade of the card, as its detail without a grade shows. */
  gradeKey: string | null;
  /** Why it has no price; null where nothing is known to keep it from one. */
  obstacle: { status: 'unpriced' | 'ambiguous' | 'unknown' | 'invalid'; reason: string } | null;
  candidates: readonly Candidate[];
};

/** Identifies the lines of a list, in their order. A few statements, however many lines. */
export async function identifyLines(context: ListContext, lines: readonly ListLine[]): Promise<IdentifiedLine[]> {
  const grades = lines.map(statedGrade);
  const namings = lines.map(namingOf);
  const at = (naming: string) => lines.flatMap((_, n) => (namings[n] === naming && !isInvalid(grades[n]!) ? [n] : []));
  const resolver = openResolver(context.db);
  const refs = lines.map((line, n) => (namings[n] === null ? null : refOf(line, namings[n]!)));
  const titles = at('title');
  const certs = at('cert').flatMap((n) => {
    const cert = readCert(lines[n]!.cert!.trim());
    return cert.kind === 'invalid' ? [] : [{ n, cert }];
  });
  const [, byTitle, lookups] = await Promise.all([
    resolver.load(refs.filter((ref) => ref !== null)),
    titles.length === 0
      ? []
      : context.liveTitles.identify(titles.map((n) => ({ title: lines[n]!.title!, isGradeStated: isRow(grades[n]!) }))),
    certs.length === 0
      ? []
      : storedLookups(
          context,
          certs.map(({ cert }) => cert),
        ),
  ]);
  const titled = new Map(titles.map((n, i) => [n, byTitle[i]!]));
  const slabs = new Map(certs.map(({ n }, i) => [n, lookups[i]!.lookup]));
  return lines.map((line, n): IdentifiedLine => {
    const stated = grades[n]!;
    const naming = namings[n]!;
    if (naming === null) return invalid('card_missing');
    if (isInvalid(stated)) return invalid(stated.reason);
    if (naming === 'title') return ofTitle(titled.get(n)!, stated);
    if (naming === 'cert') {
      const lookup = slabs.get(n);
      return lookup === undefined ? invalid('cert_invalid') : ofSlab(lookup, stated);
    }
    const ref = refs[n];
    if (ref == null) return invalid('id_invalid');
    const items = resolver.all(ref).filter((one) => naming !== 'externalId' || isChosen(one, line.externalId!));
    if (items.length > 1) return severalOf(items, stated);
    const [item] = items;
    if (item === undefined) return { ...UNKNOWN, obstacle: { status: 'unknown', reason: 'item_unknown' } };
    const ofAddress = naming === 'href' ? gradeOfHref(line.href!) : null;
    return withGrade(item.id, stated, ofAddress);
  });
}

const UNKNOWN = { itemId: null, gradeKey: null, candidates: [] };

function invalid(reason: string): IdentifiedLine {
  return { ...UNKNOWN, obstacle: { status: 'invalid', reason } };
}

const SEVERAL = { status: 'ambiguous', reason: 'id_on_several' } as const;

function severalOf(items: readonly { id: string }[], stated: Stated): IdentifiedLine {
  const gradeKey = isRow(stated) ? stated.key : null;
  return {
    itemId: null,
    gradeKey,
    obstacle: SEVERAL,
    candidates: items.map(({ id }) => ({ itemId: id, why: 'fits' })),
  };
}

type Stated = ReturnType<typeof statedGrade>;

function isRow(stated: Stated): stated is GradeRow {
  return stated !== null && 'key' in stated;
}

function isInvalid(stated: Stated): stated is { reason: string; isInvalid: true } {
  return stated !== null && 'reason' in stated && stated.isInvalid;
}

/** `own`: the grade that the card's name has; one that the line states outranks it. */
function withGrade(itemId: string, stated: Stated, own: string | null): IdentifiedLine {
  if (stated !== null && !isRow(stated))
    return { itemId, gradeKey: null, obstacle: { status: 'unpriced', reason: stated.reason }, candidates: [] };
  return { itemId, gradeKey: stated?.key ?? own, obstacle: null, candidates: [] };
}

/** The grade of a slab is its record's: a line that states another one is not priced. */
function ofSlab({ card, found, gradeLabel, reason }: GradedLookup, stated: Stated): IdentifiedLine {
  const itemId = card?.id ?? null;
  const gradeKey = GRADES.find(({ label }) => label === gradeLabel)?.key ?? null;
  const identified = { itemId, gradeKey, candidates: [] };
  if (isRow(stated) && gradeKey !== null && stated.key !== gradeKey)
    return { ...identified, obstacle: { status: 'unpriced', reason: 'grade_differs' } };
  if (found) return { ...identified, obstacle: null };
  return { ...identified, obstacle: { status: itemId === null ? 'unknown' : 'unpriced', reason: reason! } };
}

/** As imports of sales read it: a stated grade completes what the title leaves open, and is not to be another one. */
function ofTitle(found: IdentifiedTitle, stated: Stated): IdentifiedLine {
  const { itemId, reason, company, gradeKey, isConditionAssumed, candidates } = found;
  if (itemId === null)
    return { itemId, gradeKey: isRow(stated) ? stated.key : gradeKey, obstacle: unmatched(reason!), candidates };
  if (isRow(stated)) {
    if (contradictsTitle({ company: stated.company, gradeKey: stated.key }, { company, gradeKey, isConditionAssumed }))
      return { itemId, gradeKey: null, obstacle: { status: 'unpriced', reason: 'grade_differs' }, candidates };
    return withGrade(itemId, stated, null);
  }
  if (stated === null && reason !== null)
    return { itemId, gradeKey: null, obstacle: { status: 'unpriced', reason }, candidates };
  return withGrade(itemId, stated, gradeKey);
}

function unmatched(reason: string): NonNullable<IdentifiedLine['obstacle']> {
  return { status: reason === 'ambiguous' ? 'ambiguous' : 'unknown', reason };
}

/** What the catalog looks a line up by; null for a text that cannot be one. */
function refOf(line: ListLine, naming: string): ItemRef | null {
  if (naming === 'id') {
    const value = line.id!.trim().toLowerCase();
    return UUID.test(value) ? { by: 'id', value } : null;
  }
  if (naming === 'href') return { by: 'href', value: pathOf(line.href!) };
  if (naming === 'upstreamId') return { by: 'upstream', value: line.upstreamId!.trim() };
  if (naming === 'externalId') return { by: 'source', space: line.externalId!.space, value: line.externalId!.id };
  return null;
}

/** The path of an address of a card's page, as `href` has it. */
function pathOf(href: string): string {
  return href
    .trim()
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/[?#].*$/, '');
}

function gradeOfHref(href: string): string | null {
  const readings = parseItemSegment(pathOf(href).split('/').at(-1)!);
  const key = readings.find(({ gradeKey }) => gradeKey !== null)?.gradeKey ?? null;
  return key === null ? null : (gradeByKey(key)?.key ?? null);
}
