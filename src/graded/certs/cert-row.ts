import { graderOf, type ReadCert, readCert } from '../../catalog/cert.ts';
import { cleanText } from '../../catalog/formats/text.ts';
import { type GradeKey, gradeOf } from '../../catalog/grades.ts';
import { UUID } from '../../lib/uuid.ts';
import { isWebAddress, show } from '../../sales/row-fields.ts';
import type { CertState } from './registry.ts';

/** Columns of the own CSV and NDJSON. Absent and empty mean the same: not stated. */
export const CERT_FIELDS = [
  'cert',
  'company',
  'itemId',
  'href',
  'upstreamItemId',
  'label',
  'grade',
  'game',
  'year',
  'state',
  'imageFront',
  'imageBack',
] as const;
type CertField = (typeof CERT_FIELDS)[number];
export type CertFields = { readonly [field in CertField]?: unknown };

/** Identifies an item exactly. */
type CardRef = { by: 'id' | 'href' | 'upstream'; value: string };

/** A cert as a file describes it, checked; null where it is not stated. */
export type CertRow = {
  cert: ReadCert;
  item: CardRef | null;
  label: string | null;
  gradeKey: GradeKey | null;
  /** As the file spells it; without `gradeKey` it is outside the priced scale. */
  gradeLabel: string | null;
  game: string | null;
  year: number | null;
  state: CertState | null;
  /** Addresses, or paths of files relative to the import file. */
  imageFront: string | null;
  imageBack: string | null;
};

const HREF = /^\/card\/[a-z-]{1,20}\/[a-z0-9-]{1,200}\/[A-Za-z0-9-]{1,300}$/;
const GAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_TEXT = 1000;

/** Checks one row; a sentence when it cannot be used. */
export function parseCertRow(fields: CertFields): CertRow | string {
  const text: { [field in CertField]?: string } = {};
  for (const field of CERT_FIELDS) {
    const value = fields[field];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string' && !(field === 'year' && typeof value === 'number')) return `${field} is not text`;
    if (String(value).length > MAX_TEXT) return `${field} is longer than ${MAX_TEXT} characters`;
    text[field] = String(value).trim();
  }
  const graded = certOf(text.cert ?? '', text.company);
  if (typeof graded === 'string') return graded;
  const item = itemOf(text);
  if (typeof item === 'string') return item;
  const { state = null, year, game = null } = text;
  if (state !== null && state !== 'active' && state !== 'deactivated')
    return `state ${show(state)} is neither active nor deactivated`;
  if (year !== undefined && !/^(?:18|19|20)\d\d$/.test(year)) return `year ${show(year)} is not a year`;
  if (game !== null && !(game.length <= 40 && GAME.test(game))) return `game ${show(game)} is not a slug (one-piece)`;
  for (const field of ['imageFront', 'imageBack'] as const) {
    if (/^[a-z]+:\/\//i.test(text[field] ?? '') && !isWebAddress(text[field]!))
      return `${field} ${show(text[field]!)} is neither a web address nor a file`;
  }
  const gradeLabel = cleanText(text.grade);
  return {
    cert: graded.cert,
    item,
    label: cleanText(text.label),
    gradeKey: gradeLabel === null ? null : (gradeOf(graded.grader, gradeLabel)?.key ?? null),
    gradeLabel,
    game,
    year: year === undefined ? null : Number(year),
    state,
    imageFront: text.imageFront ?? null,
    imageBack: text.imageBack ?? null,
  };
}

/** The cert, and its grader as printed: BCCG's numbers are Beckett's, its scale is its own. */
function certOf(cert: string, company: string | undefined): { cert: ReadCert; grader: string } | string {
  const problem = `cert ${show(cert)} is not a cert number: 5 to 20 digits, behind a grader's name or with one in company`;
  const own = readCert(cert);
  const prefix = /^[a-z]+/i.exec(cert)?.[0];
  if (company === undefined) return own.kind === 'invalid' ? problem : { cert: own, grader: prefix ?? 'PSA' };
  const grader = graderOf(company);
  if (grader === null) return `company ${show(company)} is not a grader that is known`;
  const reading = own.kind === 'invalid' || prefix === undefined ? readCert(`${company} ${cert}`) : own;
  if (reading.kind === 'invalid') return problem;
  return reading.company === grader ? { cert: reading, grader: company } : `company says ${grader}, the cert ${prefix}`;
}

function itemOf(text: { [field in CertField]?: string }): CardRef | null | string {
  const { itemId, href, upstreamItemId } = text;
  const named = [itemId, href, upstreamItemId].filter((value) => value !== undefined);
  if (named.length > 1) return 'two columns name an item: one is enough';
  if (itemId !== undefined)
    return UUID.test(itemId.toLowerCase())
      ? { by: 'id', value: itemId.toLowerCase() }
      : `itemId ${show(itemId)} is not a UUID`;
  if (href !== undefined)
    return HREF.test(href) ? { by: 'href', value: href } : `href ${show(href)} is not a /card/… address`;
  return upstreamItemId === undefined ? null : { by: 'upstream', value: upstreamItemId };
}
