/** Uniform numbers in [0, 1) that belong to a name, the same on every machine (FNV-1a of it seeds mulberry32). */
export function uniformOf(name: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Puts a list into a random order, in place (Fisher and Yates). */
export function shuffle(list: unknown[] | Uint32Array, uniform: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const other = Math.floor(uniform() * (i + 1));
    [list[i], list[other]] = [list[other], list[i]] as [number, number];
  }
}
