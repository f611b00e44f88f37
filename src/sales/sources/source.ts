import type { Game } from '../../catalog/games.ts';
import { type Company, type GradeRow, gradeByKey } from '../../catalog/grades.ts';
import type { Language } from '../../catalog/languages.ts';
import type { Sql } from '../../db/client.ts';
import type { ServiceAnswer, ServiceClient, ServiceFault, ServiceRequest } from '../../http/outbound/service-client.ts';
import type { ListingEntry } from '../formats/listings.ts';
import type { SaleEntry } from '../formats/sales-format.ts';

/** The query for a source: a card in a grade. */
export type MarketQuery = {
  itemId: string;
  upstreamItemId: string | null;
  game: Game;
  name: string;
  number: string | null;
  setName: string;
  language: Language;
  year: number | null;
  company: Company;
  grade: GradeRow;
};

/** How long and how far a source may go. */
export type Patience = {
  signal: AbortSignal;
  /** Of the caller's time. */
  leftMs(): number;
  /** The share of a day's budget that is left to others, from 0 to 1. */
  leaveShare: number;
};

export type SourceProblem = {
  /** `bad_answer`: it answered what its format does not have. */
  reason: ServiceFault | 'bad_answer';
  /** One sentence without a secret. */
  message: string;
  retryAfterMs?: number;
};

/** What was found: rows as a file of the source would give them. With a problem, the rows that came before it. */
export type SourceAnswer = {
  sales: SaleEntry[];
  listings: ListingEntry[];
  /** Whether that is all the source has. */
  complete: boolean;
  problem: SourceProblem | null;
};

/** A market that can be queried for one series. */
export type SaleSource = {
  id: string;
  name: string;
  tells: readonly ('sale' | 'listing')[];
  client: ServiceClient;
  /** Never throws for what the other side does. `nowMs` is when listings are seen. */
  search(query: MarketQuery, patience: Patience, nowMs: number): Promise<SourceAnswer>;
};

/** The query of a series; null when the catalog has no such item or the scale no such grade. */
export async function seriesQuery(sql: Sql, itemId: string, gradeKey: string): Promise<MarketQuery | null> {
  const grade = gradeByKey(gradeKey);
  const [row] = await sql.prepared<Omit<MarketQuery, 'company' | 'grade'>>(
    'crawl_query',
    `select i.id as "itemId", i.upstream_item_id as "upstreamItemId", i.game, i.name, i.number, s.name as "setName",
       i.language, coalesce(i.year, s.year) as year
     from items i join sets s on s.id = i.set_id where i.id = $1`,
    [itemId],
  );
  return row === undefined || grade === null ? null : { ...row, company: grade.company, grade };
}

/**
 * What one types to find a series: name, number, set, language and grade, shortened from the end of the set on to
 * `maxChars`. An ungraded card has no word for its grade.
 */
export function keywordsOf(query: MarketQuery, maxChars = 100): string {
  const { name, number, setName, language, game, year, grade } = query;
  const season = game === 'sports' && year !== null && !setName.includes(String(year)) ? String(year) : '';
  const tongue = language === 'English' ? '' : language;
  const slab = grade.company === 'RAW' ? '' : grade.label;
  const core = [name, number?.split('/')[0] ?? '', tongue, slab].filter(Boolean).join(' ');
  const words = [season, ...setName.split(/\s+/)].filter(Boolean);
  let text = plain(core);
  for (const word of words) {
    const longer = plain(`${text} ${word}`);
    if (longer.length > maxChars) break;
    text = longer;
  }
  return text.slice(0, maxChars).trim();
}

/** Without what searches read as operators. */
function plain(text: string): string {
  return text
    .replace(/[()"*,+|<>]/g, ' ')
    .replace(/(^|\s)-+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Calls the service within the patience of the search. */
export function askWith(client: ServiceClient, { signal, leftMs, leaveShare }: Patience, request: ServiceRequest) {
  const leaveUnits = Math.ceil((client.budgetPerDay ?? 0) * leaveShare);
  return client.ask({ ...request, signal, timeoutMs: Math.max(1, leftMs()), leaveUnits });
}

/** What is wrong with an answer that has no body of the format; null for status 200. */
export function problemOf(answer: ServiceAnswer): SourceProblem | null {
  if (!answer.ok) {
    const { reason, message, retryAfterMs } = answer;
    return { reason, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return answer.status === 200 ? null : { reason: 'refused', message: `It answered ${answer.status}.` };
}

export function badAnswer(message: string): SourceProblem {
  return { reason: 'bad_answer', message };
}
