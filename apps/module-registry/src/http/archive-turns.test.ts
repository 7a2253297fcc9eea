import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import type { ContentReader } from '@gatehouse/module-archive/content-reader';
import { smallModule } from '@gatehouse/module-archive/testing/archives';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { startServer } from '../testing/server.ts';

test("receives four archives of an account at once, leaves the rest unread, and receives other accounts' beside them", async () => {
  using folder = temporaryFolder();
  const archives = await diskObjects(folder.path, 'archives');
  let reserved = 0;
  const reserve = (bytes: number) => {
    reserved += 1;
    return archives.reserve(bytes);
  };
  const reader = contentReader();
  const gate = Promise.withResolvers<void>();
  let held: string | undefined;
  const inTurn: ContentReader['inTurn'] = async (person, ...work) => {
    if (person === held) await gate.promise;
    return reader.inTurn(person, ...work);
  };
  await using server = await startServer({
    archives: { ...archives, reserve },
    content: { ...reader, inTurn },
  });
  held = server.accounts.getByLoginName('operator')?.id;
  const operator = await server.as('operator');
  const admin = await server.as('administrator');
  const answers = Array.from({ length: 29 }, (_, n) =>
    operator.publish(`acme/net${n}/aws/1.0.0`, smallModule()),
  );
  const refused = await Promise.race(answers);
  expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
    429,
    '30',
    { errors: ['24 of your archives are already waiting. Send this one when they are done.'] },
  ]);
  expect((await admin.publish('acme/net/aws/1.0.0', smallModule())).status).toBe(201);
  expect([reserved, readdirSync(join(folder.path, 'incoming')).length]).toEqual([5, 4]);
  gate.resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.sort((one, other) => one - other)).toEqual([...Array<number>(28).fill(201), 429]);
  await reader.close();
});

test('answers an archive that takes too long to arrive, and gives up one that stands still', async () => {
  await using slow = await startServer({ archiveDeadlineMs: 0 });
  const late = await (await slow.as('operator')).publish('acme/net/aws/1.0.0', smallModule());
  expect([late.status, late.body]).toEqual([408, { errors: ['The body did not arrive within 0 minutes'] }]);

  await using server = await startServer({ idleDeadlineMs: 50 });
  const { token } = await server.as('operator');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `PUT /v1/modules/acme/net/aws/1.0.0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\nten bytes!`,
  );
  expect(await text(socket)).toBe('');
  for (const { dataDir } of [slow, server]) {
    const incoming = join(dataDir, 'module-archives', 'incoming');
    await expect.poll(() => readdirSync(incoming)).toEqual([]);
  }
});
