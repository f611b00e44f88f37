import type { RgbPixels } from '../dominant-colors.ts';
import { type Advice, adviceFor } from './advice.ts';
import { greyOf } from './grey.ts';
import { type LabelReading, readLabel, type SlabTools } from './read-label.ts';
import { findSpots, type Spot } from './spots.ts';

/** The label of the slab in the middle of a photo, and how many others were seen. */
export type SlabReading = LabelReading & { kind: 'slab'; others: number };
export type Unreadable = { kind: 'unreadable'; advice: Advice };

/** Places that are read until one is a label, of dark print and of light. */
const MAX_READ = { dark: 4, light: 2 };
/** Another place that looks as much like a label, and is nearer to the middle, is read too. */
const AS_LIKELY = 0.75;

/**
 * Reads the label of the slab in a photo, the most central one of several. Takes some hundred milliseconds a place that
 * looks like a label. Reads upright slabs, turned by 30° at most.
 */
export async function readSlab(tools: SlabTools, photo: RgbPixels): Promise<SlabReading | Unreadable> {
  const grey = greyOf(tools.cv, photo);
  try {
    const off = ({ frame: { center } }: Spot) => Math.hypot(center[0] - photo.width / 2, center[1] - photo.height / 2);
    for (const ink of ['dark', 'light'] as const) {
      const spots = findSpots(tools.cv, grey, ink);
      const labels: { spot: Spot; label: LabelReading }[] = [];
      for (const spot of spots.slice(0, MAX_READ[ink])) {
        const [best] = labels;
        if (best !== undefined && (off(spot) >= off(best.spot) || spot.score < AS_LIKELY * best.spot.score)) continue;
        const label = await readLabel(tools, grey, photo, spot);
        if (label !== null) labels.unshift({ spot, label });
      }
      const [first] = labels;
      if (first !== undefined) {
        const isOther = (spot: Spot) =>
          spot.score >= AS_LIKELY * first.spot.score && !isOnSlabOf(first.spot, spot) && !isOnSlabOf(spot, first.spot);
        const others = spots.filter(isOther).length;
        return { kind: 'slab', ...first.label, others };
      }
    }
    return { kind: 'unreadable', advice: adviceFor(tools.cv, grey) };
  } finally {
    grey.delete();
  }
}

/** Sides of a slab in heights of its label's letters, at most. */
const SLAB = { width: 50, height: 70 };

/** Whether print lies on the slab of a label, the label itself included. */
function isOnSlabOf({ frame, letterPx }: Spot, other: Spot): boolean {
  const aside = Math.abs(other.frame.center[0] - frame.center[0]);
  const down = other.frame.center[1] - frame.center[1];
  return aside < (SLAB.width * letterPx) / 2 && down > -frame.height && down < SLAB.height * letterPx;
}
