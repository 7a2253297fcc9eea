// @vitest-environment jsdom
import { hostCatalogs } from '@gatehouse/api-types/console/addresses/access';
import { activity } from '@gatehouse/api-types/console/addresses/activity';
import { problemStatus, type Problem, type ProblemCode } from '@gatehouse/api-types/console/problem';
import type { Session } from '@gatehouse/api-types/console/session';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { asPoll, call, holdReads, readLines } from './api.ts';
import { currentInterruption, hostInterruptions } from './interruptions.ts';
import { adoptSession } from './session.ts';

const { get: read, update: write } = hostCatalogs;

function problem(code: ProblemCode, rest: Partial<Problem> = {}): Response {
  const body: Problem = {
    type: `urn:${code}`,
    title: code,
    status: problemStatus[code],
    detail: code,
    code,
    requestId: 'r1',
    ...rest,
  };
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

const found = (): Response => new Response('{"name":"a"}');
const answers: (() => Response | Promise<Response>)[] = [];
const requests: { url: string; init: RequestInit }[] = [];
let leave = (): void => {};

const person = { id: 'u_1234567890', name: 'Ana', login_name: 'ana' };
const session: Session = {
  id: 's1',
  person,
  environment: 'production',
  method: 'password',
  signed_in_at: '',
  idle_expires_at: '',
  expires_at: '',
  confirmed_until: {},
  environments: [],
  version: '1',
};

beforeAll(() => {
  adoptSession(session);
});

beforeEach(() => {
  answers.length = 0;
  requests.length = 0;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const answer = answers.shift();
    if (!answer) throw new TypeError('nobody listens');
    return answer();
  });
  leave = hostInterruptions(() => {});
});

afterEach(() => {
  leave();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a guarded write sends the revision, the console's header, the page's owner and JSON", async () => {
  answers.push(found);
  await expect(
    call(write, { params: { environment: 'test', id: 'a/b' }, revision: '7', body: { name: 'x' } }),
  ).resolves.toEqual({
    name: 'a',
  });
  const [request] = requests;
  expect(request?.url).toBe('/api/environments/test/access/host-catalogs/a%2Fb');
  expect(request?.init).toMatchObject({
    method: 'PATCH',
    body: '{"name":"x"}',
    credentials: 'same-origin',
    headers: {
      'if-match': '"7"',
      'x-gatehouse': 'console',
      'x-gatehouse-person': 'u_1234567890',
      'content-type': 'application/json',
    },
  });
});

test('a read waits while the session is being ended, and is sent if ending it fails', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const params = { environment: 'test', id: 'a' };
  holdReads(promise);
  answers.push(found, found);
  const answer = call(read, { params });
  await call(write, { params, revision: '1', body: {} });
  expect(requests.map(({ init }) => init.method)).toEqual(['PATCH']);
  reject(new ApiError('unreachable'));
  await expect(answer).resolves.toEqual({ name: 'a' });
});

describe("a request sent before the page's code", () => {
  const url = '/api/environments/test/access/host-catalogs/a';
  const begin = (answer: Promise<Response>): void => {
    globalThis.begun = new Map([[url, { answer, at: performance.now() }]]);
  };
  afterEach(() => {
    globalThis.begun = undefined;
  });

  test('answers the first call, not the next one', async () => {
    begin(Promise.resolve(new Response('{"name":"begun"}')));
    const ask = () => call(read, { params: { environment: 'test', id: 'a' } });
    await expect(ask()).resolves.toEqual({ name: 'begun' });
    expect(requests).toEqual([]);
    answers.push(found);
    await expect(ask()).resolves.toEqual({ name: 'a' });
  });

  test('fails like a call', async () => {
    begin(Promise.reject(new TypeError('nobody listens')));
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });

  test('does not answer an aborted call', async () => {
    begin(Promise.resolve(new Response('{"name":"begun"}')));
    const signal = AbortSignal.abort();
    const error = await call(read, { params: { environment: 'test', id: 'a' }, signal }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBe(signal.reason);
  });

  test('stops delaying a call that is aborted', async () => {
    begin(new Promise(() => undefined));
    const controller = new AbortController();
    const ended = vi.fn<(error: unknown) => void>();
    call(read, { params: { environment: 'test', id: 'a' }, signal: controller.signal }).catch(ended);
    controller.abort();
    await vi.waitFor(() => {
      expect(ended).toHaveBeenCalledWith(controller.signal.reason);
    });
  });

  test('times out like any other request', async () => {
    begin(new Promise(() => undefined));
    vi.useFakeTimers();
    const ended = vi.fn<(error: unknown) => void>();
    call(read, { params: { environment: 'test', id: 'a' } }).catch(ended);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'unreachable' }));
  });

  test('answers no poll, and no read after a write', async () => {
    begin(Promise.resolve(new Response('{"name":"begun"}')));
    answers.push(found, found, found);
    const params = { environment: 'test', id: 'a' };
    await expect(call(read, { params, poll: true })).resolves.toEqual({ name: 'a' });
    await call(write, { params, revision: '7', body: { name: 'x' } });
    await expect(call(read, { params })).resolves.toEqual({ name: 'a' });
  });
});

