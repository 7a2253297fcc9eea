/** Reads the answers of services: large ones in turn, and their JSON within limits and in slices. */
import type { Readable } from 'node:stream';
import { hasMoreMembers, isDeeper } from '@gatehouse/service-kit/json-scan';
import { parseJson } from '@gatehouse/service-kit/parse-json';
import { readJson } from '@gatehouse/service-kit/read-json';
import { Slices } from '@gatehouse/service-kit/slices';
import type { InTurn } from '@gatehouse/service-kit/turns';
import type { ServiceError } from './service-error.ts';

/** The error of a call. */
export type Fail = (
  code: 'service-unavailable' | 'service-timeout' | 'bad-answer' | 'payload-too-large',
  detail: string,
  delivery: 'not-sent' | 'answered' | 'unknown',
  extra?: { readonly cause?: unknown; readonly status?: number },
) => ServiceError;

/** How to read an answer. */
interface Reading {
  readonly largeInTurn: InTurn;
  /** The user or address in whose turn it is read. */
  readonly owner: string;
  readonly isPerson: boolean;
  /** Whether the answer announced a small length. */
  readonly isSmall: boolean;
  readonly signal: AbortSignal;
  readonly parse: (text: string, slices: Slices) => Promise<unknown>;
}

/** The size from which an answer is large, in bytes. */
export const largeBytes = 256 * 1024;
/** The size from which an answer waits for its turn to be parsed, in bytes: many small ones block others like a large one. */
const slicedBytes = 16 * 1024;
/** For a smaller answer, which must not wait behind large ones. */
const never = { giveWay: () => Promise.resolve() };

/** Reads and parses an answer. Large answers are received two at a time for one owner and eight in total. */
export async function readAnswer(
  body: Readable & { text(): Promise<string> },
  { largeInTurn, owner, isPerson, isSmall, signal, parse }: Reading,
): Promise<{ readonly text: string; readonly read: unknown; readonly slices: Pick<Slices, 'giveWay'> }> {
  const slices = new Slices(() => signal.aborted, { name: owner, isKnown: isPerson });
  const parsed = async (bytes: number, textOf: () => string) => {
    if (bytes < slicedBytes) {
      const text = textOf();
      return { text, read: await parse(text, slices), slices: never };
    }
    await slices.giveWay();
    const text = textOf();
    return { text, read: await parse(text, slices), slices };
  };
  if (isSmall) {
    const text = await body.text();
    return parsed(text.length, () => text);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  /** @returns whether the answer has ended */
  const receive = async (bytes: number): Promise<boolean> => {
    while (size < bytes) {
      const next = await iterator.next();
      if (next.done === true) return true;
      chunks.push(next.value);
      size += next.value.length;
    }
    return false;
  };
  const whole = () => new TextDecoder().decode(Buffer.concat(chunks));
  if (await receive(largeBytes)) return parsed(size, whole);
  return largeInTurn(
    owner,
    async () => {
      await receive(Infinity);
      const found = await parsed(size, whole);
      await slices.giveWay();
      return found;
    },
    signal,
  );
}

/** The maximum nesting of an answer: stored data is a few levels deep. */
const answerDepth = 500;
/** The maximum number of members and elements. */
const answerMembers = 500_000;
/** … of an error, which is read in one piece. */
const errorMembers = 10_000;

/** The JSON of an answer; of a large one in slices. @throws ServiceError `bad-answer` for other text, or beyond the limits */
export async function jsonOf(
  text: string,
  contentType: string | string[] | undefined,
  { status, slices, fail }: { readonly status: number; readonly slices: Slices; readonly fail: Fail },
): Promise<unknown> {
  if (text === '') return undefined;
  const type = typeof contentType === 'string' ? contentType : '';
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw fail('bad-answer', `The service sent a response without JSON (status ${status}).`, 'unknown', {
      status,
    });
  }
  const maxMembers = status < 400 ? answerMembers : errorMembers;
  try {
    if (text.length >= largeBytes)
      return await readJson(text, { maxDepth: answerDepth, maxMembers, strictNames: false }, slices);
    // Each level needs memory.
    if (isDeeper(text, answerDepth) || hasMoreMembers(text, maxMembers)) throw new RangeError('too many');
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof RangeError) {
      const why = `The JSON in the service's response has more than ${answerDepth} levels or ${maxMembers.toLocaleString('en')} members.`;
      throw fail('bad-answer', why, 'unknown', { status });
    }
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fail('bad-answer', "The service's response isn't valid JSON.", 'unknown', { cause, status });
  }
}
