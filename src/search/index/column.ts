import { latinWords, pairsOf, scriptRuns } from './index-words.ts';
import { type Lists, listSize, listsOf } from './lists.ts';
import type { Column } from './search-index.ts';
import { placeOf, type Vocabulary, type WordUse } from './vocabulary.ts';

/** Builds one column: the values in order of first use, and which of them each item has. */
type ColumnBuilder = {
  /**
   * Adds the next item's value and its game (a bit); `texts` and the words in `also` are read when the value is new.
   * Returns the value.
   */
  push(game: number, key: string, texts: readonly string[], also?: readonly string[]): number;
  /** Adds to each word how many items have it, and of which games. */
  countWords(uses: Map<string, WordUse>): void;
  finish(vocabulary: Vocabulary): Column;
};

export function newColumn(): ColumnBuilder {
  const valueOfKey = new Map<string, number>([['', 0]]);
  const values: { words: string[]; own: number; games: number }[] = [{ words: [], own: 0, games: 0 }];
  const scripts = new Map<number, string[]>();
  const of: number[] = [];
  let items: Lists | undefined;
  function itemLists(): Lists {
    items ??= listsOf(values.length, of);
    return items;
  }

  return {
    push(game, key, texts, also = []) {
      let value = valueOfKey.get(key);
      if (value === undefined) {
        value = values.length;
        valueOfKey.set(key, value);
        const runs = [...new Set(texts.flatMap(scriptRuns))];
        if (runs.length > 0) scripts.set(value, runs);
        const latin = texts.map(latinWords);
        const words = new Set([...latin.flat(), ...also, ...runs.flatMap(pairsOf)]);
        values.push({ words: [...words], own: latin.find((one) => one.length > 0)?.length ?? 0, games: 0 });
      }
      values[value]!.games |= game;
      of.push(value);
      return value;
    },
    countWords(uses) {
      for (const [value, { words, games }] of values.entries()) {
        const items = listSize(itemLists(), value);
        for (const word of words) {
          const use = uses.get(word);
          if (use === undefined) uses.set(word, { items, games });
          else {
            use.items += items;
            use.games |= games;
          }
        }
      }
    },
    finish(vocabulary) {
      const places: number[] = [];
      const having: number[] = [];
      for (const [value, { words }] of values.entries()) {
        for (const word of words) {
          places.push(placeOf(vocabulary, word));
          having.push(value);
        }
      }
      return {
        of: new Int32Array(of),
        count: values.length,
        items: itemLists(),
        byWord: listsOf(vocabulary.words.length, places, having),
        games: Uint16Array.from(values, ({ games }) => games),
        wordCount: Uint8Array.from(values, ({ own }) => Math.min(own, 255)),
        scripts,
      };
    },
  };
}
