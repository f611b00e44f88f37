import type { Config } from '../../config.ts';
import type { Assets } from '../assets.ts';
import type { WebContext } from '../context.ts';

/** The site as its pages see it. */
export type Site = {
  name: string;
  /** Absolute, without a slash at the end. */
  baseUrl: string;
  /** Its sales are simulated: every page says so. */
  isDemo: boolean;
  assets: Assets;
  /** Photos can be compared with the catalog. */
  canScan: boolean;
  imageHosts: readonly string[];
};

export function siteOf({ config, assets, scanState }: Pick<WebContext, 'config' | 'assets' | 'scanState'>): Site {
  const { serviceName: name, baseUrl, isDemo, imageHosts } = config;
  return { name, baseUrl, isDemo, assets, imageHosts, canScan: scanState.isOpen() };
}

/** The address of a picture that pages may show; null where the operator has not allowed its host. */
export function shownImage(
  { imageHosts, baseUrl }: Pick<Site, 'imageHosts' | 'baseUrl'>,
  url: string | null,
): string | null {
  if (url === null || /^\/(?!\/)/.test(url)) return url;
  if (url.startsWith(`${baseUrl}/`)) return url.slice(baseUrl.length);
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && imageHosts.includes(hostname) ? url : null;
}

/** The content security policy: own styles and scripts, pictures from here and from the configured hosts, nothing inline. */
export function contentPolicy(config: Pick<Config, 'imageHosts'>): string {
  return policyFor(config, "'none'");
}

/** The same for a page that any site may show in a frame. */
export function framedPolicy(config: Pick<Config, 'imageHosts'>): string {
  return policyFor(config, '*');
}

function policyFor({ imageHosts }: Pick<Config, 'imageHosts'>, frames: string): string {
  const images = ["'self'", 'blob:', ...imageHosts.map((host) => `https://${host}`)].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
  ].join('; ');
}