test('a call can extend its timeout', async () => {
  vi.useFakeTimers();
  answers.push(() => new Promise(() => undefined));
  const ended = vi.fn<(error: unknown) => void>();
  call(activity.verify, { params: { environment: 'test' }, silenceMs: 100_000 }).catch(ended);
  await vi.advanceTimersByTimeAsync(99_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'unreachable' }));
});

test('a large body extends the timeout', async () => {
  vi.useFakeTimers();
  answers.push(() => new Promise(() => undefined));
  const ended = vi.fn<(error: unknown) => void>();
  const body = { name: 'x'.repeat(1_600_000) };
  call(write, { params: { environment: 'test', id: 'a' }, revision: '7', body }).catch(ended);
  await vi.advanceTimersByTimeAsync(189_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'unreachable' }));
});

describe('a failure', () => {
  test("has the problem's code", async () => {
    answers.push(() => problem('forbidden'));
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({
      code: 'forbidden',
      problem: { requestId: 'r1' },
    });
  });

  test.each([
    ['an answer other than JSON is unreadable', () => new Response('<html>', { status: 502 }), 'unreadable'],
    ['a success other than JSON is unreadable', () => new Response('<html>'), 'unreadable'],
    ['JSON that is not a problem is unreadable', () => new Response('{}', { status: 500 }), 'unreadable'],
  ])('%s', async (_, answer, code) => {
    answers.push(answer);
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({ code });
  });

  test('is unreachable without a server', async () => {
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });

  test('stays an AbortError after an abort', async () => {
    const controller = new AbortController();
    controller.abort();
    answers.push(() => Promise.reject(new DOMException('aborted', 'AbortError')));
    const error = await call(read, {
      params: { environment: 'test', id: 'a' },
      signal: controller.signal,
    }).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(ApiError);
  });
});

describe('a call', () => {
  test('waits for a missing session, and is repeated once the user has signed in again', async () => {
    answers.push(() => problem('unauthenticated', { signedOut: 'idle' }), found);
    const answer = call(write, {
      params: { environment: 'test', id: 'a' },
      revision: '1',
      body: { name: 'x' },
    });
    await vi.waitUntil(() => currentInterruption() !== undefined);
    expect(currentInterruption()?.request).toEqual({ kind: 'signed-out', reason: 'idle' });
    expect(requests).toHaveLength(1);
    currentInterruption()?.settle(true);
    await expect(answer).resolves.toEqual({ name: 'a' });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/environments/test/access/host-catalogs/a',
      '/api/environments/test/access/host-catalogs/a',
    ]);
    expect(currentInterruption()).toBeUndefined();
  });

  test('shares one dialog with calls that lack the same thing', async () => {
    answers.push(
      () => problem('unauthenticated'),
      () => problem('unauthenticated'),
      found,
      found,
    );
    const both = Promise.all([
      call(read, { params: { environment: 'test', id: 'a' } }),
      call(read, { params: { environment: 'test', id: 'b' } }),
    ]);
    await vi.waitUntil(() => requests.length === 2 && currentInterruption() !== undefined);
    currentInterruption()?.settle(true);
    await expect(both).resolves.toHaveLength(2);
  });

  test('fails with its original error if the user declines', async () => {
    answers.push(() => problem('confirmation-required'));
    const answer = call(read, { params: { environment: 'test', id: 'a' } }).catch(
      (reason: unknown) => reason,
    );
    await vi.waitUntil(() => currentInterruption() !== undefined);
    currentInterruption()?.settle(false);
    await expect(answer).resolves.toMatchObject({ code: 'confirmation-required' });
  });

  test('without a connection opens a dialog if it writes, and fails if it reads', async () => {
    const missing = () => problem('not-connected', { environment: 'production', service: 'access' });
    answers.push(missing);
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({
      code: 'not-connected',
    });
    answers.push(missing, found);
    const answer = call(write, {
      params: { environment: 'test', id: 'a' },
      revision: '1',
      body: { name: 'x' },
    });
    await vi.waitUntil(() => currentInterruption() !== undefined);
    expect(currentInterruption()?.request).toMatchObject({ kind: 'not-connected', service: 'access' });
    currentInterruption()?.settle(true);
    await expect(answer).resolves.toEqual({ name: 'a' });
  });

  test('never waits when it is a poll, and then opens a dialog only for a missing session', async () => {
    answers.push(() => problem('confirmation-required'));
    await expect(call(read, { params: { environment: 'test', id: 'a' }, poll: true })).rejects.toMatchObject({
      code: 'confirmation-required',
    });
    expect(currentInterruption()).toBeUndefined();
    expect(requests[0]?.init.headers).toMatchObject({ 'x-gatehouse-poll': '1' });
    answers.push(() => problem('unauthenticated'));
    const signal = asPoll(new AbortController().signal);
    await expect(call(read, { params: { environment: 'test', id: 'a' }, signal })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(requests[1]?.init.headers).toMatchObject({ 'x-gatehouse-poll': '1' });
    expect(currentInterruption()?.request.kind).toBe('signed-out');
    currentInterruption()?.settle(false);
  });

  test('reopens a dismissed sign-in dialog, but not for a poll', async () => {
    const missing = () => problem('unauthenticated');
    const poll = async () =>
      call(read, { params: { environment: 'test', id: 'a' }, poll: true }).catch(() => undefined);
    answers.push(missing, missing);
    await poll();
    currentInterruption()?.settle(false);
    await poll();
    expect(currentInterruption()).toBeUndefined();

    answers.push(missing, found);
    const answer = call(write, {
      params: { environment: 'test', id: 'a' },
      revision: '1',
      body: { name: 'x' },
    });
    await vi.waitUntil(() => currentInterruption() !== undefined);
    currentInterruption()?.settle(true);
    await expect(answer).resolves.toEqual({ name: 'a' });

    answers.push(missing);
    await poll();
    expect(currentInterruption()?.request.kind).toBe('signed-out');
    currentInterruption()?.settle(false);
    // Signed in again in another window: when that session ends, a poll opens the dialog again.
    answers.push(found, missing);
    await poll();
    await poll();
    expect(currentInterruption()?.request.kind).toBe('signed-out');
    currentInterruption()?.settle(true);
  });

  test('fails at once if no page can open a dialog', async () => {
    leave();
    answers.push(() => problem('unauthenticated'));
    await expect(call(read, { params: { environment: 'test', id: 'a' } })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    leave = hostInterruptions(() => {});
  });
});

