/** Blocks that cards are compared by: a square of about a centimetre each. */
export const BLOCKS = { columns: 6, rows: 8 } as const;

/** How alike a card and a picture laid over it are, from the correlations of their blocks. */
export type Likeness = {
  /** Of all blocks: distinguishes pictures of one art, which differ in few of them. -1 to 1, as the others. */
  mean: number;
  /** What all but three tenths of the blocks reach: the card's art agrees, whatever a reflection hides. */
  most: number;
  /** What all but a seventh of them reach: its text agrees too. */
  nearlyAll: number;
  /** Share of the blocks that could be compared. */
  seen: number;
};

export function likenessOf(blocks: Float32Array): Likeness {
  const seen = blocks.filter((value) => !Number.isNaN(value)).sort();
  const reach = (share: number) => (seen.length === 0 ? -1 : seen[Math.floor(share * (seen.length - 1))]!);
  const mean = seen.length === 0 ? -1 : seen.reduce((sum, value) => sum + value, 0) / seen.length;
  return { mean, most: reach(0.3), nearlyAll: reach(0.15), seen: seen.length / (BLOCKS.columns * BLOCKS.rows) };
}

/** A block that speaks for one of two pictures by as much as light and blur never do, and how many it takes. */
const CLEARLY = 0.2;
const ENOUGH = 2;

/** Whether blocks of the card show clearly that it is the one picture and not the other, and none shows the contrary. */
export function areDistinct(one: Float32Array, other: Float32Array): boolean {
  const differences = one.map((value, i) => value - other[i]!);
  const speakFor = differences.filter((value) => value > CLEARLY).length;
  return speakFor >= ENOUGH && !differences.some((value) => value < -CLEARLY);
}
