import { isCollection, LineCounter, parseDocument } from 'yaml';

/** The way to a value: keys of maps and places in lists. */
export type YamlPath = readonly (string | number)[];

/** A text in YAML or JSON; what is wrong with it is said as `file:line: why`. */
export function readYaml(text: string, fileName: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineAt = (offset: number) => `${fileName}:${lines.linePos(offset).line}:`;
  return {
    unreadable: document.errors.map(({ pos, message }) => `${lineAt(pos[0])} ${message.split('\n')[0]}`),
    value: (): unknown => document.toJS(),
    /** `file:line: /sources/0/url why`; of a missing place the line where what lacks it begins. */
    mistake(path: YamlPath, why: string): string {
      let node: unknown = document.contents;
      for (const step of path) {
        const key = /^\d+$/.test(String(step)) ? Number(step) : step;
        node = (isCollection(node) ? node.get(key, true) : undefined) ?? node;
      }
      const offset = (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0;
      return `${lineAt(offset)} /${path.join('/')} ${why}`;
    },
  };
}
