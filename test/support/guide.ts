import { readFileSync } from 'node:fs';

/** A block of code of a guide, without its indentation: `words` is what its opening fence says. */
export function guideBlock(guide: string, words: string): string {
  const text = readFileSync(new URL(`../../docs/guide/${guide}`, import.meta.url), 'utf8');
  const [, indentation, block] = new RegExp(`\\n( *)\`\`\`${words}\\n(.*?)\\n *\`\`\``, 's').exec(text) ?? [];
  if (block === undefined) throw new Error(`${guide} has no block "${words}"`);
  return block.replaceAll(`\n${indentation}`, '\n').slice(indentation!.length);
}
