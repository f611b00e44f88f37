import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { itemHref } from './item-row.ts';
import { byUpstreamId } from './locate/locate.ts';

export const upstreamLink = endpoint({
  id: 'upstreamLink',
  summary: 'The page of an upstream inventory id',
  params: byUpstreamId.params,
  response: Type.Object({ href: Type.String({ description: 'Site-relative /card/... link, not an API path.' }) }),
  maxAgeSeconds: 300,
  statuses: [404, 410],
  async handle(context, { params }) {
    const { item } = await byUpstreamId.locate(context, params as Record<string, string>);
    return { body: { href: itemHref(item, null) } };
  },
});
