import { smallModule } from '@gatehouse/module-archive/testing/archives';
import { expect, test } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { downloadStore, mostAtOnce, mostConsumers } from '../../store/downloads.ts';
import type { Wire } from '../../testing/client.ts';
import { startServer } from '../../testing/server.ts';

test("keeps each user's latest downloads by token and version, however many tokens, and reads a few at a time", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    await operator.publish(`acme/net/aws/${version}`, smallModule());
  const store = openDatabase(server.dataDir);
  const downloads = downloadStore(store);
  const [{ id, module_id: moduleId } = expect.fail()] = store.all(
    store.build.selectFrom('version').selectAll().where('version', '=', '1.0.0').compile(),
  );
  const fetchBy = (owner: string, token: number): Promise<void> =>
    downloads.count({ id, moduleId }, { tokenId: `tok_${owner}_${token}`, token: '', owner }, token);
  await fetchBy('other', 0);
  await Promise.all(Array.from({ length: mostConsumers + 10 }, (_, token) => fetchBy('operator', token + 1)));
  const pages = [...downloads.consumers(moduleId)].map(({ length }) => length);
  expect(pages).toEqual([mostAtOnce, mostAtOnce, mostConsumers + 1 - 2 * mostAtOnce]);
  await store.close();
  const { body } = await operator.get('/v1/modules/acme/net/aws/consumers');
  const consumers = body['consumers'] as Wire[];
  expect(consumers).toHaveLength(mostConsumers + 1);
  expect(consumers.at(-2)).toMatchObject({ token_id: 'tok_operator_11', behind: 2 });
  expect(consumers.at(-1)).toMatchObject({ owner: 'other', behind: 2 });
});
