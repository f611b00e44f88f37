import { afterAll, expect, test, vi } from 'vitest';
import { accuracyOf } from '../../../src/pricing/accuracy/accuracy.ts';
import type { closeDay } from '../../../src/pricing/model/fmv.ts';
import type { FreshDatabase } from '../../support/database/database.ts';
import { FIRST_DAY } from '../ledger.ts';
import { syntheticMarket } from '../model/synthetic-market.ts';
import { marketLedger } from './scored.ts';

const FMV = '../../../src/pricing/model/fmv.ts';
const PLANTED = Math.log(1.1);

/** `reprice` over a model whose forecasts are 10% too high from a day on. */
async function repriceWithBias(plantedFrom: number) {
  vi.resetModules();
  vi.doMock(FMV, async (original) => {
    const real = await original<{ closeDay: typeof closeDay }>();
    const biased: typeof closeDay = (model, day, sales, observe) =>
      real.closeDay(model, day, sales, (forecast) => {
        const shift = day >= plantedFrom ? PLANTED : 0;
        observe?.({ ...forecast, logPrice: forecast.logPrice + shift, residual: forecast.residual - shift });
      });
    return { ...real, closeDay: biased };
  });
  const { reprice } = await import('../../../src/pricing/reprice.ts');
  return reprice;
}

const market = syntheticMarket({ seed: 21, days: 120, cards: 60, sales: 9000 });
const open: FreshDatabase[] = [];
afterAll(async () => {
  vi.doUnmock(FMV);
  vi.resetModules();
  for (const fresh of open) await fresh.close();
});

async function figuresAfter14Days(planted: boolean) {
  const fresh = await marketLedger(market);
  open.push(fresh);
  const reprice = await repriceWithBias(planted ? FIRST_DAY + 106 : Number.POSITIVE_INFINITY);
  await reprice(fresh.db, { through: FIRST_DAY + 119 });
  const selection = { days: 14, game: null, company: null, band: null, bucket: null };
  return (await accuracyOf(fresh.db, selection)).all.figures!;
}

test('forecasts that become 10% too high show as a bias of that size within 14 days', async () => {
  const [plain, planted] = [await figuresAfter14Days(false), await figuresAfter14Days(true)];
  expect(planted.forecasts).toBe(plain.forecasts);
  const biasOf = ({ methods }: typeof plain, method: string) => methods.find((one) => one.method === method)!.biasPct;
  expect(Math.abs(biasOf(plain, 'model'))).toBeLessThan(3);
  expect(biasOf(planted, 'model') - biasOf(plain, 'model')).toBeCloseTo(100 * PLANTED, 4);
  expect(biasOf(planted, 'ewma')).toBe(biasOf(plain, 'ewma'));
  expect(planted.methods[0]!.mdApePct).toBeGreaterThan(plain.methods[0]!.mdApePct);
});
