/** Reads and writes a plugin's pinned version, which is also its revision. */
import { revisionOfVersion, type PluginKey } from '@gatehouse/api-types/console/plugin-values';
import { guardedWrite } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listPins } from '#upstreams/secrets-server/plugins.ts';
import { atPlugin } from './plugin-calls.ts';
import { nameOf } from './plugin-catalog.ts';
import { whatFailed } from './stored-secret.ts';

/** @returns empty if none is pinned; null if the server doesn't show pins */
async function pinnedVersion(caller: SecretsCaller, key: PluginKey): Promise<string | null> {
  const pins = await listPins(caller);
  return pins === null ? null : (pins.find((pin) => nameOf(pin) === nameOf(key))?.version ?? '');
}

/** A change of a pin: the version, empty to remove it, and the expected revision. */
interface PinWrite {
  readonly key: PluginKey;
  readonly expected: string;
  readonly version: string;
  readonly send: () => Promise<void>;
  readonly note: AuditNote;
}

/** Pins a version or removes the pin, at the revision that the user saw. @throws ProblemError `conflict` and others */
export async function writePin(
  caller: SecretsCaller,
  { key, expected, version, send, note }: PinWrite,
): Promise<void> {
  const { environment, service } = caller.transport;
  await guardedWrite<{ readonly version: string | null }>({
    note,
    resource: { environment, service, kind: 'plugin-pin', id: nameOf(key) },
    expected,
    readFirst: true,
    read: async () => ({ version: await pinnedVersion(caller, key) }),
    // If the server shows no pins, the user can't have seen one.
    revisionOf: (stored) => (stored.version === null ? expected : revisionOfVersion(stored.version)),
    failed: whatFailed,
    send: async () => {
      await send();
      return { version };
    },
    equalsSent: (stored) => stored.version === version,
  });
}

/** @param wanted the version to be pinned; empty for none */
export function pinBecame(wanted: (key: PluginKey) => string): WhatBecame {
  return atPlugin(async (caller, key) => {
    const version = await pinnedVersion(caller, key);
    if (version === null) return 'unknown';
    return version === wanted(key) ? 'succeeded' : 'failed';
  });
}
