import { gradeByKey } from '../../catalog/grades.ts';
import { formatDay } from '../../lib/day.ts';
import type { CorrectionFacts, SaleFacts } from './entries.ts';

/** What happened to a sale that was taken back, by the reason in the ledger. */
const VOIDED: Readonly<Record<string, string>> = {
  voided: 'canceled',
  unpaid: 'never paid',
  relisted: 'listed again, so it was not sold',
  corrected: 'corrected, then taken back',
  duplicate: 'recorded from another source too',
  dropped: 'recorded by mistake',
  undone: 'recorded by mistake, with the whole file that it came in',
  unmatched: 'put on this card, or in this grade, by mistake',
};

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** What happened, in a sentence in English; null of a report without a note. `nameOf` names a card. */
export function correctionNote(facts: CorrectionFacts, nameOf: (itemId: string) => string): string | null {
  switch (facts.cause) {
    case 'sale_voided':
      return `${saleOf(facts.sale)}: ${VOIDED[facts.reason] ?? facts.reason}.`;
    case 'sale_corrected':
    case 'mapping':
      if ('restored' in facts) return `${saleOf(facts.sale)}: counted again; it had been taken out by mistake.`;
      return `${saleOf(facts.sale)}: now ${changesOf(facts.sale, facts.now, nameOf).join(', ')}.`;
    case 'report':
      return facts.note;
    case 'model':
      return facts.next === facts.version
        ? 'All prices were computed again from the first sale: older sales had been recorded since.'
        : `Version ${facts.next} of the price model took over from version ${facts.version}.`;
  }
}

function saleOf({ soldDay, usdCents }: SaleFacts): string {
  return `Sale of ${formatDay(soldDay)} for ${amountOf(usdCents)}`;
}

function changesOf(was: SaleFacts, now: SaleFacts, nameOf: (itemId: string) => string): string[] {
  const changes = [
    was.itemId === now.itemId ? null : `of ${nameOf(now.itemId)} instead of ${nameOf(was.itemId)}`,
    labelOf(was) === labelOf(now) ? null : `${labelOf(now)} instead of ${labelOf(was)}`,
    was.usdCents === now.usdCents ? null : amountOf(now.usdCents),
    was.soldDay === now.soldDay ? null : `of ${formatDay(now.soldDay)}`,
    now.rejection === null ? null : `rejected (${now.rejection.replaceAll('_', ' ')})`,
  ].filter((change) => change !== null);
  return changes.length === 0 ? ['at another time of the day'] : changes;
}

function labelOf({ gradeKey, company, grade }: SaleFacts): string {
  return gradeByKey(gradeKey ?? '')?.label ?? `${company} ${grade}`.trim();
}

function amountOf(usdCents: number | null): string {
  return usdCents === null ? 'an unknown price' : dollars.format(usdCents / 100);
}
