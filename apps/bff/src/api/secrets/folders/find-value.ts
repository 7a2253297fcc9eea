import { findLimit, type ValueLine } from '@gatehouse/api-types/console/secret-scans';
import type { Slices } from '@gatehouse/service-kit/slices';
import { mapInOrder } from '#api/concurrently.ts';
import { notReceived } from '#audit/became.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { secretsCaller } from '../caller.ts';
import { compareInTurn, countComparison } from '../comparison-limit.ts';
import { newScan, scanLines, type Scan } from '../scan.ts';
import { fieldsWith } from '../secrets/compare-secret.ts';
import { orRefused } from '../stored-secret.ts';
import { secretsIn, walkFolders, type WalkedFolder } from '../walk-folders.ts';

/** The number of secrets whose values are read concurrently. */
const atOnce = 4;
/** Fields that are named of one secret, the most characters of a name, and of all named fields. */
const namedFields = 20;
const longestName = 1_000;
const mostCharacters = 1024 * 1024;

/** The trail records the folder and how many secrets were compared, not each of them: no value is returned. */
export const findValue: Operation<'secretScans.findValue'> = audited(
  {
    address: ({ params: { mount }, body: { folder = '' } }) => ({
      id: folder === '' ? mount : `${mount}/${folder}`,
      paths: [],
    }),
    became: notReceived,
  },
  async (context, call) => {
    const { mount } = call.params;
    const { folder = '', value } = call.body;
    countComparison(context, call);
    const caller = await secretsCaller(context, call);
    const scan = newScan();
    const folders = walkFolders(caller, mount, folder, scan);
    const named = { characters: 0 };
    return inOneTurn(
      call,
      scanLines(folders, scan, context.clock, (walked) =>
        holdersIn(caller, { mount, value, named }, walked, scan, call),
      ),
    );
  },
);

/** Yields what a comparison finds while no other one of the user runs. */
async function* inOneTurn<Line>(call: ServiceCall, lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  const begun = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  compareInTurn(call, () => {
    begun.resolve(undefined);
    return ended.promise;
  }).catch(begun.reject);
  await begun.promise;
  try {
    yield* lines;
  } finally {
    ended.resolve(undefined);
  }
}

/** The secrets of a folder whose newest version holds the value. @param sought counts the characters of all named fields */
async function* holdersIn(
  caller: SecretsCaller,
  sought: { readonly mount: string; readonly value: string; readonly named: { characters: number } },
  walked: WalkedFolder,
  scan: Scan,
  { note, slices }: { readonly note: AuditNote; readonly slices: Slices },
): AsyncGenerator<Extract<ValueLine, { kind: 'match' | 'denied' }>> {
  const read = async (path: string) => {
    const found = await orRefused(readVersion(caller, { mount: sought.mount, path })).catch(
      (error: unknown) => {
        if (error instanceof ProblemError && error.code === 'payload-too-large') return 'denied' as const;
        throw error;
      },
    );
    return [path, found] as const;
  };
  for await (const [path, found] of mapInOrder(secretsIn(walked), read, atOnce)) {
    if (scan.secrets === findLimit) {
      scan.limited = true;
      return;
    }
    scan.secrets += 1;
    note.saw({ name: scan.secrets === 1 ? '1 secret' : `${scan.secrets} secrets`, outcome: 'done' });
    if (typeof found === 'string') {
      scan.denied += 1;
      yield { kind: 'denied', path, folder: false };
      continue;
    }
    // Nothing is readable in a secret whose newest version is deleted.
    if (found === null || found.text === null) continue;
    await slices.giveWay();
    const fields = fieldsWith(found.text, sought.value);
    if (fields.length === 0) continue;
    const named = fields.slice(0, namedFields).map(shortened);
    for (const { length } of named) sought.named.characters += length;
    if (sought.named.characters > mostCharacters) {
      scan.limited = true;
      return;
    }
    scan.found += 1;
    yield { kind: 'match', path, version: found.metadata.version, fields: named, matched: fields.length };
  }
}

/** A long field name must not end the search. */
function shortened(pointer: string): string {
  return pointer.length > longestName ? `${pointer.slice(0, longestName)}…` : pointer;
}
