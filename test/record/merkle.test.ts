import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  append,
  consistencyProof,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  type MerkleTree,
  rootOf,
  rootOfLeaves,
  treeOf,
} from '../../src/record/merkle.ts';

const sha256 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Section 2.1 of RFC 6962, as it is written. */
function rootByDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256('');
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Buffer.of(1), rootByDefinition(leaves.slice(0, k)), rootByDefinition(leaves.slice(k)));
}

/** Sections 2.1.1 and 2.1.2, as they are written. */
function pathByDefinition(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m < k
    ? [...pathByDefinition(m, left), rootByDefinition(right)]
    : [...pathByDefinition(m - k, right), rootByDefinition(left)];
}
function proofByDefinition(m: number, leaves: readonly Buffer[], isWhole = true): Buffer[] {
  if (m === leaves.length) return isWhole ? [] : [rootByDefinition(leaves)];
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m <= k
    ? [...proofByDefinition(m, left, isWhole), rootByDefinition(right)]
    : [...proofByDefinition(m - k, right, false), rootByDefinition(left)];
}

const hex = (bytes: Buffer) => bytes.toString('hex');
const hexes = (proof: readonly Buffer[]) => proof.map(hex).join();

const LEAVES = Array.from({ length: 70 }, (_, i) => leafHash(`leaf ${i}`));
const SIZES = Array.from({ length: 71 }, (_, size) => size);
const whole = treeOf(LEAVES);
const headOf = (tree: MerkleTree, size: number) => ({ size, root: rootOf(tree, size) });

// Those that test suites of Certificate Transparency use; Python's hashlib gives the same roots by section 2.1.
describe('the vectors of the reference implementation of RFC 6962', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  test.each(roots.map((root, size) => [size, root] as const))('the root of %i leaves', (size, root) => {
    const tree = treeOf(inputs.map((hex) => leafHash(Buffer.from(hex, 'hex').toString('latin1'))));
    expect(rootOf(tree, size).toString('hex')).toBe(root);
  });
});

test('every root, audit path and consistency proof is the one of the definition, and verifies', () => {
  const wrong: string[] = [];
  for (const size of SIZES) {
    const leaves = LEAVES.slice(0, size);
    const head = headOf(whole, size);
    expect(hex(head.root)).toBe(hex(rootByDefinition(leaves)));
    expect(hex(rootOfLeaves(Buffer.concat(leaves)))).toBe(hex(head.root));
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(whole, index, size);
      if (hexes(proof) !== hexes(pathByDefinition(index, leaves))) wrong.push(`the path of ${index} in ${size}`);
      if (!isIncluded(leaves[index]!, index, head, proof)) wrong.push(`${index} in ${size} does not verify`);
    }
    for (let old = 0; old <= size; old++) {
      const proof = consistencyProof(whole, old, size);
      const stated = old === 0 ? [] : proofByDefinition(old, leaves);
      if (hexes(proof) !== hexes(stated)) wrong.push(`the proof of ${old} of ${size}`);
      if (!isConsistent(headOf(whole, old), head, proof)) wrong.push(`${old} of ${size} does not verify`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a tree that grows has the roots of trees made at once', () => {
  const tree = treeOf([]);
  for (const [i, leaf] of LEAVES.entries()) {
    append(tree, leaf);
    expect(hex(rootOf(tree))).toBe(hex(rootOf(whole, i + 1)));
  }
});

describe('no other proof verifies', () => {
  const flipped = (bytes: Buffer, at: number): Buffer => {
    const other = Buffer.from(bytes);
    other[(at >> 3) % other.length]! ^= 1 << (at & 7);
    return other;
  };
  const place = fc.record({ size: fc.integer({ min: 1, max: 70 }), index: fc.nat(69), bit: fc.nat(1 << 20) });

  test('of a leaf: with a bit flipped, a hash more or less, at another place, in a tree of another size', () => {
    fc.assert(
      fc.property(place, ({ size, index: any, bit }) => {
        const index = any % size;
        const [leaf, head, proof] = [LEAVES[index]!, headOf(whole, size), inclusionProof(whole, index, size)];
        expect(isIncluded(flipped(leaf, bit), index, head, proof)).toBe(false);
        expect(isIncluded(leaf, index, { size, root: flipped(head.root, bit) }, proof)).toBe(false);
        expect(isIncluded(leaf, index, head, [...proof, leaf])).toBe(false);
        expect(SIZES.filter((other) => isIncluded(leaf, other, head, proof))).toEqual([index]);
        if (proof.length === 0) return;
        const wrong = bit % proof.length;
        expect(isIncluded(leaf, index, head, proof.with(wrong, flipped(proof[wrong]!, bit)))).toBe(false);
        expect(isIncluded(leaf, index, head, proof.toSpliced(wrong, 1))).toBe(false);
      }),
    );
  });

  test('of an older tree: with a bit flipped, a hash more or less, of trees with another root', () => {
    fc.assert(
      fc.property(place, ({ size, index: any, bit }) => {
        const old = 1 + (any % size);
        const [was, is, proof] = [headOf(whole, old), headOf(whole, size), consistencyProof(whole, old, size)];
        expect(isConsistent({ ...was, root: flipped(was.root, bit) }, is, proof)).toBe(false);
        expect(isConsistent(was, { ...is, root: flipped(is.root, bit) }, proof)).toBe(false);
        expect(isConsistent(was, is, [...proof, is.root])).toBe(false);
        if (proof.length === 0) return;
        const wrong = bit % proof.length;
        expect(isConsistent(was, is, proof.with(wrong, flipped(proof[wrong]!, bit)))).toBe(false);
        expect(isConsistent(was, is, proof.toSpliced(wrong, 1))).toBe(false);
      }),
    );
  });
});

test('what is not in the tree is an error', () => {
  expect(() => inclusionProof(whole, 3, 3)).toThrow(RangeError);
  expect(() => inclusionProof(whole, 0, 71)).toThrow(RangeError);
  expect(() => consistencyProof(whole, 5, 4)).toThrow(RangeError);
});
