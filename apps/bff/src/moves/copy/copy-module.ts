/** Copies the archive of a module version. Versions never change, so an existing one is left alone. */
import { BadArchive, ReaderBusy } from '@gatehouse/module-archive/bad-archive';
import { archiveBounds } from '@gatehouse/module-archive/read-archive';
import type { Spool } from '#uploads/spool.ts';
import { deprecate, publish } from '#upstreams/module-registry/management.ts';
import { readVersion } from '#upstreams/module-registry/modules.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';
import type { ModuleJob } from '../job.ts';
import { sumOf } from '../plan/plan-module.ts';
import { deprecationIn, storedModule } from '../plan/stored-source.ts';
import type { BoxCopierParts, Copier } from './copy-box.ts';
import { receive } from './receive.ts';

export function createModuleCopier(
  { spool, pieces, checkRoom, fetching }: BoxCopierParts,
  job: ModuleJob,
): Copier {
  const { here, registries, signal, slices, there } = job;
  const { source, caller } = registries;
  return {
    async copy({ piece, version, item }) {
      const [namespace = '', name = '', provider = ''] = item.name_here.split('/');
      const at = { namespace, name, provider, version: version.version };
      const versionId = `${item.name_here}/${version.version}`;
      // Addresses of archives expire.
      const place = await there.once(async () => {
        const { module } = await storedModule({ item, versions: [], pieces: [], kept: [] }, slices);
        return source.archivePlace(module, version.version, { signal, slices });
      });
      if (place.kind === 'not-copied') return { state: 'not-copied', detail: place.reason, sha256: '' };
      // The location may name a checksum only now.
      const { checksum, type } = sumOf(place.checksum);
      const expected = piece.checksum === '' ? { ...piece, checksum, checksum_type: type } : piece;
      const { sha256 } = await fetching(place.url, () =>
        receive(job, expected, {
          spool,
          pieces,
          checkRoom,
          limit: archiveBounds.sentBytes,
          open: (from, until) => source.archive(place, { ...from, signal: until }),
        }),
      );
      const read = () => here.once(() => readVersion(caller, at));
      let stored = await read();
      // The answer to an earlier attempt may have been lost.
      let isOwn = version.released === 1;
      if (stored === null) {
        const archive = await bytesOf(spool, piece.id);
        const described = { archive, description: item.short_description, source: item.source_url };
        await pieces.finish(version, { released: 1 });
        try {
          await job.change(
            { action: 'module-version.publish', id: versionId, paths: Object.keys(described) },
            { operation: 'moduleVersions.publish', params: at },
            async () => (await here.once(() => publish(caller, at, described))).revision,
          );
          isOwn = true;
        } catch (error) {
          const isRefused = error instanceof ServiceError && error.delivery !== 'unknown';
          if (isRefused && !isOwn) await pieces.finish(version, { released: 0 });
          const why = isAnswer(error, 422) ? await faultIn(archive, job) : undefined;
          if (why !== undefined) return { state: 'failed', detail: why, sha256: '' };
          // Someone else was faster.
          if (!isAnswer(error, 409)) throw error;
          stored = await read();
          if (stored === null) throw error;
        }
      }
      if (stored !== null) {
        const sum = stored.version.archive?.sha256 ?? '';
        if (sum !== '' && sum !== sha256) {
          return { state: 'clash', detail: 'The archive here has a different checksum.', sha256: '' };
        }
      }
      // Others decide about the deprecation of what they published.
      if (!isOwn) return { state: 'here', detail: '', sha256 };
      const why = deprecationIn(version.description);
      if (why !== null && (stored?.version.deprecation ?? null) === null) {
        const etag = (await read())?.etag;
        const { state, message, replacement } = why;
        const said = { state, message, replacement };
        await job.change(
          { action: 'module-version.deprecate', id: versionId, paths: Object.keys(said) },
          { operation: 'moduleVersions.deprecate', params: at, body: said },
          async () => (await here.once(() => deprecate(caller, at, said, etag))).revision,
        );
      }
      return { state: 'copied', detail: '', sha256 };
    },
    // A version consists of its archive only.
    finish: (version, _item, { usable }) => Promise.resolve(usable > 0 ? version.status : null),
  };
}

/** What is wrong with an archive that the registry here refused, in a sentence; undefined if it seems right. */
async function faultIn(archive: Buffer, { registries, signal }: ModuleJob): Promise<string | undefined> {
  try {
    const { registry, username } = registries.caller;
    await registry.archives.pass(archive, archiveBounds, { username, signal });
    return undefined;
  } catch (error) {
    if (error instanceof BadArchive) return `${error.message}.`;
    if (error instanceof ReaderBusy) return undefined;
    throw error;
  }
}

async function bytesOf(spool: Spool, id: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  // Copied, because the spool reuses the buffer.
  for await (const chunk of spool.read(id)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
