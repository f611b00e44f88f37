import { hash } from 'node:crypto';

/**
 * Merkle trees as of RFC 6962, section 2.1: `leaf = SHA-256(0x00 || data)`, `node = SHA-256(0x01 || left || right)`; a tree
 * that is not full splits at the largest power of two below its size. Hashes are 32 bytes.
 */
export type MerkleTree = {
  size: number;
  /** `levels[k][j]` is the root of the full subtree over the leaves from `j * 2^k` to `(j + 1) * 2^k - 1`. */
  levels: Buffer[][];
};

export const HASH_BYTES = 32;

/** The hash of a leaf whose data are a text in UTF-8. */
export function leafHash(data: string): Buffer {
  return Buffer.from(leafText(data), 'binary');
}

/** The same as a character a byte, for many that are made into one buffer: as buffers they take twice as long. */
export function leafText(data: string): string {
  return hash('sha256', `\0${data}`, 'binary');
}

const NODE_PREFIX = 1;
const PAIR_BYTES = 1 + 2 * HASH_BYTES;

/** By way of a string, which takes less time than to have a buffer made. */
function sha256(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary');
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(PAIR_BYTES);
  bytes[0] = NODE_PREFIX;
  left.copy(bytes, 1);
  right.copy(bytes, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** A tree over leaf hashes. */
export function treeOf(leaves: Iterable<Buffer>): MerkleTree {
  const tree: MerkleTree = { size: 0, levels: [[]] };
  for (const leaf of leaves) append(tree, leaf);
  return tree;
}

/** Adds a leaf at the end. */
export function append(tree: MerkleTree, leaf: Buffer): void {
  let [full, level] = [leaf, 0];
  for (let place = tree.size++; ; place >>= 1) {
    const hashes = tree.levels[level];
    if (hashes === undefined) tree.levels.push([full]);
    else hashes.push(full);
    if (place % 2 === 0) return;
    full = nodeHash(tree.levels[level]!.at(-2)!, full);
    level++;
  }
}

/** The root of the first `size` leaves; of an empty tree the hash of nothing. */
export function rootOf(tree: MerkleTree, size = tree.size): Buffer {
  return size === 0 ? sha256('') : rootBetween(tree, 0, size);
}

function rootBetween(tree: MerkleTree, from: number, to: number): Buffer {
  const split = splitOf(to - from);
  const level = Math.log2(to - from);
  if (Number.isInteger(level)) return tree.levels[level]![from / 2 ** level]!;
  return nodeHash(rootBetween(tree, from, from + split), rootBetween(tree, from + split, to));
}

/**
 * The same root of leaf hashes one after another, without a tree: neighbors are joined level by level, an odd last one goes up as
 * it is. Pairs are kept in one buffer, each behind its prefix, so that they are hashed where they are.
 */
export function rootOfLeaves(leaves: Buffer): Buffer {
  let count = leaves.length / HASH_BYTES;
  if (count === 0) return sha256('');
  const pairs = Buffer.alloc(Math.ceil(count / 2) * PAIR_BYTES, NODE_PREFIX);
  for (let i = 0; i < count; i += 2) leaves.copy(pairs, placeInPair(i), i * HASH_BYTES, (i + 2) * HASH_BYTES);
  for (; count > 1; count = Math.ceil(count / 2)) {
    for (let i = 0; i < count >> 1; i++)
      pairs.write(
        hash('sha256', pairs.subarray(i * PAIR_BYTES, (i + 1) * PAIR_BYTES), 'binary'),
        placeInPair(i),
        'binary',
      );
    const last = placeInPair(count - 1);
    if (count % 2 === 1) pairs.copy(pairs, placeInPair(count >> 1), last, last + HASH_BYTES);
  }
  return pairs.subarray(1, 1 + HASH_BYTES);
}

/** Where the hash of the i-th node of a level is among pairs. */
function placeInPair(i: number): number {
  return (i >> 1) * PAIR_BYTES + 1 + (i % 2) * HASH_BYTES;
}

/** The largest power of two below a size. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The audit path of a leaf in the first `size` leaves, from the leaf up (section 2.1.1). */
export function inclusionProof(tree: MerkleTree, index: number, size = tree.size): Buffer[] {
  if (index < 0 || index >= size || size > tree.size) throw new RangeError(`leaf ${index} of ${size}`);
  const proof: Buffer[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      proof.push(rootBetween(tree, middle, to));
      to = middle;
    } else {
      proof.push(rootBetween(tree, from, middle));
      from = middle;
    }
  }
  return proof.reverse();
}

/** That the first `size` leaves begin with the first `oldSize` (section 2.1.2); none where they are the same, or there are none. */
export function consistencyProof(tree: MerkleTree, oldSize: number, size = tree.size): Buffer[] {
  if (oldSize < 0 || oldSize > size || size > tree.size) throw new RangeError(`${oldSize} leaves of ${size}`);
  if (oldSize === 0) return [];
  const proof: Buffer[] = [];
  let [from, to] = [0, size];
  while (to !== oldSize) {
    const middle = from + splitOf(to - from);
    if (oldSize <= middle) {
      proof.push(rootBetween(tree, middle, to));
      to = middle;
    } else {
      proof.push(rootBetween(tree, from, middle));
      from = middle;
    }
  }
  // A subtree that begins at the first leaf is the old tree itself, which the verifier has.
  if (from > 0) proof.push(rootBetween(tree, from, to));
  return proof.reverse();
}

/** Whether an audit path leads from a leaf hash to a root. */
export function isIncluded(
  leaf: Buffer,
  index: number,
  { size, root }: { size: number; root: Buffer },
  proof: readonly Buffer[],
): boolean {
  if (!isPlace(index) || !isPlace(size) || index >= size) return false;
  let hash = leaf;
  let [place, last] = [index, size - 1];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      // A leaf at the right edge has no sibling on the levels in between.
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && hash.equals(root);
}

/** A tree of which only size and root are known. */
type TreeHead = { size: number; root: Buffer };

/** Whether a proof shows that one tree begins with another. */
export function isConsistent(old: TreeHead, now: TreeHead, proof: readonly Buffer[]): boolean {
  if (!isPlace(old.size) || !isPlace(now.size) || old.size > now.size) return false;
  if (old.size === now.size) return proof.length === 0 && old.root.equals(now.root);
  if (old.size === 0) return proof.length === 0 && old.root.equals(sha256(''));
  let [place, last] = [old.size - 1, now.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  // The old tree is one subtree of the new one where its size is a power of two.
  const path = place === 0 ? [old.root, ...proof] : [...proof];
  const [seed, ...siblings] = path;
  if (seed === undefined) return false;
  let [oldHash, newHash] = [seed, seed];
  for (const sibling of siblings) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)];
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && oldHash.equals(old.root) && newHash.equals(now.root);
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
