import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

/** A recorded request with the recorded server's answer. */
export interface Recorded {
  readonly m: string;
  /** The path with `/v1/` and query. */
  readonly p: string;
  /**
   * The body; a text is sent unchanged. `${name}` stands for the value that an earlier request saved under this name.
   */
  readonly b?: unknown;
  /** The content type, if it is not JSON. */
  readonly ct?: string;
  /** The lifetime for wrapping the answer. */
  readonly wrap?: string;
  /** The token: `none`, a name saved by an earlier request, or an invalid token; by default the caller's. */
  readonly t?: string;
  /** Values to save for later requests: paths in the answer's body, such as `auth.accessor`, by name. */
  readonly save?: Readonly<Record<string, string>>;
  readonly answer: RecordedAnswer;
}

/** A recorded answer, in which `<…>` stands for text that differs between runs. */
export interface RecordedAnswer {
  readonly status: number;
  /** Null if there is none. */
  readonly body: unknown;
}

/** This server's answer where it differs on purpose; may contain placeholders like a recording. */
export interface Difference {
  readonly why: string;
  readonly answer: RecordedAnswer;
}

/** A request to be sent. */
export interface Sent {
  readonly method: string;
  /** The path and query as recorded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request and returns the answer, with JSON bodies parsed and null for an empty body. */
export type Send = (sent: Sent) => Promise<RecordedAnswer>;

/** Sends requests to a server with unchanged targets, and without following redirects. */
export function sendTo(url: string): Send {
  const { hostname, port } = new URL(url);
  return async ({ method, target, headers, body }) => {
    // Node sends the body of a DELETE only with a content length.
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

export interface Replay {
  readonly requests: readonly Recorded[];
  /** Index of the first request. */
  readonly from: number;
  /** Index of the last request. */
  readonly to: number;
  readonly send: Send;
  /** The caller's token. */
  readonly token: string;
  /** Values for placeholders in requests and expected answers: `<sha256>`, `<cloud endpoint>`. */
  readonly fill: Readonly<Record<string, string>>;
  /** Recorded texts that differ here, such as the version of built-in plugins. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Members that this server adds to the recorded `data`. */
  readonly added?: readonly string[];
  /** By index of the request. */
  readonly differences: Readonly<Record<number, Difference>>;
}

/** A request with an unexpected answer. */
export interface Mismatch {
  readonly request: string;
  readonly expected: unknown;
  readonly answered: unknown;
}

/** Reads a recording. @param name such as `plugins-and-cloud` */
export function recording(name: string): readonly Recorded[] {
  const file = join(import.meta.dirname, 'recordings', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
}

/**
 * Sends the requests one after another. Each answer must match the recorded one, or the listed difference if there is
 * one; an unnecessary difference is a mismatch too. Two general differences are ignored: `mount_type`, which is in
 * Vault's envelope but not in OpenBao's, and OpenBao's wrapper around single errors (`1 error occurred: …`).
 * @returns the mismatches
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

/** The usual envelope, for a table of differences. */
export function enveloped(data: unknown, warnings: readonly string[] | null = null): RecordedAnswer {
  const rest = { wrap_info: null, auth: null, lease_id: '', lease_duration: 0, renewable: false };
  return { status: 200, body: { request_id: '<str>', data, warnings, ...rest } };
}

/** A refusal, for a table of differences. */
export function refused(status: number, ...errors: readonly string[]): RecordedAnswer {
  return { status, body: { errors } };
}

/** An answer without some members of its body and data, for a table of differences. */
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

/** The text at a path such as `auth.accessor`. */
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

/** Whether a value matches the expected one; objects must have the same members. */
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

/** The formats of placeholders without a given value. */
const forms: Readonly<Record<string, string>> = {
  '<uuid>': '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  '<time>': '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
};

/** A pattern for a whole text. A placeholder without a known format matches one or more words. */
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

/** Removes OpenBao's error wrapper around a whole text or around a quoted text at its end. */
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