describe('a stream of lines', () => {
  const walk = activity.export;
  const every = { params: { environment: 'test' }, query: {} };
  let isCanceled = false;

  /** Sends chunks, then closes; `fail` breaks the connection instead, and `wait` keeps it open. */
  function streamed(chunks: readonly Uint8Array[], end: 'close' | 'fail' | 'wait'): () => Response {
    const waiting = [...chunks];
    isCanceled = false;
    return () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            const chunk = waiting.shift();
            if (chunk) controller.enqueue(chunk);
            else if (end === 'close') controller.close();
            else if (end === 'fail') controller.error(new TypeError('network'));
          },
          cancel: () => {
            isCanceled = true;
          },
        }),
      );
  }

  const bytes = new TextEncoder().encode('{"time":"é"}\n\n{"time":"b"}\n{"time":"c"}');

  async function linesOf(signal?: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    for await (const { time } of readLines(walk, signal === undefined ? every : { ...every, signal }))
      found.push(time);
    return found;
  }

  test('can be split anywhere, and its last line needs no newline', async () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      answers.push(streamed([bytes.slice(0, cut), bytes.slice(cut)], 'close'));
      expect(await linesOf()).toEqual(['é', 'b', 'c']);
    }
  });

  test('ends the request when the loop is left early', async () => {
    answers.push(streamed([bytes.slice(0, 16)], 'wait'));
    for await (const { time } of readLines(walk, every)) {
      expect(time).toBe('é');
      break;
    }
    expect(isCanceled).toBe(true);
  });

  test('reports a broken connection after the lines that arrived', async () => {
    answers.push(streamed([bytes.slice(0, 16)], 'fail'));
    const found: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { time } of readLines(walk, every)) found.push(time);
    };
    await expect(read()).rejects.toMatchObject({ code: 'unreachable' });
    expect(found).toEqual(['é']);
  });

  test('may last long, but times out once the server is silent', async () => {
    vi.useFakeTimers();
    let more: ReadableStreamDefaultController<Uint8Array> | undefined;
    answers.push(() => {
      const signal = requests.at(-1)?.init.signal;
      signal?.addEventListener('abort', () => more?.error(signal.reason));
      return new Response(new ReadableStream({ start: (controller) => void (more = controller) }));
    });
    const found: string[] = [];
    const ended = vi.fn<(error: unknown) => void>();
    const reading = (async () => {
      for await (const { time } of readLines(walk, every)) found.push(time);
    })().catch(ended);
    for (let at = 0; at < 10; at += 1) {
      await vi.advanceTimersByTimeAsync(4 * 60_000);
      more?.enqueue(bytes.slice(0, 14));
    }
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(found).toHaveLength(10);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    await reading;
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'unreachable' }));
  });

  test('fails like any request if it is refused', async () => {
    answers.push(() => problem('forbidden'));
    await expect(linesOf()).rejects.toMatchObject({ code: 'forbidden', problem: { requestId: 'r1' } });
  });
});
