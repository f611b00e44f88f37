/** Where the primary's log was at which time: how far behind a replica is follows without its clock. */
export type Positions = {
  /** The log of the primary was at `position` (bytes) at `atMs`. */
  note(atMs: number, position: number): void;
  /**
   * How long before the last note the primary was where a replica is: whatever happened before that, the replica has.
   * Infinity where it is behind everything noted.
   */
  lagMs(position: number): number;
};

const PAGE_BYTES = 8192;
const PAGE_HEADER_BYTES = 24;

/** Positions of the last `keptMs`. */
export function openPositions(keptMs: number): Positions {
  let known: { atMs: number; position: number }[] = [];
  return {
    note(atMs, position) {
      const last = known.at(-1);
      // Another server has become the primary, and has less.
      if (last !== undefined && last.position > position) known = [];
      if (last?.position === position) known.pop();
      known.push({ atMs, position });
      const first = known.findIndex((one) => one.atMs >= atMs - keptMs);
      known.splice(0, first);
    },
    lagMs(position) {
      const reached = known.findLast((one) => one.position <= position);
      return reached === undefined ? Number.POSITIVE_INFINITY : known.at(-1)!.atMs - reached.atMs;
    },
  };
}

/**
 * A position behind the header of a page that has no record yet is the end of the page before: that is where a replica
 * with every record says that it is.
 */
export function endOfRecords(position: number): number {
  return position % PAGE_BYTES === PAGE_HEADER_BYTES ? position - PAGE_HEADER_BYTES : position;
}
