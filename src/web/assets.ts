import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import type { FileRoute } from '../http/file-route.ts';
import { notFound } from '../http/problem.ts';
import type { WebContext } from './context.ts';

/** Styles and scripts of the pages, ready to be sent: the content of an address never changes. */
export type Assets = {
  /** Address of the one stylesheet. */
  styles: string;
  /** Address of a script by the name of its file in `client/`; throws for one that is not there. */
  script(name: string): string;
  files: ReadonlyMap<string, AssetFile>;
};

type AssetFile = { type: string; body: Buffer; gzip: Buffer; br: Buffer };

const FOLDER = '/assets/';
/** In the order of the cascade. */
const STYLES = ['tokens', 'base', 'layout', 'parts', 'pages'];
const BROWSERS = ['chrome115', 'firefox115', 'safari16.4'];

let opened: Promise<Assets> | undefined;

/** The assets, bundled once a process. */
export function openAssets(): Promise<Assets> {
  opened ??= bundle();
  return opened;
}

async function bundle(): Promise<Assets> {
  const files = new Map<string, AssetFile>();
  const add = (name: string, extension: string, type: string, body: Buffer) => {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const address = `${FOLDER}${name}-${digest}.${extension}`;
    files.set(address, { type, body, gzip: gzipSync(body), br: brotliCompressSync(body) });
    return address;
  };
  const styles = add('site', 'css', 'text/css; charset=utf-8', await bundleStyles());
  const scripts = new Map<string, string>();
  for (const [name, body] of await bundleScripts())
    scripts.set(name, add(name, 'js', 'text/javascript; charset=utf-8', body));
  return {
    styles,
    script(name) {
      const address = scripts.get(name);
      if (address === undefined) throw new Error(`there is no client/${name}.ts`);
      return address;
    },
    files,
  };
}

async function bundleStyles(): Promise<Buffer> {
  const parts = await Promise.all(
    STYLES.map((name) => readFile(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')),
  );
  const { code } = await transform(parts.join('\n'), { loader: 'css', minify: true, target: BROWSERS });
  return Buffer.from(code);
}

/** One script for each file directly in `client/`, TypeScript here and JavaScript in a build; shared code is in subfolders. */
async function bundleScripts(): Promise<[name: string, body: Buffer][]> {
  const folder = fileURLToPath(new URL('./client/', import.meta.url));
  const names = (await readdir(folder)).filter((file) => /\.[jt]s$/.test(file));
  const { outputFiles } = await build({
    entryPoints: names.map((file) => folder + file),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: BROWSERS,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ path, contents }) => [path.slice(folder.length, -'.js'.length), Buffer.from(contents)]);
}

/** The assets. Addresses of an older build answer 404; a page that is loaded again names the current ones. */
export const assetFile: FileRoute<WebContext> = {
  path: `${FOLDER}:file`,
  answer({ assets }, { params, acceptEncoding }) {
    const file = assets.files.get(FOLDER + params.file);
    if (file === undefined) throw notFound('File not found. Please reload the page.');
    const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(acceptEncoding));
    return {
      body: encoding ? file[encoding] : file.body,
      headers: {
        'content-type': file.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      },
    };
  },
};
