import { type TObject, Type } from 'typebox';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { itemHref } from './item-row.ts';
import type { Locator } from './locate/locate.ts';
import { endpointOf, type ItemView } from './view.ts';

type Named = Record<string, string>;

/** The addresses of one item by a locator, with what each answers: `views` by their last path segment, and its link. */
export function addressesOf(
  locator: Locator,
  // biome-ignore lint/suspicious/noExplicitAny: views of different queries share this table
  views: readonly (readonly [suffix: string, view: ItemView<any>])[],
): [path: string, Endpoint<TObject, TObject>][] {
  const { link, path } = locator;
  // Bare, an id of others resolves to a link; its detail has a segment of its own.
  const ofViews = views.map(([suffix, view]): [string, Endpoint<TObject, TObject>] => [
    path + (link && suffix === '' ? '/detail' : suffix),
    endpointOf(view, locator),
  ]);
  return link === undefined ? ofViews : [[path, linkOf(locator, link)], ...ofViews];
}

function linkOf({ params, query, locate }: Locator, link: { id: string; summary: string }) {
  return endpoint({
    ...link,
    params,
    ...(query ? { query } : {}),
    response: Type.Object({ href: Type.String({ description: 'Site-relative /card/... link, not an API path.' }) }),
    maxAgeSeconds: 300,
    statuses: [404, 410],
    async handle(context, input) {
      const { item } = await locate(context, input.params as Named, input.query as Named);
      return { body: { href: itemHref(item, null) } };
    },
  });
}
