import { transferLimit, type ExportLine } from '@gatehouse/api-types/console/secret-transfers';
import { mapInOrder } from '#api/concurrently.ts';
import { cannotTell } from '#audit/became.ts';
import { fieldPaths, namesIn } from '#audit/wish.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readVersion, type ReadVersion } from '#upstreams/secrets-server/versions.ts';
import { secretsCaller } from '../caller.ts';
import { orRefused } from '../stored-secret.ts';
import { secretsIn, walkFolders } from '../walk-folders.ts';

/** The number of secrets read concurrently. */
const atOnce = 8;

export const exportSecrets: Operation<'secretTransfers.export'> = audited(
  {
    // Paths of secrets and folders, not of fields.
    address: ({ body: { paths = [], folders = [] } }) => ({
      paths: [...paths.map((path) => `path=${path}`), ...folders.map((path) => `folder=${path}`)],
    }),
    became: cannotTell,
  },
  async (context, call) => {
    const { mount } = call.params;
    const { paths = [], folders = [] } = call.body;
    const caller = await secretsCaller(context, call);
    const wanted = new Set(paths);
    // All paths are known before the first value is returned.
    for (const folder of folders) {
      const progress = { foldersRead: 0, foldersWaiting: 0 };
      for await (const walked of walkFolders(caller, mount, folder, progress)) {
        for (const path of secretsIn(walked)) wanted.add(path);
        if (wanted.size > transferLimit) {
          throw new ProblemError(
            'invalid-request',
            `You can export up to ${transferLimit.toLocaleString('en')} secrets at a time. Export smaller folders.`,
          );
        }
      }
    }
    return lines(caller, mount, [...wanted].sort(), call.note);
  },
);

async function* lines(
  caller: SecretsCaller,
  mount: string,
  paths: readonly string[],
  note: AuditNote,
): AsyncGenerator<ExportLine> {
  let secrets = 0;
  let skipped = 0;
  const read = async (path: string) => {
    const found = await orRefused(readVersion(caller, { mount, path })).catch((error: unknown) => {
      if (error instanceof ProblemError && error.code === 'payload-too-large') return error;
      throw error;
    });
    // Each secret is recorded as a reveal before it is returned.
    if (isRead(found))
      await note.did({
        action: 'secret.reveal',
        id: `${mount}/${path}`,
        paths: fieldPaths(namesIn(found.text)),
        revisionAfter: String(found.metadata.version),
      });
    return [path, found] as const;
  };
  try {
    for await (const [path, found] of mapInOrder(paths, read, atOnce)) {
      if (isRead(found)) {
        secrets += 1;
        // Recorded now, because the export may end at any point.
        note.saw({ name: secrets === 1 ? '1 secret' : `${secrets} secrets`, outcome: 'done' });
        yield { kind: 'secret', path, version: found.metadata.version, data: found.text };
        continue;
      }
      skipped += 1;
      yield { kind: 'skipped', path, detail: whySkipped(found) };
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    yield { kind: 'failed', code: error.code, detail: error.message };
    return;
  }
  yield { kind: 'end', secrets, skipped };
}

type Found = ReadVersion | ProblemError | 'denied' | 'refused' | null;

function isRead(found: Found): found is ReadVersion & { readonly text: string } {
  return typeof found === 'object' && found !== null && 'text' in found && found.text !== null;
}

function whySkipped(found: Found): string {
  if (found instanceof ProblemError) return found.message;
  if (found === 'denied') return "You aren't allowed to read this secret's values.";
  if (found === 'refused') return "The server doesn't accept this secret's name in a URL.";
  return found === null
    ? 'This secret has no version, or was deleted during the export.'
    : 'The newest version is deleted.';
}
