import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { endInPieces } from './pieces.ts';

test('writes a whole answer in pieces of 64 KiB', async () => {
  const written: Buffer[] = [];
  const answer = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const bytes = Buffer.from('an answer that is sent in pieces '.repeat(10_000));
  await endInPieces(answer, bytes);
  expect(Math.max(...written.map(({ length }) => length))).toBe(64 * 1024);
  expect(Buffer.concat(written).equals(bytes)).toBe(true);
  expect(answer.writableEnded).toBe(true);
});
