import { systemClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import type { MovePieceRow } from '#store/schema.ts';
import { createSpool } from '#uploads/spool.ts';
import type { Job } from '../job.ts';
import { createReach } from './reach.ts';
import { receive, type Reception } from './receive.ts';

const mebibyte = 1024 * 1024;

test('reserves and judges the room for each part of an image of an announced size', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  const size = 40 * mebibyte;
  const asked: [room: number, reserved: number][] = [];
  const piece: Partial<MovePieceRow> = { id: 'mp_1', received: 0, size: 1, checksum: '', checksum_type: '' };
  let reserved = 0;
  const { signal } = new AbortController();
  const waits = () => Promise.resolve();
  const there = createReach({ who: 'The source', clock: systemClock, delaysMs: [], signal, waits });
  const job: Partial<Job> = { signal, received: () => undefined, there };
  const reception: Omit<Reception, 'pieces'> & { pieces: Partial<Reception['pieces']> } = {
    spool,
    pieces: {
      received: () => Promise.resolve(),
      reserve: async (_id, end) => {
        reserved = end / mebibyte;
        await Promise.resolve();
      },
    },
    checkRoom: async (_piece, bytes) => {
      asked.push([bytes / mebibyte, reserved]);
      await Promise.resolve();
    },
    limit: size,
    open: () =>
      Promise.resolve({
        offset: 0,
        size,
        validator: '',
        body: (async function* () {
          for (let sent = 0; sent < size; sent += mebibyte)
            yield await Promise.resolve(Buffer.alloc(mebibyte));
        })(),
      }),
  };
  const { size: received } = await receive(job as Job, piece as MovePieceRow, reception as Reception);
  expect(received).toBe(size);
  // The whole is judged once. Each part is reserved before it is judged, and not what the source announces.
  expect(asked).toEqual([
    [40, 0],
    [16, 16],
    [32, 32],
    [40, 40],
  ]);
});
