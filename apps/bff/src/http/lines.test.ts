import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Slices } from '@gatehouse/service-kit/slices';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { sendLines } from './lines.ts';

test('gives way to others between lines', async () => {
  let turns = 0;
  async function* lines(): AsyncGenerator<number> {
    for (let line = 0; line < 200; line += 1) {
      for (const began = performance.now(); performance.now() - began < 0.1;);
      yield line;
    }
  }
  const counting = (): void => {
    turns += 1;
    next = setImmediate(counting);
  };
  let next: NodeJS.Immediate;
  const answer = async (res: ServerResponse): Promise<void> => {
    next = setImmediate(counting);
    await sendLines(
      res as Response,
      new Slices(() => res.destroyed, { name: 'ada', isKnown: true }),
      lines(),
      () => undefined,
    );
    clearImmediate(next);
  };
  await using server = http.createServer((_req, res) => void answer(res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(text.trim().split('\n')).toHaveLength(200);
  expect(turns).toBeGreaterThan(1);
});
