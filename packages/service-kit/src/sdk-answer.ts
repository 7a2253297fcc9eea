import { Readable } from 'node:stream';
import { pieceBound } from './piece-bound.ts';

/**
 * Middleware for the AWS SDK's clients (step `deserialize`, priority `low`) that limits the size and time of answers.
 * The SDK's own timeout ends at the response head, and it reads a body of any size.
 * @param bytes the most of an answer to a command. An answer is parsed in one go, so it should be small
 * @param isStreamed commands whose successful answers are left to their readers
 */
export function boundedAnswer({
  bytes,
  ms,
  isStreamed = () => false,
}: {
  readonly bytes: (commandName: string | undefined) => number;
  /** For an answer, from the start of its request, in milliseconds. */
  readonly ms: number;
  readonly isStreamed?: (commandName: string | undefined) => boolean;
}) {
  return <Args, Result extends { readonly response: unknown }>(
    next: (args: Args) => Promise<Result>,
    { commandName }: { readonly commandName?: string },
  ) =>
    async (args: Args): Promise<Result> => {
      const began = performance.now();
      const result = await next(args);
      const response = result.response as { readonly statusCode: number; body: unknown };
      if (response.body instanceof Readable && !(isStreamed(commandName) && response.statusCode < 300))
        response.body = await whole(response.body, bytes(commandName), ms - (performance.now() - began));
      return result;
    };
}

async function whole(body: Readable, bytes: number, ms: number): Promise<Readable> {
  const late = setTimeout(() => {
    body.destroy(Object.assign(new Error('The answer did not end in time'), { name: 'TimeoutError' }));
  }, ms);
  const pieces: Buffer[] = [];
  let length = 0;
  const mayCome = pieceBound();
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > bytes || !mayCome(piece.length)) throw new Error('The answer was too long');
      pieces.push(piece);
    }
  } finally {
    clearTimeout(late);
  }
  return Readable.from([Buffer.concat(pieces)]);
}
