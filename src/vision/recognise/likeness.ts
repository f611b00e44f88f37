/** Blocks that cards are compared by: a square of about a centimetre each. */
export const BLOCKS = { columns: 6, rows: 8 } as const;

/** How alike a card and a picture laid over it are, from the correlations of their blocks. */
export type Likeness = {
  /** What all but three tenths of the blocks reach: the card's art agrees, whatever a reflection hides. -1 to 1. */
  most: number;
  /** What all but a seventh of them reach: its text agrees too. */
  nearlyAll: number;
  /** Share of the blocks that could be compared. */
  seen: number;
};

export function likenessOf(blocks: Float32Array): Likeness {
  const seen = blocks.filter((value) => !Number.isNaN(value)).sort();
  const reach = (share: number) => (seen.length === 0 ? -1 : seen[Math.floor(share * (seen.length - 1))]!);
  return { most: reach(0.3), nearlyAll: reach(0.15), seen: seen.length / (BLOCKS.columns * BLOCKS.rows) };
}
