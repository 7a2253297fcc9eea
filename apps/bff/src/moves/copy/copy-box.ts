/** Copies an image of a box from the source into the spool, and from there to the registry here. */
import { providerLabel, unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import { checksumTypes, type Provider } from '@gatehouse/api-types/console/boxes';
import { mostImageBytes } from '@gatehouse/api-types/console/publish-uploads';
import type { MoveItemRow, MoveVersionRow } from '#store/schema.ts';
import { ReleasedSince, send, verify } from '#uploads/deliver-image.ts';
import type { Spool } from '#uploads/spool.ts';
import {
  createProvider,
  deleteProvider,
  moveVersion,
  readProvider,
  readVersion,
  updateProvider,
  type ProviderPlace,
  type VersionPlace,
} from '#upstreams/box-registry/boxes.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';
import type { BoxJob } from '../job.ts';
import { changedImages, compareImage, imageMark } from '../plan/plan-box.ts';
import type { Outcome, PieceAt, Pieces, VersionLeft } from '../rows/pieces.ts';
import { receive, type Reception } from './receive.ts';
import { createRecords, notSent, placeOf, versionId } from './records.ts';

const releasedMessage =
  'The version was released here after the copy started. Retry to add this image to it.';

export interface BoxCopierParts {
  readonly spool: Spool;
  readonly pieces: Pieces;
  readonly checkRoom: Reception['checkRoom'];
  /** Limits the concurrent requests to one host. */
  readonly fetching: <Result>(url: string, work: () => Promise<Result>) => Promise<Result>;
}

/** Copies the pieces of a move, and completes its versions. */
export type Copier = ReturnType<typeof createBoxCopier>;

export function createBoxCopier({ spool, pieces, checkRoom, fetching }: BoxCopierParts, job: BoxJob) {
  const { choice, here, registries, signal } = job;
  const { source, caller } = registries;
  const { create, written, ensureBox, ensureVersion } = createRecords(job);
  /** Pieces whose provider was created here and has no image yet. */
  const empty = new Set<string>();

  /**
   * Creates the provider at the registry, or says why it must be left alone.
   * @returns otherwise the provider, without an image unless it was created with a link
   * @throws ReleasedSince
   */
  const ensureProvider = async (
    at: ProviderPlace,
    of: PieceAt,
    image: { readonly url: string; readonly sha256: string },
  ): Promise<Outcome | { readonly provider: Provider; readonly isNew: boolean }> => {
    const { piece, version, item } = of;
    await ensureVersion(version, item);
    const read = () => readProvider(caller, at);
    const stored = await here.once(read);
    if (stored !== null) {
      const { plan, detail } = compareImage(
        {
          hosted: image.url === '',
          url: image.url,
          checksum: piece.checksum,
          checksumType: piece.checksum_type,
          // An image that came here since the plan isn't the same because of its size.
          size: null,
          known: { ...piece, sha256: image.sha256 },
        },
        stored,
      );
      if (plan === 'clash') return { state: 'clash', detail, sha256: '' };
      if (plan === 'here') {
        // After a crash, this move may have copied it already.
        const isOwn = version.completes === 1;
        return {
          state: isOwn ? (image.url === '' ? 'copied' : 'linked') : 'here',
          detail,
          sha256: image.sha256,
          imageHere: imageMark(stored),
        };
      }
    }
    await checkRelease(at, version);
    if (stored !== null) return { provider: stored, isNew: false };
    const knows = await here.once(() => knowsArchitectures(caller));
    const fields = {
      name: at.provider,
      architecture: at.architecture,
      // An existing default architecture stays the default, unless the whole version is the move's own.
      is_default: !knows || (piece.is_default !== 0 && version.completes === 1),
      url: image.url,
      ...sumOf(piece, image.sha256),
    };
    // One audit entry covers both, because a refused image takes its provider with it.
    const paths = [...Object.keys(fields), ...(image.url === '' ? ['image'] : [])];
    const change = { action: 'box-provider.create', id: providerId(at), paths } as const;
    const wish = { operation: 'boxProviders.create', params: at, body: fields } as const;
    const made = await create(
      change,
      wish,
      async () => {
        // Before an image, this is checked when it is sent.
        if (image.url !== '') await checkAgain(at, of);
        return createProvider(caller, at, fields);
      },
      read,
    );
    // If someone else was faster, their provider is compared.
    return made === undefined ? ensureProvider(at, of, image) : { provider: made, isNew: true };
  };

  /** Gives an existing provider without an image the piece's address. @throws ReleasedSince */
  const link = (at: ProviderPlace, of: PieceAt, stored: Provider): Promise<Provider> => {
    // The checksum here stays, too.
    const fields = { url: of.piece.url, ...(stored.checksum === '' && sumOf(of.piece, '')) };
    return written(
      { action: 'box-provider.update', id: providerId(at), paths: Object.keys(fields) },
      { operation: 'boxProviders.update', params: at, body: fields },
      async () => {
        await checkAgain(at, of);
        const now = await readProvider(caller, at);
        if (now?.revision === stored.revision && now.available === stored.available)
          return updateProvider(caller, at, fields);
        throw notSent(
          caller,
          'Someone else changed this provider here at the same time. Retry to compare it again.',
        );
      },
    );
  };

  /** Directly before a write, because the registry may have asked to wait since the checks. */
  const checkAgain = async (at: VersionPlace, { version, item }: PieceAt): Promise<void> => {
    await ensureBox(item);
    await checkRelease(at, version);
  };
  /** @throws ReleasedSince if the version was released here, and nobody agreed to add to it */
  const checkRelease = async (at: VersionPlace, version: MoveVersionRow): Promise<void> => {
    if (version.agreed === 0 && (await here.once(() => readVersion(caller, at)))?.status === 'active')
      throw new ReleasedSince('conflict', releasedMessage);
  };

  const copyTo = async (place: ProviderPlace, at: PieceAt): Promise<Outcome> => {
    const { piece, version, item } = at;
    if (piece.hosted === 0 && choice.links === 'keep') {
      const made = await ensureProvider(place, at, { url: piece.url, sha256: '' });
      if ('state' in made) return made;
      const linked = made.isNew ? made.provider : await link(place, at, made.provider);
      return { state: 'linked', detail: '', sha256: '', imageHere: imageMark(linked) };
    }
    const { size, sha256 } = await fetching(piece.url, () =>
      receive(job, piece, {
        spool,
        pieces,
        checkRoom,
        limit: mostImageBytes,
        open: (from, until) =>
          source.image(
            {
              provider: piece.provider,
              architecture: piece.architecture,
              isDefault: null,
              hosted: piece.hosted === 1,
              url: piece.url,
              ...sourceSum(piece),
              size: piece.size,
            },
            { ...from, signal: until },
          ),
      }),
    );
    const made = await ensureProvider(place, at, { url: '', sha256 });
    if ('state' in made) return made;
    if (made.isNew) empty.add(piece.id);
    const expected = sumOf(piece, sha256);
    const image = { size, read: () => spool.read(piece.id) };
    let imageHere = '';
    const deliver = async (): Promise<null> => {
      const mayAdd = version.agreed === 1;
      // Someone may make the box public while the image is sent.
      const whole = () => ensureBox(item);
      const how = { mayReplace: () => false, mayAdd, signal, progress: () => undefined, whole };
      const sending = () => send(caller, place, image, expected, how);
      await here.once(() => caller.registry.transfers.sending(caller.username, sending, signal));
      imageHere = imageMark(await here.once(() => verify(caller, place, image, expected, sha256)));
      empty.delete(piece.id);
      return null;
    };
    const change = { action: 'box-provider.update', id: providerId(place), paths: ['image'] } as const;
    if (made.isNew) await deliver();
    else await job.change(change, { operation: '', params: {} }, deliver);
    return { state: 'copied', detail: '', sha256, imageHere };
  };

  return {
    /** @throws ProblemError for errors that may pass, and for final ones */
    async copy(at: PieceAt): Promise<Outcome> {
      const { piece, version, item } = at;
      const knows = await here.once(() => knowsArchitectures(caller));
      const place: ProviderPlace = {
        ...placeOf(version, item),
        provider: piece.provider,
        architecture: knows ? piece.architecture : unknownArchitecture,
      };
      try {
        return await copyTo(place, at);
      } catch (error) {
        const isReleased = error instanceof ReleasedSince;
        // If the image is finally refused, its provider is deleted: it is useless without an image.
        if ((isReleased || isAnswer(error, 400, 409, 413, 422)) && empty.delete(piece.id))
          await removeEmpty(place);
        if (!isReleased) throw error;
        // Starting the copy again asks about this version.
        const others = version.released === 0 && { completes: 0 };
        await pieces.finish(version, { status_here: 'active', ...others });
        return { state: 'failed', detail: releasedMessage, sha256: '' };
      }
    },
    /** Completes a version whose pieces are settled. @returns its state here */
    async finish(
      version: MoveVersionRow,
      item: MoveItemRow,
      { all, usable }: VersionLeft,
    ): Promise<string | null> {
      if (version.completes === 0 || version.phase === 'done') return version.status_here;
      // A version whose images all failed, or of which none was chosen, isn't created.
      if (usable === 0 && (all > 0 || version.status !== 'unreleased')) return version.status_here;
      await ensureVersion(version, item);
      const at = placeOf(version, item);
      const read = async (): Promise<string | null> =>
        (await here.once(() => readVersion(caller, at)))?.status ?? null;
      const found = await here.once(() => readVersion(caller, at));
      let status = found?.status ?? null;
      let isOwn = version.released === 1;
      if (status === 'unreleased' && version.status !== 'unreleased') {
        const knows = await here.once(() => knowsArchitectures(caller));
        const check = async (providers: readonly Provider[]): Promise<void> => {
          const own = await pieces.ownOf(version.id);
          const changed = changedImages(providers, own, { knowsArchitectures: knows });
          if (changed.length > 0)
            throw notSent(
              caller,
              `Images of this version here aren't the ones that the move copied or compared: ${changed.map(providerLabel).join(', ')}. Someone else may have changed them. Compare again to review them, or release the version yourself if it is complete.`,
            );
        };
        await check(found?.providers ?? []);
        const beforeRelease = async (): Promise<void> => {
          await ensureBox(item);
          await check((await readVersion(caller, at))?.providers ?? []);
        };
        // A revoked version is released first, because the registry revokes no other.
        await pieces.finish(version, { released: 1 });
        const notDone = () => pieces.finish(version, { released: 0 });
        isOwn = await moved(at, 'release', read, { before: beforeRelease, notDone });
        status = 'active';
      }
      // Others decide whether to end their release.
      if (status === 'active' && version.status === 'revoked' && isOwn) {
        await moved(at, 'revoke', read);
        status = 'revoked';
      }
      return status;
    },
  };

  /**
   * Releases or revokes a version.
   * @param before called directly before each request, because the registry may have asked to wait
   * @param notDone called if the move certainly didn't do it
   * @returns whether the move did it; false if someone else was faster
   */
  async function moved(
    at: VersionPlace,
    how: 'release' | 'revoke',
    read: () => Promise<string | null>,
    {
      before,
      notDone,
    }: { readonly before?: () => Promise<void>; readonly notDone?: () => Promise<void> } = {},
  ): Promise<boolean> {
    /** The state after a failed attempt; before one, nothing was done. Undefined while it isn't known. */
    const after: { isDone: boolean | undefined } = { isDone: false };
    try {
      await job.change(
        { action: `box-version.${how}`, id: versionId(at), paths: [] },
        { operation: `boxVersions.${how}`, params: at },
        async () => {
          try {
            const { revision } = await here.once(async () => {
              await before?.();
              after.isDone = undefined;
              return moveVersion(caller, at, how);
            });
            return revision;
          } catch (error) {
            after.isDone ??= (await read()) === (how === 'release' ? 'active' : 'revoked');
            // If the answer was lost, only the state shows what happened.
            if (after.isDone && error instanceof ServiceError && error.delivery === 'unknown') return null;
            throw error;
          }
        },
      );
      return true;
    } catch (error) {
      if (after.isDone !== undefined) await notDone?.();
      if (after.isDone !== true) throw error;
      return false;
    }
  }

  async function removeEmpty(at: ProviderPlace): Promise<void> {
    const stored = await here.once(() => readProvider(caller, at));
    if (stored?.hosted !== true || stored.available !== false) return;
    try {
      await job.change(
        { action: 'box-provider.delete', id: providerId(at), paths: [] },
        { operation: 'boxProviders.delete', params: at },
        async () => {
          await here.once(() => deleteProvider(caller, at));
          return null;
        },
      );
    } catch (error) {
      // Already deleted, or refused: then the provider stays without an image.
      if (!isAnswer(error, 404, 422)) throw error;
    }
  }
}

function providerId(at: ProviderPlace): string {
  return [versionId(at), at.provider, at.architecture].join('/');
}

/** The checksum for the registry here: the source's, or one of the received bytes. */
function sumOf(piece: PieceAt['piece'], sha256: string) {
  const { checksum, checksumType } = sourceSum(piece);
  if (checksumType !== null) return { checksum, checksum_type: checksumType };
  return sha256 === ''
    ? { checksum: '', checksum_type: null }
    : { checksum: sha256, checksum_type: 'sha256' as const };
}

function sourceSum({ checksum, checksum_type }: PieceAt['piece']) {
  const checksumType = checksumTypes.find((type) => type === checksum_type) ?? null;
  return checksumType === null ? { checksum: '', checksumType } : { checksum, checksumType };
}
