import { usd } from '../format.ts';

/** US cents. */
export type Ends = { low: number; high: number };

/** US cents. `next` is the range of the next sale; null where it is unknown, as `lastSale` without a sale. */
type PriceRanges = { price: number; value: Ends; next: Ends | null; lastSale: number | null };

/** In the narrowest picture that there is, in pixels: its width, and that of a character. */
const NARROW = { width: 280, character: 7.2, gap: 8 } as const;
/** Heights in pixels: of the words above a lane, and of its middle, one after the other. */
const VALUE = { words: 12, middle: 29, label: 50 } as const;
const NEXT = { words: 74, middle: 89 } as const;
const SALE_GAP = 21;

/**
 * A price with the range of its value, that of the next sale and the last sale, on one scale in dollars. Positions are
 * percentages of the width, and the text keeps its size, so it is legible at any width.
 */
export function RangePicture(ranges: PriceRanges) {
  const { price, value, next, lastSale } = ranges;
  const { x, reach } = scaleOf(ranges);
  const saleMiddle = (next === null ? VALUE.label : NEXT.middle) + SALE_GAP;
  const height = (lastSale === null ? saleMiddle - SALE_GAP : saleMiddle) + 10;
  return (
    <svg class="range" width="100%" height={height} role="img" aria-labelledby="range-title range-words">
      <title id="range-title">{`Reference price ${usd(price)} and its ranges`}</title>
      <desc id="range-words">{wordsOf(ranges)}</desc>
      <text class="range-words" y={VALUE.words}>
        80% chance the value is in here
      </text>
      <rect
        class="range-value"
        x={percent(x(value.low))}
        y={VALUE.middle - 7}
        width={percent(x(value.high) - x(value.low))}
        height="14"
        rx="3"
      />
      <EndAmounts ends={value} middle={VALUE.middle} x={x} />
      <line
        class="range-price"
        x1={percent(x(price))}
        x2={percent(x(price))}
        y1={VALUE.middle - 10}
        y2={VALUE.middle + 10}
      />
      <text
        class="range-price-label"
        text-anchor="middle"
        x={percent(inside(x(price), `price ${usd(price)}`))}
        y={VALUE.label}
      >
        price {usd(price)}
      </text>
      {next !== null && (
        <>
          <text class="range-words" y={NEXT.words}>
            80% chance for the next sale
          </text>
          <line
            class="range-next"
            x1={percent(x(next.low))}
            x2={percent(x(next.high))}
            y1={NEXT.middle}
            y2={NEXT.middle}
          />
          {[next.low, next.high].map((end) => (
            <line
              key={end}
              class="range-next"
              x1={percent(x(end))}
              x2={percent(x(end))}
              y1={NEXT.middle - 5}
              y2={NEXT.middle + 5}
            />
          ))}
          <EndAmounts ends={next} middle={NEXT.middle} x={x} />
        </>
      )}
      {lastSale !== null && <LastSale at={x(lastSale)} middle={saleMiddle} words={saleWords(lastSale, reach)} />}
    </svg>
  );
}

type PicturePlace = (cents: number) => number;

/** The amounts of a range, to the left and to the right of it. */
function EndAmounts({ ends, middle, x }: { ends: Ends; middle: number; x: PicturePlace }) {
  return (
    <>
      <text class="range-end" x={percent(x(ends.low))} dx={-NARROW.gap + 1} y={middle + 4} text-anchor="end">
        {usd(ends.low)}
      </text>
      <text class="range-end" x={percent(x(ends.high))} dx={NARROW.gap - 1} y={middle + 4}>
        {usd(ends.high)}
      </text>
    </>
  );
}

/** Its words are on the side with more room. */
function LastSale({ at, middle, words }: { at: number; middle: number; words: string }) {
  const isLeft = at > 50;
  return (
    <>
      <circle class="range-sale" cx={percent(at)} cy={middle} r="4.5" />
      <text
        class="range-end"
        x={percent(at)}
        dx={isLeft ? -NARROW.gap - 1 : NARROW.gap + 1}
        y={middle + 4}
        text-anchor={isLeft ? 'end' : undefined}
      >
        {words}
      </text>
    </>
  );
}

/** Where amounts are, in percent of the width, with room for the amounts at the ends; `reach`: the farthest that is drawn. */
function scaleOf({ value, next, lastSale }: PriceRanges): { x: PicturePlace; reach: Ends } {
  const widest = next ?? value;
  const span = widest.high - widest.low;
  const reach = { low: widest.low - span, high: widest.high + span };
  const sale = lastSale === null ? widest.low : clamp(lastSale, reach);
  const from = Math.min(widest.low, sale);
  const to = Math.max(widest.high, sale);
  const left = roomFor(value.low, widest.low);
  const room = 100 - left - roomFor(value.high, widest.high);
  return { reach, x: (cents) => (to === from ? 50 : left + (room * (clamp(cents, reach) - from)) / (to - from)) };
}

function clamp(cents: number, { low, high }: Ends): number {
  return Math.max(low, Math.min(high, cents));
}

/** Percent of the narrowest width that the longer of two amounts takes, and the gap next to it. */
function roomFor(...cents: number[]): number {
  return Math.max(...cents.map((one) => share(usd(one)))) + (100 * NARROW.gap) / NARROW.width;
}

/** Percent of the narrowest width that a text takes. */
function share(text: string): number {
  return (100 * text.length * NARROW.character) / NARROW.width;
}

/** The middle of a text that stays within the picture. */
function inside(at: number, text: string): number {
  const half = share(text) / 2;
  return Math.max(half, Math.min(100 - half, at));
}

function saleWords(cents: number, reach: Ends): string {
  const far = cents > reach.high ? ', far above' : cents < reach.low ? ', far below' : '';
  return `last sale ${usd(cents)}${far}`;
}

/** The picture in words. */
function wordsOf({ value, next, lastSale }: PriceRanges): string {
  return [
    `With a chance of 80% the value is between ${usd(value.low)} and ${usd(value.high)}.`,
    next === null ? '' : `With a chance of 80% the next sale is between ${usd(next.low)} and ${usd(next.high)}.`,
    lastSale === null ? '' : `The last sale was ${usd(lastSale)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function percent(at: number): string {
  return `${Math.round(10 * at) / 10}%`;
}
