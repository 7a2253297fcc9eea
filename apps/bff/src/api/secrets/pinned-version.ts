/** The version that is pinned for a plugin: its revision is the version. */
import { revisionOfVersion, type PluginKey } from '@gatehouse/api-types/console/plugin-values';
import { guardedWrite } from '#conflict/guarded-write.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listPins } from '#upstreams/secrets-server/plugins.ts';
import { atPlugin } from './plugin-calls.ts';
import { nameOf } from './plugin-catalog.ts';
import { whatFailed } from './stored-secret.ts';

/** @returns empty for none; null where the server doesn't show pins */
async function pinnedVersion(caller: SecretsCaller, key: PluginKey): Promise<string | null> {
  const pins = await listPins(caller);
  return pins === null ? null : (pins.find((pin) => nameOf(pin) === nameOf(key))?.version ?? '');
}

/** What is to be pinned, empty for nothing, over which revision. */
interface PinWrite {
  readonly key: PluginKey;
  readonly expected: string;
  readonly version: string;
  readonly send: () => Promise<void>;
}

/** Pins, or removes the pin, where it is still the one that was seen. @throws ProblemError `conflict` and others */
export async function writePin(
  caller: SecretsCaller,
  { key, expected, version, send }: PinWrite,
): Promise<void> {
  const { environment, service } = caller.transport;
  await guardedWrite<{ readonly version: string | null }>({
    resource: { environment, service, kind: 'plugin-pin', id: nameOf(key) },
    expected,
    readFirst: true,
    read: async () => ({ version: await pinnedVersion(caller, key) }),
    // One that isn't shown has been seen by nobody.
    revisionOf: (stored) => (stored.version === null ? expected : revisionOfVersion(stored.version)),
    failed: whatFailed,
    send: async () => {
      await send();
      return { version };
    },
    equalsSent: (stored) => stored.version === version,
  });
}

/** @param wanted the version that was to be pinned; empty for none */
export function pinBecame(wanted: (key: PluginKey) => string): WhatBecame {
  return atPlugin(async (caller, key) => {
    const version = await pinnedVersion(caller, key);
    if (version === null) return 'unknown';
    return version === wanted(key) ? 'succeeded' : 'failed';
  });
}
