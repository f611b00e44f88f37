/** Uniform numbers in [0, 1) from a seed (a linear congruential generator on 48 bits). */
export function randomFrom(seed: number): () => number {
  let high = seed >>> 0;
  let low = 0x330e;
  return () => {
    const next = low * 0xe66d + 0xb;
    high = (Math.imul(high, 0xe66d) + low * 0x5deec + Math.floor(next / 0x10000)) >>> 0;
    low = next & 0xffff;
    return high / 0x1_0000_0000;
  };
}
