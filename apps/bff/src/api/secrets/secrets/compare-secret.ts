import { leavesOf, stringOf } from '@gatehouse/api-types/console/json-text';
import type { ComparisonMatch } from '@gatehouse/api-types/console/secrets';
import type { Slices } from '@gatehouse/service-kit/slices';
import { mapInOrder } from '#api/concurrently.ts';
import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { secretsCaller } from '../caller.ts';
import { compareInTurn, countComparison } from '../comparison-limit.ts';
import { notThere, orDenied } from '../stored-secret.ts';

/** The number of versions read concurrently. */
const atOnce = 2;

/** Limits of matches and the characters of their fields: thousands of fields may match in every version. */
const mostMatches = 1000;
const mostCharacters = 1024 * 1024;

/** The maximum number of versions that are tried without a list. */
const countedDown = 100;

export const compareSecret: Operation<'secrets.compare'> = audited(
  { became: notReceived },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    countComparison(context, call);
    return compareInTurn(call, async () =>
      compare(await secretsCaller(context, call), place, call.body.value, call.slices),
    );
  },
);

async function compare(caller: SecretsCaller, place: Place, value: string, slices: Slices) {
  const { versions, created } = await versionsOf(caller, place);
  const matches: ComparisonMatch[] = [];
  const unreadable: number[] = [];
  let compared = 0;
  let matched = 0;
  let characters = 0;
  const [newest] = versions;
  for await (const [version, read] of mapInOrder(
    versions,
    async (number) => [number, await readVersion(caller, place, number)] as const,
    atOnce,
  )) {
    if (read === null || read.text === null) {
      unreadable.push(version);
      continue;
    }
    compared += 1;
    await slices.giveWay();
    for (const field of fieldsWith(read.text, value)) {
      matched += 1;
      characters += field.length;
      if (matched > mostMatches || characters > mostCharacters) continue;
      matches.push({
        field,
        version,
        current: version === newest,
        created_time: read.metadata.created_time,
        superseded_time: created.get(version + 1) ?? null,
      });
    }
  }
  return {
    matches,
    matched,
    compared,
    unreadable,
  };
}

/** The fields that hold a value, as text or as JSON. A line break at the end, common in pasted text, is ignored. */
export function fieldsWith(data: string, value: string): string[] {
  const wanted = new Set([value, value.replace(/\r?\n$/, '')]);
  return leavesOf(data)
    .filter(({ text }) => wanted.has(stringOf(text) ?? text))
    .map(({ pointer }) => pointer);
}

/** The existing versions, newest first, with the time of each. */
async function versionsOf(
  caller: SecretsCaller,
  place: Place,
): Promise<{ readonly versions: readonly number[]; readonly created: ReadonlyMap<number, string> }> {
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata === null) throw notThere(caller);
  if (metadata !== 'denied') {
    const created = new Map(
      Object.entries(metadata.versions).map(([version, { created_time }]) => [Number(version), created_time]),
    );
    return { versions: [...created.keys()].sort((a, b) => b - a), created };
  }
  // Users who can't read the list of versions count down from the newest.
  const newest = (await readVersion(caller, place))?.metadata.version;
  if (newest === undefined) throw notThere(caller);
  const versions = Array.from({ length: Math.min(newest, countedDown) }, (_, index) => newest - index);
  return { versions, created: new Map() };
}
