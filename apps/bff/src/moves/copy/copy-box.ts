/** Copies an image of a box from the source into the spool, and from there to the registry here. */
import { providerLabel, unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import {
  checksumTypes,
  descriptionLimit,
  shortDescriptionLimit,
  type Provider,
} from '@gatehouse/api-types/console/boxes';
import type { PartialChange } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { MoveItemRow, MoveVersionRow } from '#store/schema.ts';
import { ReleasedSince, send, verify } from '#uploads/deliver-image.ts';
import type { Spool } from '#uploads/spool.ts';
import {
  createBox,
  createProvider,
  createVersion,
  deleteProvider,
  moveVersion,
  readBox,
  readOwner,
  readProvider,
  readVersion,
  type ProviderPlace,
  type VersionPlace,
} from '#upstreams/box-registry/boxes.ts';
import { createOrganization } from '#upstreams/box-registry/management.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';
import type { BoxJob, PartWish } from '../job.ts';
import { compareImage, imagesOfOthers } from '../plan/plan-box.ts';
import { privacyOf } from '../rows/items.ts';
import type { Outcome, PieceAt, Pieces, VersionLeft } from '../rows/pieces.ts';
import { once } from './once.ts';
import { receive, type Reception } from './receive.ts';

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
  const owners = once<void>();
  const boxes = once<void>();
  const versions = once<void>();
  /** Pieces whose provider was created here and has no image yet. */
  const empty = new Set<string>();

  /**
   * Creates a missing record, and records that. If the registry refuses, the record may exist after all: an answer was
   * lost, or someone else was faster.
   * @returns whether this call certainly created the record
   */
  const create = async (
    change: Pick<PartialChange, 'action' | 'id' | 'paths'>,
    wish: PartWish,
    work: () => Promise<{ readonly revision: string }>,
    read: () => Promise<unknown>,
  ): Promise<boolean> => {
    try {
      await job.change(change, wish, async () => (await here.once(work)).revision);
      return true;
    } catch (error) {
      if (!isAnswer(error, 409, 422) || (await here.once(read)) === null) throw error;
      return false;
    }
  };
  const ensureOwner = (username: string): Promise<void> =>
    owners(username, async () => {
      try {
        await here.once(() => readOwner(caller, username));
      } catch (error) {
        if (!isAnswer(error, 404)) throw error;
        const body = { username, profile: '' };
        await create(
          { action: 'organization.create', id: username, paths: ['username'] },
          { operation: 'organizations.create', params: {}, body },
          () => createOrganization(caller, body),
          () => readOwner(caller, username),
        );
      }
    });
  const ensureBox = (item: MoveItemRow): Promise<void> =>
    boxes(item.id, async () => {
      const [username = '', name = ''] = item.name_here.split('/');
      const read = () => readBox(caller, { username, name });
      // Unknown privacy counts as private if a token is used now, even if the plan was made without one.
      const isPrivate = choice.privacy === 'private' || Boolean(privacyOf(item.is_private) ?? job.usedToken);
      const found = await here.once(read);
      if (found !== null) {
        if (isPrivate && !found.is_private && item.is_here === 0)
          throw new ProblemError(
            'forbidden',
            `The plan creates ${item.name_here} as a private box, but a public box with this name was created here since the comparison. Compare again to review the plan.`,
          );
        return;
      }
      await ensureOwner(username);
      const fields = {
        name,
        short_description: item.short_description.slice(0, shortDescriptionLimit),
        description: item.description.slice(0, descriptionLimit),
        is_private: isPrivate,
      };
      const paths = ['name', 'short_description', 'description', `is_private=${fields.is_private}`];
      await create(
        { action: 'box.create', id: item.name_here, paths },
        { operation: 'boxes.create', params: { username }, body: fields },
        () => createBox(caller, username, fields),
        read,
      );
    });
  const ensureVersion = (version: MoveVersionRow, item: MoveItemRow): Promise<void> =>
    versions(version.id, async () => {
      await ensureBox(item);
      const at = placeOf(version, item);
      const read = () => readVersion(caller, at);
      if ((await here.once(read)) !== null) return;
      const fields = {
        version: version.version,
        description: version.description.slice(0, descriptionLimit),
      };
      await create(
        { action: 'box-version.create', id: versionId(at), paths: Object.keys(fields) },
        { operation: 'boxVersions.create', params: at, body: fields },
        () => createVersion(caller, at, fields),
        read,
      );
    });

  /** Creates the provider at the registry, or says why it must be left alone. */
  const ensureProvider = async (
    at: ProviderPlace,
    { piece, version, item }: PieceAt,
    image: { readonly url: string; readonly sha256: string; readonly size: number | null },
  ): Promise<Outcome | 'created' | 'ready'> => {
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
          size: image.size,
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
        };
      }
    }
    const refused = await refusedNow(at, version);
    if (refused !== undefined) return refused;
    if (stored === null) {
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
      if (await create(change, wish, () => createProvider(caller, at, fields), read)) return 'created';
    }
    return 'ready';
  };

  /** The outcome of a piece whose version was released here, if nobody agreed to add to that version. */
  const refusedNow = async (at: VersionPlace, version: MoveVersionRow): Promise<Outcome | undefined> => {
    const status = (await here.once(() => readVersion(caller, at)))?.status ?? null;
    return status !== 'active' || version.agreed === 1 ? undefined : releasedSince(version);
  };
  const releasedSince = async (version: MoveVersionRow): Promise<Outcome> => {
    // Starting the copy again asks about this version.
    await pieces.finish(version, { status_here: 'active', ...(version.released === 0 && { completes: 0 }) });
    const detail = 'The version was released here after the copy started. Retry to add this image to it.';
    return { state: 'failed', detail, sha256: '' };
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
      if (piece.hosted === 0 && choice.links === 'keep') {
        const made = await ensureProvider(place, at, { url: piece.url, sha256: '', size: piece.size });
        return typeof made === 'string' ? { state: 'linked', detail: '', sha256: '' } : made;
      }
      const { size, sha256 } = await fetching(piece.url, () =>
        receive(job, piece, {
          spool,
          pieces,
          checkRoom,
          limit: Infinity,
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
      const made = await ensureProvider(place, at, { url: '', sha256, size });
      if (typeof made !== 'string') {
        // An interrupted attempt may have created the provider.
        if (made.state === 'failed' && empty.delete(piece.id)) await removeEmpty(place);
        return made;
      }
      if (made === 'created') empty.add(piece.id);
      const expected = sumOf(piece, sha256);
      const image = { size, read: () => spool.read(piece.id) };
      const deliver = async (): Promise<null> => {
        const mayAdd = version.agreed === 1;
        const how = { mayReplace: () => false, mayAdd, signal, progress: () => undefined };
        const sending = () => send(caller, place, image, expected, how);
        await here.once(() => caller.registry.transfers.sending(caller.username, sending, signal));
        await here.once(() => verify(caller, place, image, expected, sha256));
        empty.delete(piece.id);
        return null;
      };
      try {
        const change = { action: 'box-provider.update', id: providerId(place), paths: ['image'] } as const;
        if (made === 'created') await deliver();
        else await job.change(change, { operation: '', params: {} }, deliver);
      } catch (error) {
        const isReleased = error instanceof ReleasedSince;
        // If the image is finally refused, its provider is deleted: it is useless without an image.
        if ((isReleased || isAnswer(error, 400, 409, 413, 422)) && empty.delete(piece.id))
          await removeEmpty(place);
        if (isReleased) return releasedSince(version);
        throw error;
      }
      return { state: 'copied', detail: '', sha256 };
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
        await refuseOthers(version, found?.providers ?? []);
        // A revoked version is released first, because the registry revokes no other.
        await pieces.finish(version, { released: 1 });
        isOwn = await moved(at, 'release', read, () => pieces.finish(version, { released: 0 }));
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

  /** @throws ProblemError if the version has images of others, who drafted it here after the plan */
  async function refuseOthers({ id }: MoveVersionRow, found: readonly Provider[]): Promise<void> {
    const knows = await here.once(() => knowsArchitectures(caller));
    const others = imagesOfOthers(found, await pieces.ownOf(id), { knowsArchitectures: knows });
    if (others.length > 0)
      throw new ProblemError(
        'conflict',
        `This version has images here that the move didn't copy: ${others.map(providerLabel).join(', ')}. Release the version yourself if it is complete.`,
      );
  }

  /**
   * Releases or revokes a version.
   * @param notDone called if the move certainly didn't do it
   * @returns whether the move did it; false if someone else was faster
   */
  async function moved(
    at: VersionPlace,
    how: 'release' | 'revoke',
    read: () => Promise<string | null>,
    notDone?: () => Promise<void>,
  ): Promise<boolean> {
    /** The state after a failed attempt; before one, nothing was done. Undefined while it can't be read. */
    const after: { isDone: boolean | undefined } = { isDone: false };
    try {
      await job.change(
        { action: `box-version.${how}`, id: versionId(at), paths: [] },
        { operation: `boxVersions.${how}`, params: at },
        async () => {
          try {
            return (await here.once(() => moveVersion(caller, at, how))).revision;
          } catch (error) {
            after.isDone = undefined;
            after.isDone = (await read()) === (how === 'release' ? 'active' : 'revoked');
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

function placeOf({ version }: MoveVersionRow, { name_here }: MoveItemRow): VersionPlace {
  const [username = '', name = ''] = name_here.split('/');
  return { username, name, version };
}

function versionId({ username, name, version }: VersionPlace): string {
  return [username, name, version].join('/');
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
