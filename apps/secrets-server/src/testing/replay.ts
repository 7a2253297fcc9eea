import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

/** One request of a recording, and what the recorded server answered. */
export interface Recorded {
  readonly m: string;
  /** Path with `/v1/` and query. */
  readonly p: string;
  /** Body; text is sent as it is. `${name}` stands for what an earlier request saved under the name. */
  readonly b?: unknown;
  /** Content type, when it isn't that of JSON. */
  readonly ct?: string;
  /** Time for which the answer is to be wrapped. */
  readonly wrap?: string;
  /** Whose token it carries: `none`, one that an earlier request saved, or what isn't a token; the caller's unless given. */
  readonly t?: string;
  /** Members of the answer's body that later requests name, such as `auth.accessor`, by the name that they use. */
  readonly save?: Readonly<Record<string, string>>;
  readonly answer: RecordedAnswer;
}

/** An answer as recorded: `<…>` in its texts stands for what differs from run to run. */
export interface RecordedAnswer {
  readonly status: number;
  /** Null when there is none. */
  readonly body: unknown;
}

/** What this server answers where it differs on purpose; placeholders as in a recording. */
export interface Difference {
  readonly why: string;
  readonly answer: RecordedAnswer;
}

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  /** Path and query, as they are recorded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request and answers what came back: the body parsed where it is JSON, null where there is none. */
export type Send = (sent: Sent) => Promise<RecordedAnswer>;

/** Sends requests to a server without touching their targets, and without following where it points to. */
export function sendTo(url: string): Send {
  const { hostname, port } = new URL(url);
  return async ({ method, target, headers, body }) => {
    // Node frames the body of a DELETE only when its length is said.
    const framed = body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
    const request = httpRequest({ host: hostname, port, method, path: target, headers: framed });
    const { promise, resolve, reject } = Promise.withResolvers<RecordedAnswer>();
    request.once('error', reject);
    request.once('response', (response) => {
      text(response).then((whole) => {
        const isJson = response.headers['content-type']?.startsWith('application/json') === true;
        const parsed: unknown = whole === '' ? null : isJson ? JSON.parse(whole) : whole;
        resolve({ status: response.statusCode ?? 0, body: parsed });
      }, reject);
    });
    request.end(body);
    return promise;
  };
}

/** What is replayed, and how. */
export interface Replay {
  readonly requests: readonly Recorded[];
  /** Number of the first request. */
  readonly from: number;
  /** Number of the last request. */
  readonly to: number;
  readonly send: Send;
  /** The caller's token. */
  readonly token: string;
  /** What stands for a placeholder in requests, and is expected for it in answers: `<sha256>`, `<cloud endpoint>`. */
  readonly fill: Readonly<Record<string, string>>;
  /** Recorded text that is another text here, such as the version of what is built in. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Members that `data` of this server has beside the recorded ones. */
  readonly added?: readonly string[];
  /** By number of the request. */
  readonly differences: Readonly<Record<number, Difference>>;
}

/** A request whose answer is not the expected one. */
export interface Mismatch {
  readonly request: string;
  readonly expected: unknown;
  readonly answered: unknown;
}

