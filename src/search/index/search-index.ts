import type { Game } from '../../catalog/games.ts';
import type { Language } from '../../catalog/languages.ts';
import type { SynonymTable } from '../query/synonym-table.ts';
import type { TagReach } from '../tag-choices.ts';
import type { SearchTag } from './build.ts';
import type { Lists } from './lists.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Everything that search knows, in columns. Items are numbered by demand: a lower number is
 * the better answer among equals and every list of items begins with the best. What many items share (names, sets,
 * variations …) is kept once, with its words: a query is compared with those, not with items.
 */
export type SearchIndex = {
  size: number;
  vocabulary: Vocabulary;
  /** English names, and of who is on it. */
  names: Column;
  /** Names as printed, where they differ. */
  printed: Column;
  sets: Column;
  variations: Column;
  rarities: Column;
  /** Artists and teams. */
  extras: Column;
  numbers: Numbers;
  /** By value of `sets`. */
  gameOfSet: readonly Game[];
  /** By the bytes in `languageOf`. */
  languages: readonly Language[];
  languageOf: Uint8Array;
  yearOf: Uint16Array;
  /** The best item of the same set, number and name: what printings of one card share. */
  cardOf: Int32Array;
  isImaged: Uint8Array;
  tags: TagIndex;
  synonyms: SynonymTable;
  /** The catalog id of an item. */
  idOf(item: number): string;
};

/** One column of the items: each has one value, a value is a bag of words. Value 0 is empty. */
export type Column = {
  /** The value of each item. */
  of: Int32Array;
  count: number;
  /** The items of each value, best first. */
  items: Lists;
  /** For each place of the vocabulary, the values that have the word, rising. */
  byWord: Lists;
  /** The games whose items have a value: one bit each (`gameBit`). */
  games: Uint16Array;
  /** Latin words of each value, those of its other names not counted. */
  wordCount: Uint8Array;
  /** Runs of other scripts in a value, where it has any. */
  scripts: ReadonlyMap<number, readonly string[]>;
};

export type Numbers = {
  of: Int32Array;
  items: Lists;
  /** The printed numbers that a key (`numberKey`) may mean, and how sure that is: 0 to 1. */
  byKey: ReadonlyMap<string, readonly { number: number; confidence: number }[]>;
};

export type TagIndex = {
  /** `kind:slug` of the active tags to their places in `items`. */
  places: ReadonlyMap<string, readonly number[]>;
  /** A character's slug, folded name or alias, to its places in `items`. */
  roster: ReadonlyMap<string, readonly number[]>;
  /** The items of each tag, best first. */
  items: Lists;
  all: readonly SearchTag[];
  /** What there is to choose from. */
  byKind: ReadonlyMap<string, readonly TagReach[]>;
};
