// Copies what the compiler does not: data files that the program reads beside its code.
import { cpSync, statSync } from 'node:fs';
import { extname } from 'node:path';

cpSync('src', 'dist', {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || ['.json', '.ndjson', '.svg', '.txt'].includes(extname(path)),
});
