/** Reads files of a source, from an offset. */
import { SourceError } from './source-error.ts';
import type { SourceAnswer, SourceFetch } from './source-fetch.ts';
import type { ReadOptions, SourceBytes } from './source.ts';

/** A file to fetch, and how. */
export interface FileRequest extends ReadOptions {
  readonly offset: number;
  readonly validator: string;
  /** Whether a complete file is verified, so that it may be continued without a validator. */
  readonly isChecked: boolean;
  readonly anonymous: boolean;
}

/**
 * Fetches a file from an offset. It starts at 0 again if the source ignores the range, has other content now, or
 * gives no validator to detect that.
 */
export async function readFile(fetch: SourceFetch, url: URL, request: FileRequest): Promise<SourceBytes> {
  const { signal, offset, validator, isChecked, anonymous } = request;
  const plain = { signal, anonymous };
  if (offset === 0 || (validator === '' && !isChecked)) return whole(await fetch.open(url, plain));
  const answer = await fetch.open(url, {
    ...plain,
    headers: { range: `bytes=${offset}-`, ...(validator !== '' && { 'if-range': validator }) },
    accept: [416],
  });
  if (answer.status === 416) {
    if (rangeOf(answer)?.size !== offset) return whole(await fetch.open(url, plain));
    return { offset, size: offset, validator, body: nothing() };
  }
  if (answer.status !== 206) return whole(answer);
  const range = rangeOf(answer);
  const current = validatorOf(answer);
  const isOther = validator !== '' && current !== '' && current !== validator;
  if (range?.start !== offset || isOther) {
    await drop(answer);
    return whole(await fetch.open(url, plain));
  }
  return {
    offset,
    size: range.size,
    validator: current || validator,
    body: wholly(answer.body, offset, range.size),
  };
}

/** The size of a file in bytes; null if the source doesn't report it. */
export async function sizeOfFile(
  fetch: SourceFetch,
  url: URL,
  options: ReadOptions & { readonly anonymous: boolean },
): Promise<number | null> {
  try {
    const head = await fetch.open(url, { ...options, method: 'HEAD' });
    await drop(head);
    const length = lengthOf(head);
    if (length !== null) return length;
  } catch (error) {
    // Addresses of stores may be signed for GET only.
    if (!(error instanceof SourceError) || error.sourceStatus === undefined) throw error;
    if (error.code === 'rate-limited' || error.sourceStatus >= 500) throw error;
  }
  const first = await fetch.open(url, { ...options, headers: { range: 'bytes=0-0' }, accept: [416] });
  await drop(first);
  return first.status === 200 ? lengthOf(first) : (rangeOf(first)?.size ?? null);
}

function whole(answer: SourceAnswer): SourceBytes {
  if (answer.status !== 200)
    throw new SourceError('bad-answer', `The source didn't send the file (status ${answer.status}).`, {
      status: answer.status,
    });
  const size = lengthOf(answer);
  return { offset: 0, size, validator: validatorOf(answer), body: wholly(answer.body, 0, size) };
}

/** Yields bytes up to the declared size. A part may have its own framing, so HTTP wouldn't notice another length. */
async function* wholly(
  body: AsyncIterable<Uint8Array>,
  offset: number,
  size: number | null,
): AsyncGenerator<Uint8Array> {
  const differs = (): SourceError =>
    new SourceError('bad-answer', 'The source sent a different number of bytes than announced.', {
      status: 200,
    });
  let at = offset;
  for await (const chunk of body) {
    at += chunk.length;
    if (size !== null && at > size) throw differs();
    yield chunk;
  }
  if (size !== null && at < size) throw differs();
}

/** Releases an unread body, which nothing else would. */
async function drop({ body }: SourceAnswer): Promise<void> {
  for await (const chunk of body) if (chunk.length > 0) break;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A file that is complete already.
}

function lengthOf({ header }: SourceAnswer): number | null {
  const text = header('content-length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** RFC 9110, 14.4. */
function rangeOf({ header }: SourceAnswer): { readonly start: number; readonly size: number | null } | null {
  const found = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(?:(\d{1,15})|\*)$/.exec(header('content-range') ?? '');
  if (found === null) return null;
  return { start: Number(found[1]), size: found[2] === undefined ? null : Number(found[2]) };
}

/** A weak ETag doesn't guarantee equal bytes (RFC 9110, 13.1.5). A validator that can't be sent back is useless. */
function validatorOf({ header }: SourceAnswer): string {
  const etag = header('etag') ?? '';
  const validator = etag.startsWith('"') ? etag : (header('last-modified') ?? '');
  return /^[\x20-\x7e]{1,256}$/.test(validator) ? validator : '';
}
