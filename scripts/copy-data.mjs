// Copies what the compiler does not: data files that the program reads beside its code.
import { cpSync, statSync } from 'node:fs';
import { extname } from 'node:path';

cpSync('src', 'dist', {
  recursive: true,
  // Scripts for browsers are bundled when the server starts.
  filter: (path) =>
    statSync(path).isDirectory() ||
    ['.json', '.ndjson', '.svg', '.txt', '.css'].includes(extname(path)) ||
    path.startsWith('src/web/client/'),
});
