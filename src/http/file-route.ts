import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import type { Core } from './context.ts';

type FileRequest = { params: Record<string, string>; acceptEncoding: string; authorization: string };

/** A file with the headers it is sent with, or another address. */
type FileAnswer = { body: string | Buffer; headers: Record<string, string> } | { movedTo: string };

/** A file outside of the API and its budgets. Throws `not_found` where there is none. */
export type FileRoute<C extends Core = Core> = {
  path: string;
  /** Installations that have it; absent: all. */
  isServed?(config: Config): boolean;
  answer(context: C, request: FileRequest): Promise<FileAnswer> | FileAnswer;
};

/** Mounts a file under GET and HEAD. */
export function mountFile<C extends Core>(app: FastifyInstance, context: C, route: FileRoute<C>): void {
  if (route.isServed?.(context.config) === false) return;
  app.route({
    method: ['GET', 'HEAD'],
    url: route.path,
    handler: async (request, reply): Promise<FastifyReply> => {
      const answer = await route.answer(context, {
        params: request.params as Record<string, string>,
        acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
        authorization: request.headers.authorization ?? '',
      });
      if ('movedTo' in answer) return reply.redirect(answer.movedTo, 308);
      return reply.headers(answer.headers).send(answer.body);
    },
  });
}
