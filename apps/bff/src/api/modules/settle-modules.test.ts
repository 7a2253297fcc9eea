import { randomBytes } from 'node:crypto';
import { archive, smallModule } from '@gatehouse/module-archive/testing/archives';
import { expect, test } from 'vitest';
import { moduleAt, modulesApi, publishing, startModules } from '#test/modules.ts';

const activityApi = '/api/environments/test/activity';

test('reads the registry to find out whether a change with a lost answer was made', async () => {
  await using modules = await startModules();
  const admin = await modules.signedIn();
  /** Makes a change, which arrives or not, with a lost answer, along with the answers to all later reads. */
  const lost = async (arrives: boolean, method: string, path: string, request: object): Promise<unknown> => {
    let isWritten = false;
    modules.proxy.onRequest = (bytes) => {
      if (isWritten) modules.proxy.drop();
      if (!/^(?:POST|PUT|DELETE) /.test(bytes.toString('latin1'))) return;
      isWritten = true;
      if (arrives) modules.proxy.cutNext = 0;
      else modules.proxy.drop();
    };
    const answer = await admin.send(method, path, request);
    delete modules.proxy.onRequest;
    expect(answer.json['code']).toBe('outcome-unknown');
    const { json } = await admin.send('GET', `${activityApi}?outcome=unknown`);
    const [entry] = json['items'] as { sequence: number; resource: { id: string } }[];
    const settled = await admin.send('POST', `${activityApi}/${entry?.sequence}/settle`);
    return [settled.json['outcome'], entry?.resource.id];
  };
  const at = moduleAt('acme/net/aws');
  const one = `${at}/versions/1.0.0`;
  const revisionOf = async (path: string) => String((await admin.send('GET', path)).json['revision']);
  const id = 'acme/net/aws/1.0.0';

  // Larger than one packet, so that an archive cut off at its first packet doesn't arrive.
  const large = publishing(archive({ 'main.tf': '', noise: randomBytes(500_000).toString('base64') }));
  expect(await lost(false, 'POST', `${one}/publish`, large)).toEqual(['failed', id]);
  const small = publishing(smallModule());
  expect(await lost(true, 'POST', `${one}/publish`, small)).toEqual(['succeeded', id]);
  const said = { state: 'deprecated', message: 'Slow.', replacement: '' };
  expect(
    await lost(true, 'PUT', `${one}/deprecation`, { body: said, revision: await revisionOf(one) }),
  ).toEqual(['succeeded', id]);
  expect(await lost(true, 'POST', `${one}/restore`, { revision: await revisionOf(one) })).toEqual([
    'succeeded',
    id,
  ]);
  const verified = { body: { verified: true }, revision: await revisionOf(at) };
  expect(await lost(true, 'PUT', `${at}/verified`, verified)).toEqual(['succeeded', 'acme/net/aws']);
  expect(await lost(true, 'DELETE', one, { revision: await revisionOf(one) })).toEqual(['succeeded', id]);
});

test('finds out whether a token with a lost answer was revoked', async () => {
  await using modules = await startModules();
  const admin = await modules.signedIn();
  const { body } = await modules.direct.get('/v1/tokens/self');
  modules.proxy.onRequest = (bytes) => {
    if (bytes.toString('latin1').startsWith('DELETE ')) modules.proxy.cutNext = 0;
  };
  const answer = await admin.send('DELETE', `${modulesApi}/tokens/${String(body['id'])}`);
  delete modules.proxy.onRequest;
  expect(answer.status).toBe(503);
  expect((await modules.direct.get('/v1/tokens/self')).status).toBe(401);
});
