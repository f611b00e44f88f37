import { isObject } from '../../catalog/formats/text.ts';
import { readTitle } from '../match/read-title.ts';
import { type UnreadableField, unreadable } from '../row-fields.ts';
import { CARD_CATEGORIES, GRADED, UNGRADED } from './ebay-api.ts';

type Row = Record<string, unknown>;

/** What a sale and an ask of eBay have in common, as the fields of our own format. */
type EbayCard = {
  /** The number in the item's address. */
  itemNumber: string;
  title: string;
  url?: string;
  company?: string;
  grade?: string;
  cert?: string;
};

const CATEGORIES = new Set<string>(Object.values(CARD_CATEGORIES));

/** Reads which card a row is of. What its condition says outranks the title only where it says more. */
export function ebayCard(row: Row): EbayCard | UnreadableField {
  const [, itemNumber = '', variation = '0'] = String(row.itemId ?? '').split('|');
  if (!/^\d+$/.test(itemNumber)) return unreadable('bad_id', 'itemId is not of the form v1|number|variation');
  if (row.itemGroupType === 'SELLER_DEFINED_VARIATIONS' || variation !== '0')
    return unreadable('variations', 'one of several cards that share a title');
  const categories = [...idsIn(row.categories), ...[row.leafCategoryIds ?? []].flat().map(String)];
  if (categories.length > 0 && !categories.some((id) => CATEGORIES.has(id)))
    return unreadable('not_card', 'of no category of single cards');
  const title = String(row.title ?? '');
  const url = typeof row.itemWebUrl === 'string' ? row.itemWebUrl.split('?')[0]! : undefined;
  const grading = gradingOf(row, title);
  if ('reason' in grading) return grading;
  return { itemNumber, title, ...(url ? { url } : {}), ...grading };
}

/** Whether a slab's grader and grade must be looked up, since neither the title nor the row states them. */
export function needsDescriptors(row: Row): boolean {
  if (row.conditionId !== GRADED || descriptorsOf(row).size > 0) return false;
  return isSilent(readTitle(String(row.title ?? '')).grading);
}

/** A title that names no grader reads like one of an ungraded card. */
function isSilent({ company }: { company: string | null }): boolean {
  return company === null || company === 'RAW';
}

function gradingOf(row: Row, title: string): Pick<EbayCard, 'company' | 'grade' | 'cert'> | UnreadableField {
  const descriptors = descriptorsOf(row);
  const stated = descriptors.get('Professional Grader');
  const fromTitle = readTitle(title).grading;
  if (row.conditionId === UNGRADED || (row.conditionId === undefined && descriptors.has('Card Condition'))) {
    // "Lightly played (Excellent)": the first part is the condition of cards that are played with.
    const condition = descriptors.get('Card Condition')?.replace(/\(.*/, '').trim();
    return { company: 'RAW', ...(condition ? { grade: condition } : {}) };
  }
  if (stated === undefined) {
    if (row.conditionId === GRADED && isSilent(fromTitle))
      return unreadable('grade_untold', 'a slab, but neither its grader nor its grade is stated');
    return {};
  }
  const company = /\(([A-Z]{2,6})\)\s*$/.exec(stated)?.[1] ?? (/^[A-Z]{2,6}$/.test(stated) ? stated : null);
  const grade = descriptors.get('Grade');
  if (company === null || grade === undefined)
    return unreadable('grade_untold', `grader "${stated.slice(0, 60)}" or its grade is not known`);
  const cert = descriptors.get('Certification Number');
  const more = cert === undefined ? {} : { cert };
  const named = fromTitle.company === company;
  // Only the title may state which of the tens a CGC or BGS 10 is.
  if (Number(grade) === 10 && company !== 'PSA')
    return named ? more : unreadable('grade_untold', `which of the tens of ${company} is not stated`);
  return named && fromTitle.grade !== null && fromTitle.grade.number === Number(grade)
    ? more
    : { company, grade, ...more };
}

/** `conditionDescriptors: [{name, values: [{content, additionalInfo}]}]` as names and texts. */
function descriptorsOf(row: Row): Map<string, string> {
  const texts = new Map<string, string>();
  for (const one of [row.conditionDescriptors ?? []].flat()) {
    if (!isObject(one) || typeof one.name !== 'string') continue;
    const [value] = Array.isArray(one.values) ? one.values : [];
    if (!isObject(value)) continue;
    const text = typeof value.content === 'string' ? value.content : [value.additionalInfo].flat()[0];
    if (typeof text === 'string' && text.trim() !== '') texts.set(one.name, text.trim());
  }
  return texts;
}

function idsIn(categories: unknown): string[] {
  return [categories ?? []].flat().flatMap((one) => (isObject(one) ? [String(one.categoryId)] : []));
}
