import { expect, test, vi } from 'vitest';
import { openPrimaryStore } from '#testing/replicated-pair.ts';
import { namespaceStore } from './namespaces.ts';

test('a change that meets the deletion of its namespace is refused, and the namespace stays gone', async () => {
  await using own = await openPrimaryStore();
  const namespaces = namespaceStore(own.store);
  const namespace = await namespaces.add('team/', {});
  const changing = namespaces.change(namespace, () => ({ a: 'b' }));
  const nothing = () => Promise.resolve();
  const removing = namespaces.remove(namespace, { begin: nothing, clear: nothing, within: () => undefined });
  await expect(changing).rejects.toThrow('namespace team/ is being deleted');
  expect(namespaces.has('team/')).toBe(false);
  await removing;
  expect(namespaces.has('team/')).toBe(false);
});

test('a namespace whose deletion a full disk stops stays for the next process too', async () => {
  await using own = await openPrimaryStore();
  const namespaces = namespaceStore(own.store);
  const namespace = await namespaces.add('team/', {});
  const full = new Error('disk full');
  const begin = () => {
    vi.spyOn(own.store, 'write').mockRejectedValue(full);
    return own.store.write(() => undefined);
  };
  const clear = () => Promise.resolve();
  await expect(namespaces.remove(namespace, { begin, clear, within: () => undefined })).rejects.toThrow(full);
  const next = namespaceStore(own.store);
  expect([namespaces, next].map((one) => [one.has('team/'), one.interrupted()])).toEqual([
    [true, []],
    [true, []],
  ]);
});

test('a namespace is not added within one that is being deleted', async () => {
  await using own = await openPrimaryStore();
  const { namespaces } = own;
  const team = await namespaces.add('team/', {});
  const added = namespaces.add('team/sub/', {});
  const nothing = () => Promise.resolve();
  const removed = namespaces.remove(team, { begin: nothing, clear: nothing, within: () => undefined });
  await expect(added).rejects.toThrow('namespace team/ is being deleted');
  await removed;
  expect(namespaces.paths()).toEqual([]);
});
