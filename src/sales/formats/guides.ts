import { basename } from 'node:path';
import { readCsv, splitCsvLine } from '../../catalog/formats/csv.ts';
import { listFiles, readLines, UnreadableFile } from '../../catalog/formats/files.ts';
import { parseDay } from '../../lib/day.ts';

/**
 * A guide's price: an estimate that somebody publishes, not a sale. It feeds the backtest and benchmarks and never the
 * ledger.
 */
type GuidePrice = { kind: 'guide'; item: string; company: string; grade: string; day: number; priceUsd: number };

/** Which guide a file holds: the two known ones differ in how they begin. */
export async function* readGuide(paths: readonly string[]): AsyncGenerator<GuidePrice> {
  for (const path of await listFiles(paths, ['.csv'])) {
    let first = '';
    for await (const line of readLines(path)) {
      first = line.text ?? '';
      break;
    }
    if (first === MONTHLY_COLUMNS.join(',')) yield* readMonthly(path);
    else if (first.includes('CARD INFORMATION')) yield* readByCondition(path);
    else throw new UnreadableFile(`${path}: neither a monthly guide by grade nor a daily guide by condition`);
  }
}

const MONTHLY_COLUMNS = ['card_id', 'month', 'grade_id', 'market_price', 'volume'] as const;
const GUIDE_GRADES: Record<string, [company: string, grade: string]> = {
  RAW: ['RAW', 'A'],
  // The guide does not say which company's; PSA's is what such slabs mostly are.
  GRADE_9: ['PSA', '9'],
  PSA_10: ['PSA', '10'],
  BGS_10: ['BGS', '10 Pristine'],
  BGS_10_BL: ['BGS', '10 Black Label'],
  CGC_10: ['CGC', '10 Gem Mint'],
  CGC_10_PRISTINE: ['CGC', '10 Pristine'],
  SGC_10: ['SGC', '10'],
  TAG_10: ['TAG', '10'],
  ACE_10: ['ACE', '10'],
};

/** Rows without a price (0) are left out. */
async function* readMonthly(path: string): AsyncGenerator<GuidePrice> {
  for await (const row of readCsv(path, MONTHLY_COLUMNS, MONTHLY_COLUMNS)) {
    const { card_id = '', month = '', grade_id = '', market_price = '' } = row.fields ?? {};
    const grade = GUIDE_GRADES[grade_id];
    const day = parseDay(month);
    const priceUsd = Number(market_price);
    if (grade === undefined || day === null || card_id === '' || !(priceUsd > 0)) continue;
    yield { kind: 'guide', item: card_id, company: grade[0], grade: grade[1], day, priceUsd };
  }
}

const CONDITIONS: Record<string, string> = {
  'Near Mint': 'A',
  'Lightly Played': 'B',
  'Moderately Played': 'C',
  'Heavily Played': 'D',
};

/** The section with the history of one card; interpolated prices and damaged cards are left out. */
async function* readByCondition(path: string): AsyncGenerator<GuidePrice> {
  const item = basename(path).replace(/_COMPLETE\.csv$/, '');
  let inHistory = false;
  for await (const { text } of readLines(path)) {
    if (text === null) continue;
    if (text.startsWith('═')) inHistory = text.includes('PRICE HISTORY');
    if (!inHistory) continue;
    const [date = '', condition = '', price = '', , type = ''] = splitCsvLine(text) ?? [];
    const day = parseDay(date.slice(0, 10));
    const letter = CONDITIONS[condition];
    const priceUsd = Number(price.replace(/^\$/, '').replaceAll(',', ''));
    if (type !== 'Actual Sale' || day === null || letter === undefined || !(priceUsd > 0)) continue;
    yield { kind: 'guide', item, company: 'RAW', grade: letter, day, priceUsd };
  }
}
