import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { planOfRun } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import { boxAt, boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs } from '#test/console.ts';
import { readRun, runIn, runsApi } from '#test/publish.ts';

const activityApi = '/api/environments/test/activity';

/** Makes a change whose answer is lost, along with the answers to all later reads, and settles its entry. */
async function lost(
  { proxy }: BoxesConsole,
  admin: Browser,
  { method, path, ...request }: { method: string; path: string; body?: unknown; revision?: string },
  arrives = true,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<unknown> {
  let isWritten = false;
  proxy.onRequest = (bytes) => {
    if (isWritten) proxy.drop();
    if (!/^(?:POST|PUT|DELETE) /.test(bytes.toString('latin1'))) return undefined;
    isWritten = true;
    if (arrives) {
      proxy.cutNext = 0;
      return undefined;
    }
    setImmediate(() => proxy.drop());
    // Never forwarded.
    return new Promise(() => undefined);
  };
  const answer = await admin.send(method, path, request);
  delete proxy.onRequest;
  expect(answer.json['code']).toBe('outcome-unknown');
  await meanwhile();
  const { json } = await admin.send('GET', `${activityApi}?outcome=unknown`);
  const [entry] = json['items'] as { sequence: number; resource: { id: string } }[];
  const settled = await admin.send('POST', `${activityApi}/${entry?.sequence}/settle`);
  return [settled.json['outcome'], entry?.resource.id];
}

test('reads the registry to find out whether a change with a lost answer was made', async () => {
  await using boxes = await startBoxes();
  const admin = await boxes.signedIn();
  const fields = { short_description: '', description: '', is_private: true };
  const owner = `${boxesApi}/owners/admin/boxes`;
  expect(
    await lost(boxes, admin, { method: 'POST', path: owner, body: { name: 'made', ...fields } }),
  ).toEqual(['succeeded', 'admin/made']);
  const made = await admin.send('GET', boxAt('admin/made'));
  const revision = String(made.json['revision']);
  expect(
    await lost(boxes, admin, {
      method: 'PATCH',
      path: boxAt('admin/made'),
      revision,
      body: { description: 'changed' },
    }),
  ).toEqual(['succeeded', 'admin/made']);
  const version = { version: '1.0.0', description: '' };
  expect(
    await lost(boxes, admin, { method: 'POST', path: boxAt('admin/made', '/versions'), body: version }),
  ).toEqual(['succeeded', 'admin/made/1.0.0']);
  const changed = await admin.send('GET', boxAt('admin/made'));
  expect(
    await lost(boxes, admin, {
      method: 'DELETE',
      path: boxAt('admin/made'),
      revision: String(changed.json['whole_revision']),
    }),
  ).toEqual(['succeeded', 'admin/made']);
});

test('leaves open what is hidden from an administrator, until the user who did it looks', async () => {
  await using controller = await startController();
  await using boxes = await startBoxes({ access: { kind: 'url', url: new URL(controller.url) } });
  const owner = await boxes.signedIn('operator');
  const other = boxes.console.browser();
  const byOther = async () => {
    await signInAs(other, 'admin', testPassword);
    const credentials = { method: 'password', login_name: 'read-only', password: testPassword };
    const path = '/api/environments/test/connections/boxes';
    expect((await other.send('POST', path, { body: { credentials } })).status).toBe(200);
    const { json } = await other.send('GET', `${activityApi}?outcome=unknown`);
    const [entry] = json['items'] as { sequence: number }[];
    const settled = await other.send('POST', `${activityApi}/${entry?.sequence}/settle`);
    expect(settled.json, settled.text).toMatchObject({ outcome: 'unknown', can_settle: true });
  };
  const body = { name: 'hidden', short_description: '', description: '', is_private: true };
  const path = `${boxesApi}/owners/operator/boxes`;
  const box = 'operator/hidden';
  expect(await lost(boxes, owner, { method: 'POST', path, body }, true, byOther)).toEqual(['succeeded', box]);
  const revision = String((await owner.send('GET', boxAt(box))).json['whole_revision']);
  const deletion = { method: 'DELETE', path: boxAt(box), revision };
  expect(await lost(boxes, owner, deletion, false, byOther)).toEqual(['failed', box]);
});

test('reads the registry to find out whether a step of a publishing run with a lost answer was done', async () => {
  await using boxes = await startBoxes();
  const admin = await boxes.signedIn();
  const run = runIn(
    await admin.send('POST', runsApi, {
      body: {
        box: {
          username: 'admin',
          name: 'lost',
          create: { short_description: '', description: 'A box', is_private: true },
        },
        version: { version: '1.0.0', description: 'First' },
        providers: [
          {
            name: 'virtualbox',
            source: { kind: 'url', url: 'https://images.example/a.box' },
            checksum: '',
            checksum_type: null,
          },
        ],
      },
    }),
  );
  const at = boxAt('admin/lost', '/versions/1.0.0');
  for (const step of ['box', 'version', `providers/${run.providers[0]?.id}`, 'release']) {
    const path = `${runsApi}/${run.id}/${step}`;
    const body = async () =>
      step === 'release' ? { revision: String((await admin.send('GET', at)).json['whole_revision']) } : {};
    const change = { method: 'POST', path, body: await body() };
    if (step === 'version') {
      const renameTo = async (version: string): Promise<void> => {
        const stored = await readRun(admin, run.id);
        const renamed = { ...planOfRun(stored), version: { version, description: 'First' } };
        runIn(await admin.send('PUT', `${runsApi}/${run.id}`, { revision: stored.revision, body: renamed }));
      };
      await renameTo('0.9.0');
      // The plan no longer says what the step was to write.
      const changed = await lost(boxes, admin, change, true, () => renameTo('1.0.0'));
      expect(changed).toEqual(['unknown', run.id]);
    }
    expect([step, await lost(boxes, admin, change, false)]).toEqual([step, ['failed', run.id]]);
    expect([step, await lost(boxes, admin, change)]).toEqual([step, ['succeeded', run.id]]);
    runIn(await admin.send('POST', path, { body: await body() }));
  }
  expect((await readRun(admin, run.id)).state).toBe('released');
});
