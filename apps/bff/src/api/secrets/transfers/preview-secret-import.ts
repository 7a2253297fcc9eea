import { entriesOf, lastByKey, sameJson } from '@gatehouse/api-types/console/json-text';
import type { ImportPreviewItem, NamedFields } from '@gatehouse/api-types/console/secret-transfers';
import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { mapInOrder } from '#shared/concurrently.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { countComparison } from '#shared/secrets/comparison-limit.ts';
import { checkEntries } from '#shared/secrets/data-text.ts';
import { orDenied, readNewest } from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { policyPath, type Place } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

/** Secrets that are looked at at a time. */
const atOnce = 8;

/** Names of a list at most, and their characters: thousands of secrets may have thousands of long names each. */
const mostNames = 100;
const mostCharacters = 4096;
const noFields: NamedFields = { names: [], count: 0 };

export const previewSecretImport: Operation<'secretTransfers.previewImport'> = audited(
  { became: notReceived },
  async (context, call) => {
    const { mount } = call.params;
    const { entries } = call.body;
    await checkEntries(entries, call.slices);
    // It tells of each value whether it is the stored one.
    countComparison(context, call.session.personId);
    const caller = await secretsCaller(context, call);
    const rights = await readCapabilities(
      caller,
      entries.map(({ path }) => policyPath('data', { mount, path })),
    );
    const look = ({ path, data }: (typeof entries)[number]) => preview(caller, { mount, path }, data, rights);
    return { items: await Array.fromAsync(mapInOrder(entries, look, atOnce)) };
  },
);

async function preview(
  caller: SecretsCaller,
  place: Place,
  data: string,
  rights: ReadonlyMap<string, ReadonlySet<string>> | null,
): Promise<ImportPreviewItem> {
  const stored = await orDenied(readNewest(caller, place));
  const item: ImportPreviewItem = {
    path: place.path,
    change: 'unreadable',
    revision: null,
    added: noFields,
    changed: noFields,
    removed: noFields,
    detail: null,
  };
  const words = rights?.get(policyPath('data', place));
  const isNew = stored === null || (stored !== 'denied' && stored.version === 0);
  if (words !== undefined && !allows(words, isNew ? 'create' : 'update')) {
    return { ...item, change: 'denied', detail: "Your policies don't let you write it." };
  }
  if (stored === 'denied') {
    return {
      ...item,
      detail: "You can't read it, so writing it would overwrite it unseen.",
    };
  }
  if (isNew) return { ...item, change: 'create', revision: '0', added: fieldsOf(data) };
  const { revision } = stored;
  if (stored.state === 'deleted' || stored.state === 'destroyed') {
    return { ...item, change: 'deleted', revision, added: fieldsOf(data) };
  }
  if (stored.data === null) return { ...item, revision };
  const [before, after] = [lastByKey(entriesOf(stored.data)), lastByKey(entriesOf(data))];
  const changed = [...after].filter(([key, text]) => {
    const old = before.get(key);
    return old !== undefined && !sameJson(old, text);
  });
  const added = [...after.keys()].filter((key) => !before.has(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  const isSame = changed.length + added.length + removed.length === 0;
  return {
    ...item,
    change: isSame ? 'same' : 'change',
    revision,
    added: named(added),
    changed: named(changed.map(([key]) => key)),
    removed: named(removed),
  };
}

function fieldsOf(data: string): NamedFields {
  return named([...lastByKey(entriesOf(data)).keys()]);
}

function named(keys: readonly string[]): NamedFields {
  let characters = 0;
  const names = keys.slice(0, mostNames).filter((name) => (characters += name.length) <= mostCharacters);
  return { names, count: keys.length };
}
