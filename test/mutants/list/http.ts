import { type Mutant, mutantsOf } from '../mutant.ts';

export const HTTP: Mutant[] = [
  ...mutantsOf(
    'http/body/upload.ts',
    ['http/body/upload.test.ts'],
    [
      ['text around the parts may be endless', 'if (received > maxBytesOf(rules)) throw tooLarge(rules);', ''],
      ['memory of a rejected upload is given back late', 'held.release();\n    throw error;', 'throw error;'],
      ['memory of worked-on parts is kept', 'if (rules.maxParts > 1) held.giveBack(bytes?.length ?? 0);', ''],
      [
        'a declared length is not checked',
        "if (Number(headers['content-length'] ?? 0) > maxBytesOf(rules)) throw tooLarge(rules);",
        '',
      ],
      ['an upload without a part is empty instead of malformed', 'if (parts === 0) throw', 'if (parts < 0) throw'],
      [
        'a part that is too large ends the others',
        'yield bytes ?? tooLarge(rules);',
        'if (bytes === null) throw tooLarge(rules);\n      yield bytes;',
      ],
      [
        'no part is worked on before all are there',
        '      await multipart.write(chunk);\n      yield* arrived();\n',
        '      await multipart.write(chunk);\n',
      ],
    ],
  ),
  ...mutantsOf(
    'http/body/upload.ts',
    ['http/body/slow-upload.test.ts'],
    [
      [
        'a slow sender is waited for without end',
        'Math.min((parts + 1) * partMs, silenceMs + received / bytesPerMs)',
        'Number.POSITIVE_INFINITY',
      ],
      [
        'a silent sender has as long as a slow one',
        'Math.min(silenceMs, allowedMs() - waitedMs)',
        'allowedMs() - waitedMs',
      ],
      ['memory is given without being counted', 'if (bytes > left) return false;', ''],
      ['waiting for drops is not added up', '    waitedMs += performance.now() - began;\n', ''],
      [
        'an aborted upload keeps its memory',
        "for (const event of ['finish', 'close']) response.once(event, release);",
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'http/body/multipart.ts',
    ['http/body/upload.test.ts'],
    [
      [
        'a part of another name is taken',
        'if (name === undefined || !names.includes(name))',
        'if (name === undefined)',
      ],
      [
        'a part may be a byte too large',
        'if (kept + chunk.length > maxPartBytes) {',
        'if (kept + chunk.length > maxPartBytes + 1) {',
      ],
    ],
  ),
  ...mutantsOf(
    'http/outbound/outbound.ts',
    ['http/outbound/outbound.test.ts'],
    [
      [
        'credentials follow a redirect to another port or scheme',
        'if (from.origin === to.origin) return headers;',
        'if (from.hostname === to.hostname) return headers;',
      ],
      [
        'credentials follow a redirect to another scheme',
        'if (from.origin === to.origin) return headers;',
        'if (from.host === to.host) return headers;',
      ],
      ['any host is called', 'if (!allowed.has(url.origin))', 'if (false)'],
      [
        'only the first address of a name is checked',
        'for (const { address } of addresses) {',
        'for (const { address } of addresses.slice(0, 1)) {',
      ],
      ['every configured host may be private', "(reach === 'private' && !mayBePrivate.has(url.origin))", 'false'],
      [
        'a private host may be a metadata service',
        "if (reach === 'never' ||",
        "if ((reach === 'never' && !mayBePrivate.has(url.origin)) ||",
      ],
      ['a POST follows redirects', "if (method !== 'GET') throw", "if (method === 'PUT' as string) throw"],
      ['one redirect too many is followed', 'if (redirects === maxRedirects)', 'if (redirects > maxRedirects)'],
      [
        'a call may take for ever',
        "setTimeout(abort, withinMs, 'timeout'",
        "setTimeout(abort, withinMs * 1000, 'timeout'",
        ['http/outbound/outbound-limits.test.ts'],
      ],
      [
        'a call goes on after its caller gave it up',
        "request.signal?.addEventListener('abort', giveUp);",
        '',
        ['http/outbound/outbound-limits.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'http/outbound/outbound-hop.ts',
    ['http/outbound/outbound.test.ts'],
    [
      ['the name is looked up again to connect', '    lookup: pinned(addresses),\n', ''],
      ['any certificate is good', 'rejectUnauthorized: true', 'rejectUnauthorized: false'],
      [
        'packed bytes are not counted',
        'pipeline(response, limited, unpacker',
        'pipeline(response, unpacker',
        ['http/outbound/outbound-limits.test.ts'],
      ],
      [
        'an unpacked body may be of any size',
        'if (bytes > maxBytes) throw tooLarge();',
        '',
        ['http/outbound/outbound-limits.test.ts'],
      ],
      [
        'a declared size is not checked',
        "if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();",
        '',
        ['http/outbound/outbound-limits.test.ts'],
      ],
      ['a silent host is waited for', '    timeout: idleTimeoutMs,\n', '', ['http/outbound/outbound-limits.test.ts']],
    ],
  ),
  ...mutantsOf(
    'http/connection/pipeline.ts',
    ['http/pipeline.test.ts'],
    [
      ['pipelined requests begin before all of their piece is read', 'setImmediate(startWaiting)', 'startWaiting()'],
      ['waiting requests of a lost connection are handled', '!socket.destroyed && underWay.size <', 'underWay.size <'],
      ['a response that waits is not closed', "response.emit('close')", ''],
      ['a response that waits is not destroyed', 'response.destroy()', ''],
      ['one more request may wait', 'waiting.length < bounds.underWay +', 'waiting.length <= bounds.underWay +'],
    ],
  ),
  ...mutantsOf(
    'web/page.ts',
    ['http/page-limit.test.ts', 'db/patience.test.ts'],
    [
      ['a page waits for no restart', 'while (answer === null &&', 'while (false &&'],
      ['a visitor waits for a slow page without end', 'await within(withinMs, built)', 'await built'],
      [
        'a slow page is built for each visitor',
        'context.cache.make(request.raw.url!,',
        'context.cache.make(request.id,',
      ],
    ],
  ),
  ...mutantsOf(
    'http/cache.ts',
    ['http/cache.test.ts', 'http/hot.test.ts'],
    [
      [
        'an answer begun before a change is kept after it',
        'if (keep && begun === underWay) cache.set',
        'if (keep) cache.set',
      ],
      ['a change drops nothing', '      cache.clear();\n', ''],
    ],
  ),
  ...mutantsOf(
    'app.ts',
    ['http/hot.test.ts'],
    [
      ['a cached response answers any method', "raw.method === 'GET' || raw.method === 'HEAD' ?", 'true ?'],
      ['a cached response is free', '{ pass, requestId: id }', '{ requestId: id }'],
    ],
  ),
  ...mutantsOf(
    'http/answer.ts',
    ['http/common.test.ts', 'http/hot.test.ts'],
    [
      ['a compressed body has the ETag of the plain one', 'return etag === null ||', 'return etag !== null ||'],
      ['a weak tag is another version', ".replace(/^W\\//, '')", ''],
      ['If-None-Match: * is not understood', 'if (isAny(header)) return true;', ''],
      [
        'only the first tag of a list is read',
        "return header.split(',').some(",
        "return header.split(',').slice(0, 1).some(",
      ],
      ['a 304 costs a unit', 'answer.status : 304);', 'answer.status : 200);'],
      ['an encoding with q=0 is used', ';\\\\s*q=(?!0(\\\\.0+)?\\\\s*(,|$))', ';\\\\s*q='],
      [
        'caches may keep an answer that changes at once',
        "const maxAgeSeconds = answer.noStore ? 'no-store' : kept;",
        'const maxAgeSeconds = kept;',
        ['graded/runs/valuation.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'http/outbound/service-client.ts',
    ['http/outbound/service-client.test.ts'],
    [
      [
        'a POST is sent again after a fault',
        "=== 'GET' || request.repeatable ? tries : 1",
        "=== 'GET' || true ? tries : 1",
      ],
      ['every fault is tried again', '!TRANSIENT.has(answer.reason) || number >= most', 'number >= most'],
      ['Retry-After is not kept to', 'Math.max(jitterMs, answer.retryAfterMs ?? 0)', 'jitterMs'],
      ['a request to wait opens the circuit', "counts: answer.reason !== 'rate_limited' && !unfair", 'counts: !unfair'],
    ],
  ),
  ...mutantsOf(
    'http/outbound/service-client-state.ts',
    ['http/outbound/service-client.test.ts'],
    [
      [
        'the budget of a day may be exceeded by one',
        'or c.day < $2 or c.calls < $5)',
        'or c.day < $2 or c.calls <= $5)',
      ],
      [
        'the budget is not whole again the next day',
        'calls = case when c.day < $2 then 1 else c.calls + 1 end',
        'calls = c.calls + 1',
      ],
      [
        'after the cool-down everybody calls at once',
        'open_until = case when c.open_until is not null then $4::timestamptz end',
        'open_until = null',
      ],
    ],
  ),
];
