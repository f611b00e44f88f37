import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
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
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

let opened: Promise<Assets> | undefined;

/** The assets, bundled once a process. */
export function openAssets(): Promise<Assets> {
  opened ??= bundle();
  return opened;
}

/** One script for each file directly in `client/`, TypeScript here and JavaScript in a build; shared code is in subfolders. */
async function bundle(): Promise<Assets> {
  const folder = fileURLToPath(new URL('./client/', import.meta.url));
  const scripts = (await readdir(folder)).filter((file) => /\.[jt]s$/.test(file));
  const { outputFiles } = await build({
    entryPoints: [
      fileURLToPath(new URL('./styles/site.css', import.meta.url)),
      ...scripts.map((file) => folder + file),
    ],
    entryNames: '[name]-[hash]',
    outdir: folder,
    // The digests in the names include the paths of the sources, which are relative to this folder.
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    write: false,
    logLevel: 'silent',
  });
  const files = new Map<string, AssetFile>();
  const addresses = new Map<string, string>();
  for (const { path, contents } of outputFiles) {
    const body = Buffer.from(contents);
    const { name, ext, base } = parse(path);
    files.set(FOLDER + base, { type: TYPES[ext]!, body, gzip: gzipSync(body), br: brotliCompressSync(body) });
    addresses.set(name.replace(/-[^-]+$/, ext), FOLDER + base);
  }
  return {
    styles: addresses.get('site.css')!,
    script(name) {
      const address = addresses.get(`${name}.js`);
      if (address === undefined) throw new Error(`there is no client/${name}.ts`);
      return address;
    },
    files,
  };
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
