import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Pool, errors } from 'undici';
import { expect, test } from 'vitest';
import { boundAnswers } from './piece-bound.ts';

/** Fetches an answer from a server that sends its body in these chunks. */
async function answerOf(chunks: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`http://127.0.0.1:${port}`).compose(boundAnswers);
  try {
    const { body } = await pool.request({ method: 'GET', path: '/' });
    return await body.text();
  } finally {
    await pool.destroy();
    server.close();
  }
}

test('accepts an answer in a thousand small pieces, or in any number of large ones', async () => {
  expect(await answerOf('1\r\nx\r\n'.repeat(900))).toHaveLength(900);
  const large = `200\r\n${'x'.repeat(512)}\r\n`;
  expect(await answerOf(large.repeat(3_000))).toHaveLength(512 * 3_000);
});

test('aborts an answer in more pieces of one byte', async () => {
  await expect(answerOf('1\r\nx\r\n'.repeat(5_000))).rejects.toThrow(errors.ResponseExceededMaxSizeError);
});
