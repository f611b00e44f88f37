import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { invalidForm } from '../../http/body/form-errors.ts';
import { admitUpload, readUpload, type Upload, type UploadRules } from '../../http/body/upload.ts';
import { disconnectSignalOf } from '../../http/connection/shutdown.ts';
import { ANYBODY, type Caller, type PolicyName } from '../../http/gate.ts';
import { ProblemError } from '../../http/problem.ts';
import { isCrossOrigin, rejectCrossOrigin } from '../../http/same-site.ts';
import { withPhotoTurns } from '../../vision/pool/photo-turns.ts';
import type { WebContext } from '../context.ts';
import { type PageContent, pageText } from '../layout.tsx';
import { basisOf, pageHeaders } from '../page.ts';
import { siteOf } from '../site/site.ts';

const MAX_FORM_BYTES = 16 * 1024;
const MAX_FIELDS = 64;

/** Typed values by field; empty fields are left out. */
export type Typed = Readonly<Record<string, string>>;

type Sent = {
  params: Record<string, string>;
  typed: Typed;
  caller: Caller;
  request: FastifyRequest;
  /** Where the form sends a file: its bytes as they arrive. */
  upload(): Upload;
  /** Aborts when the visitor disconnects, or the server shuts down. */
  disconnectSignal(): AbortSignal;
  /** The form changed nothing: it costs no unit and counts as a failed try. */
  waive(): void;
};

/** A form answers with the address of another page, or with the content of a page without an address. */
type FormAnswer = { seeOther: string } | PageContent;

/** A form of the pages, sent as browsers send forms without scripts; it has its own budget. */
export type PageForm = {
  path: string;
  policy: PolicyName;
  /** The most bytes of its fields, where they are not 16 kB. */
  maxBytes?: number;
  /** It sends a file instead of fields. */
  upload?: UploadRules;
  /** The schema of the same form of the API. Absent: fields are ignored. */
  fields?: TObject;
  submit(context: WebContext, sent: Sent): Promise<FormAnswer>;
  /** The page with the form, its typed values and their faults. Only with `fields`. */
  again?(context: WebContext, sent: Pick<Sent, 'typed'>, problem: ProblemError): PageContent;
};

/** Mounts forms. Forms sent by another site in a visitor's name are rejected, and use no budget. */
export function mountForms(app: FastifyInstance, context: WebContext, forms: readonly PageForm[]): void {
  app.register(async (scope) => {
    // The values of a form are texts: those of JSON may be anything.
    scope.removeContentTypeParser(['application/json', 'text/csv']);
    scope.addContentTypeParser('*', (_request, _payload, done) =>
      done(rejected('Send the form as application/x-www-form-urlencoded.')),
    );
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => typedIn(body),
    );
    for (const form of forms) mountForm(scope as unknown as FastifyInstance, context, form);
  });
}

function mountForm(app: FastifyInstance, context: WebContext, form: PageForm): void {
  app.route({
    method: 'POST',
    url: form.path,
    bodyLimit: form.maxBytes ?? MAX_FORM_BYTES,
    config: {
      policy: form.policy,
      isFree: ({ headers }: FastifyRequest) => isCrossOrigin(headers, context.config.baseUrl),
      upload: form.upload,
    },
    // Before a body is read.
    onRequest: async ({ raw }) => {
      rejectCrossOrigin(raw.headers, context.config.baseUrl);
      if (form.upload) admitUpload(raw, form.upload);
    },
    handler: async (request, reply) => {
      const params = request.params as Record<string, string>;
      const typed = (request.body ?? {}) as Typed;
      const { pass } = request;
      try {
        if (form.fields) check(request, form.fields, typed);
        const upload = () => readUpload(request.raw, reply.raw, form.upload!, context.uploadRoom);
        const stopSignal = form.upload ? context.uploadRoom.closed : app.shutdownSignal;
        const disconnectSignal = () => disconnectSignalOf(reply.raw, stopSignal);
        const caller = pass?.caller ?? ANYBODY;
        const waive = () => pass?.waive();
        const world = form.upload ? withPhotoTurns(context, pass) : context;
        const answer = await form.submit(world, { params, typed, caller, request, upload, disconnectSignal, waive });
        pass?.settle(200);
        if ('seeOther' in answer) return reply.header('cache-control', 'no-store').redirect(answer.seeOther, 303);
        return sendPage(reply.code(200), context, answer);
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== 'invalid_form' || !form.again) throw error;
        pass?.settle(422);
        return sendPage(reply.code(422), context, form.again(context, { typed }, error));
      }
    },
  });
}

async function sendPage(reply: FastifyReply, context: WebContext, content: PageContent): Promise<FastifyReply> {
  const headers = { ...pageHeaders(context), 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
  return reply.headers(headers).send(pageText(siteOf(context), content, await basisOf(context)));
}

function check(request: FastifyRequest, fields: TObject, typed: Typed): void {
  const validate = request.compileValidationSchema(fields);
  if (!validate(typed)) throw invalidForm(validate.errors as never, fields as never, typed);
}

/** The first of each field; no browser sends one twice from our forms. */
function typedIn(body: string): Typed {
  // Its reader takes seconds for a body of nothing but `&`.
  if (body.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw rejected(`A form has at most ${MAX_FIELDS} fields.`);
  const typed: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    if (name.includes('\0') || value.includes('\0')) throw rejected('The form contains a NUL character.');
    if (value.trim() !== '' && !(name in typed)) typed[name] = value;
  }
  return typed;
}

function rejected(detail: string): ProblemError {
  return new ProblemError('invalid_parameter', detail);
}
