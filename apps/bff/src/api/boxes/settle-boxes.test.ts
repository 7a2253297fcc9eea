import { expect, test } from 'vitest';
import { boxAt, boxesApi, startBoxes } from '#test/boxes.ts';

const activityApi = '/api/environments/test/activity';

test('reads the registry to find out whether a change with a lost answer was made', async () => {
  await using boxes = await startBoxes();
  const admin = await boxes.signedIn();
  const fields = { short_description: '', description: '', is_private: true };
  /** Makes a change whose answer is lost, along with the answers to all later reads. */
  const lost = async (method: string, path: string, request: object): Promise<unknown> => {
    let isWritten = false;
    boxes.proxy.onRequest = (bytes) => {
      if (isWritten) boxes.proxy.drop();
      if (!/^(?:POST|PUT|DELETE) /.test(bytes.toString('latin1'))) return;
      isWritten = true;
      boxes.proxy.cutNext = 0;
    };
    const answer = await admin.send(method, path, request);
    delete boxes.proxy.onRequest;
    expect(answer.json['code']).toBe('outcome-unknown');
    const { json } = await admin.send('GET', `${activityApi}?outcome=unknown`);
    const [entry] = json['items'] as { sequence: number; resource: { id: string } }[];
    const settled = await admin.send('POST', `${activityApi}/${entry?.sequence}/settle`);
    return [settled.json['outcome'], entry?.resource.id];
  };
  const owner = `${boxesApi}/owners/admin/boxes`;
  expect(await lost('POST', owner, { body: { name: 'made', ...fields } })).toEqual([
    'succeeded',
    'admin/made',
  ]);
  const made = await admin.send('GET', boxAt('admin/made'));
  const revision = String(made.json['revision']);
  expect(await lost('PATCH', boxAt('admin/made'), { revision, body: { description: 'changed' } })).toEqual([
    'succeeded',
    'admin/made',
  ]);
  const version = { version: '1.0.0', description: '' };
  expect(await lost('POST', boxAt('admin/made', '/versions'), { body: version })).toEqual([
    'succeeded',
    'admin/made/1.0.0',
  ]);
  const changed = await admin.send('GET', boxAt('admin/made'));
  expect(
    await lost('DELETE', boxAt('admin/made'), { revision: String(changed.json['whole_revision']) }),
  ).toEqual(['succeeded', 'admin/made']);
});
