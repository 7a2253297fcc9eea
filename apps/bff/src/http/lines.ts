import { once } from 'node:events';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Response } from 'express';

/**
 * Answers lines of JSON (NDJSON) as they are found, no faster than they are read.
 * @param slices gives way to others between lines
 * @param check checks each line before it is sent; its error ends the answer
 */
export async function sendLines(
  res: Response,
  slices: Slices,
  lines: AsyncIterable<unknown>,
  check: (line: unknown) => void,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  let begun = false;
  const begin = (): void => {
    if (begun) return;
    begun = true;
    res.writeHead(200, {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  };
  try {
    for await (const line of lines) {
      await slices.giveWay();
      if (res.destroyed) return;
      check(line);
      begin();
      if (!res.write(`${JSON.stringify(line)}\n`)) await once(res, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (res.destroyed) return;
    // Before the first line, it is an error like any other. Later, the reader sees an answer without an end.
    if (!begun) throw error;
    res.destroy();
    return;
  }
  begin();
  res.end();
}
