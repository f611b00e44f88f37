/** Many lists of numbers in two arrays: list `i` is `all[start[i] … start[i + 1])`. */
export type Lists = { start: Int32Array; all: Int32Array };

/** List `i`, as a view. */
export function listAt({ start, all }: Lists, i: number): Int32Array {
  return all.subarray(start[i], start[i + 1]);
}

export function listSize({ start }: Lists, i: number): number {
  return start[i + 1]! - start[i]!;
}

/** `count` lists from pairs (list, number), each list in the order given. Without numbers: the places of the pairs. */
export function listsOf(count: number, lists: ArrayLike<number>, numbers?: ArrayLike<number>): Lists {
  const start = new Int32Array(count + 1);
  for (let i = 0; i < lists.length; i++) start[lists[i]! + 1]!++;
  for (let i = 0; i < count; i++) start[i + 1]! += start[i]!;
  const next = start.slice(0, count);
  const all = new Int32Array(lists.length);
  for (let i = 0; i < lists.length; i++) all[next[lists[i]!]!++] = numbers === undefined ? i : numbers[i]!;
  return { start, all };
}

/** How many numbers of a rising list are below `number`: its place, or where it would be inserted. */
export function placeIn(list: Int32Array, number: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