/** Reads a recording. @param name `plugins-and-cloud` */
export function recording(name: string): readonly Recorded[] {
  const file = join(import.meta.dirname, 'recordings', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
}

/**
 * Sends the requests one after another. Each answer must be the recorded one, or, where the table of differences names
 * the request, what the table says; one that the table names in vain is a mismatch too. Two things differ everywhere
 * and are not looked at: `mount_type`, which Vault has in its envelope and OpenBao has not, and the frame that
 * OpenBao puts around single errors (`1 error occurred: …`).
 * @returns what was not as expected; empty when all was
 */
export async function replay(options: Replay): Promise<readonly Mismatch[]> {
  const { requests, from, to, send, token, fill, differences } = options;
  const saved: Record<string, string> = {};
  const mismatches: Mismatch[] = [];
  for (const [number, request] of requests.entries()) {
    if (number < from || number > to) continue;
    const { b, t, ct = 'application/json', wrap } = request;
    const sender = t === undefined ? token : (saved[t] ?? t);
    const answered = await send({
      method: request.m,
      target: filled(request.p, fill, saved),
      headers: {
        ...(sender !== 'none' && { 'x-vault-token': sender }),
        ...(b !== undefined && { 'content-type': ct }),
        ...(wrap !== undefined && { 'x-vault-wrap-ttl': wrap }),
      },
      body: b === undefined ? undefined : filled(typeof b === 'string' ? b : JSON.stringify(b), fill, saved),
    });
    for (const [name, path] of Object.entries(request.save ?? {}))
      saved[name] = memberOf(answered.body, path);
    const difference = differences[number];
    const asRecorded = isAnswer(options, request.answer, answered);
    const matches =
      difference === undefined ? asRecorded : !asRecorded && isAnswer(options, difference.answer, answered);
    if (matches) continue;
    mismatches.push({
      request: `${number}: ${request.m} ${request.p}`,
      expected: difference ?? request.answer,
      answered,
    });
  }
  return mismatches;
}

/** The usual envelope, to write down in a table of differences. */
export function enveloped(data: unknown, warnings: readonly string[] | null = null): RecordedAnswer {
  const rest = { wrap_info: null, auth: null, lease_id: '', lease_duration: 0, renewable: false };
  return { status: 200, body: { request_id: '<str>', data, warnings, ...rest } };
}

/** A refusal, to write down in a table of differences. */
export function refused(status: number, ...errors: readonly string[]): RecordedAnswer {
  return { status, body: { errors } };
}

/** An answer without members of its body, and of its data, to write down in a table of differences. */
export function without({ status, body }: RecordedAnswer, names: readonly string[]): RecordedAnswer {
  const rest = (value: unknown): Record<string, unknown> =>
    Object.fromEntries(Object.entries(members(value) ?? {}).filter(([name]) => !names.includes(name)));
  const top = rest(body);
  return { status, body: members(top['data']) === undefined ? top : { ...top, data: rest(top['data']) } };
}

function filled(
  text: string,
  fill: Readonly<Record<string, string>>,
  saved: Readonly<Record<string, string>>,
): string {
  let result = text;
  for (const [placeholder, value] of Object.entries(fill)) result = result.replaceAll(placeholder, value);
  for (const [name, value] of Object.entries(saved)) result = result.replaceAll(`\${${name}}`, value);
  return result;
}

/** Text of the member at a path such as `auth.accessor`. */
function memberOf(body: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((parent, name) => members(parent)?.[name], body);
  return String(value);
}

function isAnswer(options: Replay, expected: RecordedAnswer, answered: RecordedAnswer): boolean {
  if (expected.status !== answered.status) return false;
  const ours = { ...members(answered.body) };
  const theirs = members(expected.body);
  if (theirs !== undefined && !('mount_type' in theirs)) delete ours['mount_type'];
  const data = members(ours['data']);
  if (data !== undefined) {
    const recorded = members(theirs?.['data']) ?? {};
    ours['data'] = Object.fromEntries(
      Object.entries(data).filter(([name]) => name in recorded || options.added?.includes(name) !== true),
    );
  }
  return isLike(options, expected.body, members(answered.body) === undefined ? answered.body : ours);
}

/** Whether a value is the expected one; objects have the same members. */
function isLike(options: Replay, expected: unknown, value: unknown): boolean {
  if (typeof expected === 'string') {
    if (expected === '<int>') return Number.isSafeInteger(value);
    return typeof value === 'string' && patternOf(options, unframed(expected)).test(value);
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((member, index) => isLike(options, member, value[index]))
    );
  }
  const theirs = members(expected);
  if (theirs === undefined) return isDeepStrictEqual(expected, value);
  const ours = members(value);
  if (ours === undefined || Object.keys(ours).length !== Object.keys(theirs).length) return false;
  return Object.entries(theirs).every(
    ([name, member]) => name in ours && isLike(options, member, ours[name]),
  );
}

/** What a placeholder without a text of its own stands for. */
const forms: Readonly<Record<string, string>> = {
  '<uuid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<time>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
};

/** A pattern of a whole text. A placeholder stands for one word or more unless something else is known of it. */
function patternOf({ fill, renamed = {} }: Replay, expected: string): RegExp {
  let text = expected;
  for (const [theirs, ours] of Object.entries(renamed)) text = text.replaceAll(theirs, ours);
  const parts = text.split(/(<[a-z0-9_ ]+>)/).map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(part);
    const known = fill[part];
    return known === undefined ? (forms[part] ?? '.+') : RegExp.escape(known);
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** The frame is around the whole text, or around what is quoted at its end. */
function unframed(text: string): string {
  const [, before = '', quoted] = /^(.*: )(".*")$/s.exec(text) ?? [];
  const framed: unknown = quoted?.startsWith('"1 error occurred') === true ? JSON.parse(quoted) : text;
  const inner = /^1 error occurred:\n\t\* (.*)\n\n$/s.exec(String(framed))?.[1];
  return inner === undefined ? text : before + inner;
}

function members(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
