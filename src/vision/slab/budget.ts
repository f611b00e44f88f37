import type { PlaceTools, SlabTools } from './read-label.ts';

/**
 * What one photo may take until a label is found, and in all, counted in work: a reading must not depend on how busy or how
 * warm the machine is. Slabs take 13 readings, six of them on one photo 86 and 2.1 megapixels; a megapixel takes a second.
 */
const LOOKING = { readings: 60, pixels: 3_000_000 };
const WHOLE = { readings: 200, pixels: 6_000_000 };
/** Of one place: print that is read again and again must not use up what the next places need, nor its own grade. */
const PLACE = { words: 36, details: 36 };
/** CPU time of this process, beyond twice what the slowest photo takes on a busy machine; the pool kills at 15 s. */
const HARD_LIMIT_MS = 12_000;

/** Tools for one photo. Beyond its limits nothing more is read: what has been read by then is the answer. */
export type BudgetedTools = SlabTools & {
  /** Whether another place may be examined; reading what is a label does not count against it. */
  mayLook(): boolean;
  /** The tools for the next place, which has limits of its own. */
  forPlace(): PlaceTools;
};

type Work = { readings: number; pixels: number };

export function budgeted(tools: SlabTools, cpuMs = usedCpuMs): BudgetedTools {
  const beganMs = cpuMs();
  const whole: Work = { readings: 0, pixels: 0 };
  const looking: Work = { readings: 0, pixels: 0 };
  const isWithin = (done: Work, limits: Work) =>
    done.readings < limits.readings && done.pixels < limits.pixels && cpuMs() - beganMs < HARD_LIMIT_MS;
  const bounded = (most: number, counted: readonly Work[]): SlabTools => {
    let readings = 0;
    return {
      ...tools,
      ocr: {
        ...tools.ocr,
        async read(picture, options) {
          if (readings++ >= most || !isWithin(whole, WHOLE)) return [];
          for (const work of counted) {
            work.readings++;
            work.pixels += picture.width * picture.height;
          }
          return tools.ocr.read(picture, options);
        },
      },
    };
  };
  return {
    ...bounded(WHOLE.readings, [whole]),
    mayLook: () => isWithin(looking, LOOKING) && isWithin(whole, WHOLE),
    forPlace: () => ({
      words: bounded(PLACE.words, [whole, looking]),
      details: bounded(PLACE.details, [whole]),
    }),
  };
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
