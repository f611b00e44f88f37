import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The order of dependency, as ARCHITECTURE.md states it: a folder imports only folders to its left. */
const ORDER = [
  'lib',
  'files',
  'settings',
  'threads',
  'connections',
  'config',
  'db',
  'http',
  'access',
  'decisions',
  'intake',
  'catalog',
  'connectors',
  'vision',
  'sales',
  'pricing/model',
  'record',
  'pricing',
  'items',
  'audit',
  'desk',
  'receipts',
  'bulk',
  'indices',
  'search',
  'graded',
  'lists',
  'mcp',
  'backup',
  'web',
  'ops',
  'routes',
  'jobs',
  'app',
  'commands',
  'program',
  'main',
];

/** Under "Pure files" of ARCHITECTURE.md: `folder/{one,other}` or `folder/*`, one pattern for each name. */
const PURE = [
  ...readFileSync('ARCHITECTURE.md', 'utf8')
    .split('\n## Pure files\n')[1]!
    .matchAll(/^(?:- | {2}).*$/gm),
]
  .flatMap(([line]) => [...line.matchAll(/`([^`]+)`/g)])
  .flatMap(([, pattern]) => {
    const [, before, names, after] = /^([^{]*)\{([^}]+)\}(.*)$/.exec(pattern!) ?? [];
    return names === undefined ? [pattern!] : names.split(',').map((name) => before + name + after);
  })
  .map((pattern) => ({ pattern, regex: new RegExp(`^${pattern.replaceAll('*', '[^/]*')}\\.tsx?$`) }));

const root = resolve('src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

function placeOf(file: string): string {
  if (file.startsWith('pricing/model/')) return 'pricing/model';
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.tsx?$/, '');
}

/** Files imported by a file, relative to src. */
function importsOf(file: string): { specifier: string; typeOnly: boolean }[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)'/gms)].map((match) => ({
    specifier: match[2]!,
    typeOnly: match[1] !== undefined,
  }));
}

describe('the tree is the architecture', () => {
  test('every file of src is in a folder of the order', () => {
    for (const file of files)
      expect(ORDER, `${file}: add its folder to the order in ARCHITECTURE.md, or move it`).toContain(placeOf(file));
  });

  test('a folder imports only folders to its left', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const { specifier } of importsOf(file)) {
        if (!specifier.startsWith('.')) continue;
        const target = relative(root, join(root, dirname(file), specifier));
        if (target.startsWith('..')) continue;
        if (ORDER.indexOf(placeOf(target)) > ORDER.indexOf(placeOf(file)))
          wrong.push(`${file} imports ${target}: move what it needs to the left, or pass it in`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('every name in the list of pure files is a file', () => {
    const missing = PURE.filter(({ regex }) => !files.some((file) => regex.test(file)));
    expect(missing.map(({ pattern }) => `${pattern}: it has moved; correct the list in ARCHITECTURE.md`)).toEqual([]);
    expect(files.filter((file) => PURE.some(({ regex }) => regex.test(file))).length).toBeGreaterThan(100);
  });

  test('pure files know no database, HTTP, file, clock or chance', () => {
    const wrong: string[] = [];
    for (const file of files.filter((name) => PURE.some(({ regex }) => regex.test(name)))) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const { specifier, typeOnly } of importsOf(file)) {
        const isImpure = /^(node:(?!crypto)|pg|fastify)/.test(specifier) || /\/http\//.test(specifier);
        // A function that takes a connection queries the database, though its file imports only the type.
        if ((isImpure && !typeOnly) || /\/db\//.test(specifier)) wrong.push(`${file} imports ${specifier}`);
      }
      if (/\b(Date\.now|Math\.random|performance\.now|process\.env|new Date\(\))/.test(text))
        wrong.push(`${file} reads the clock, chance or environment`);
    }
    expect(wrong).toEqual([]);
  });

  test('what verifies a receipt imports only the pure model and lib, and no package', () => {
    const reached = new Set(['record/verify.ts']);
    const others: string[] = [];
    for (const file of reached)
      for (const { specifier } of importsOf(file)) {
        if (specifier.startsWith('.')) reached.add(relative(root, join(root, dirname(file), specifier)));
        else if (specifier !== 'node:crypto') others.push(`${file} imports ${specifier}`);
      }
    expect(others).toEqual([]);
    expect([...new Set([...reached].map(placeOf))].sort()).toEqual(['lib', 'pricing/model', 'record']);
  });

  test('routes are mounted from the tables of routes.ts alone', () => {
    const mounting = files.filter((file) =>
      /\b(app|scope|server)\s*\.\s*(route|all|get|head|post|put|patch|delete|options)\s*[(<]/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
    // The desk is a server of its own (docs/decisions/0036).
    const desk = 'web/desk/desk-server.ts';
    expect(mounting.sort()).toEqual([
      'http/endpoint.ts',
      'http/file-route.ts',
      'http/parts/parts.ts',
      'mcp/mcp-route.ts',
      desk,
      'web/forms/form.ts',
      'web/page.ts',
    ]);
    expect(readFileSync(join(root, 'app.ts'), 'utf8').match(/\bmount\w*\(app, .*/g)).toEqual([
      'mountAll(app, context, limits.pageWithinMs);',
      'mountElsewhere(app, path, methods, only);',
      'mount(app, readsOnly(route.endpoint) ? reading : context, route, withPhotoTurns);',
      'mountPage(app, page.readsPrimary ? context : reading, page, pageWithinMs);',
      'mountForms(app, context, formsHere);',
      'mountMcp(app, context, MCP);',
      'mountFile(app, reading, file);',
    ]);
  });

  test('only config.ts reads the environment', () => {
    const readers = files.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers.filter((file) => file !== 'config.ts' && !file.startsWith('db/embedded'))).toEqual([]);
  });

  test('no test and no source imports a bench', () => {
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join('test', name));
    const importing = [...tests, ...files.map((name) => join('src', name))].filter((file) =>
      /from '[^']*\/bench\//.test(readFileSync(file, 'utf8')),
    );
    expect(importing, 'move what they share to test/support').toEqual([]);
  });

  test('no folder has more than 20 files, but those of equals', () => {
    const counts = new Map<string, number>();
    for (const tree of ['src', 'test', 'bench', 'packages/client/src'])
      for (const file of readdirSync(tree, { recursive: true, withFileTypes: true }))
        if (file.isFile() && !file.parentPath.includes('node_modules'))
          counts.set(file.parentPath, (counts.get(file.parentPath) ?? 0) + 1);
    const equals = /(catalog\/formats|src\/commands)$/;
    const full = [...counts].filter(([folder, count]) => count > 20 && !equals.test(folder));
    expect(full, 'give what has a subject of its own a folder').toEqual([]);
  });

  test('no two files have one name, but where a convention gives it', () => {
    // A command's file is named after the command, a page's after its folder, a script after its page, a format after its
    // source, a view of the API after the last segment of its address; every room has its context and shapes.
    const given =
      /^(commands|web\/client|.*\/formats)\/|^web\/(\w+)\/\2\.tsx$|(^|\/)(context|shapes|by-image|detail|games|series)\.tsx?$/;
    const names = files.filter((file) => !given.test(file)).map((file) => basename(file).replace(/\.tsx?$/, ''));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('an exported type has a name that no other type has', () => {
    const places = new Map<string, { file: string; isExported: boolean }[]>();
    for (const file of files)
      for (const [, exported, name] of readFileSync(join(root, file), 'utf8').matchAll(
        /^(export )?(?:type|interface|class) (\w+)/gm,
      ))
        places.set(name!, [...(places.get(name!) ?? []), { file, isExported: exported !== undefined }]);
    const shared = [...places].filter(([, all]) => all.length > 1 && all.some(({ isExported }) => isExported));
    expect(shared.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([]);
  });

  test('no file is over 300 lines', () => {
    const client = readdirSync('packages/client/src').map((name) => join('packages/client/src', name));
    // The types of all routes, generated.
    const written = client.filter((file) => basename(file) !== 'api.ts');
    const all = [...files.map((name) => join('src', name)), ...written];
    const long = all.filter((file) => readFileSync(file, 'utf8').split('\n').length > 301);
    expect(long, 'a file has one subject; over 300 lines it has several').toEqual([]);
  });
});
