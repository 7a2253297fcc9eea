/** Boxes and versions at the registry here, which a move creates when it has something for them. */
import { descriptionLimit, shortDescriptionLimit, type Box } from '@gatehouse/api-types/console/boxes';
import type { PartialChange } from '#ground/call.ts';
import type { MoveItemRow, MoveVersionRow } from '#store/schema.ts';
import {
  createBox,
  createVersion,
  readBox,
  readOwner,
  readVersion,
  type VersionPlace,
} from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { createOrganization } from '#upstreams/box-registry/management.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';
import type { BoxJob, PartWish } from '../job.ts';
import { privacyOf, privateHere } from '../rows/items.ts';
import { once } from './once.ts';

export function createRecords(job: BoxJob) {
  const { choice, here, registries } = job;
  const { caller } = registries;
  const owners = once<void>();
  const boxes = once<void>();
  const versions = once<void>();

  /**
   * Creates a missing record, and records that. If the registry refuses, the record may exist after all: an answer was
   * lost, or someone else was faster.
   * @returns the record; undefined if this call may not have created it
   */
  const create = async <Made extends { readonly revision: string }>(
    change: Pick<PartialChange, 'action' | 'id' | 'paths'>,
    wish: PartWish,
    work: () => Promise<Made>,
    read: () => Promise<unknown>,
  ): Promise<Made | undefined> => {
    try {
      return await written(change, wish, work);
    } catch (error) {
      if (!isAnswer(error, 409, 422) || (await here.once(read)) === null) throw error;
      return undefined;
    }
  };
  const written = async <Made extends { readonly revision: string }>(
    change: Pick<PartialChange, 'action' | 'id' | 'paths'>,
    wish: PartWish,
    work: () => Promise<Made>,
  ): Promise<Made> => {
    const made = Promise.withResolvers<Made>();
    await job.change(change, wish, async () => {
      const record = await here.once(work);
      made.resolve(record);
      return record.revision;
    });
    return made.promise;
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
  // Unknown privacy counts as private if a token is used now, even if the plan was made without one.
  const createsPrivate = (item: MoveItemRow): boolean =>
    choice.privacy === 'private' || Boolean(privacyOf(item.is_private) ?? job.usedToken);
  /** Whether the plan adds to a private box, or what it adds may be private. */
  const isForPrivate = (item: MoveItemRow): boolean => {
    if (item.is_here === privateHere) return true;
    if (item.is_here === 0) return createsPrivate(item);
    // A plan that was made with a token adds nothing of unknown privacy to a public box.
    return job.usedToken && privacyOf(item.is_private) === null;
  };
  /** The box; null if it isn't here. @throws ServiceError if it is public now, but `isForPrivate` */
  const boxHere = async (item: MoveItemRow): Promise<Box | null> => {
    const [username = '', name = ''] = item.name_here.split('/');
    const found = await here.once(() => readBox(caller, { username, name }));
    if (found?.is_private === false && isForPrivate(item))
      throw notSent(
        caller,
        `${item.name_here} is public here now, but what would be added may be private. Compare again to review the plan.`,
      );
    return found;
  };
  const makeBox = async (item: MoveItemRow): Promise<void> => {
    const [username = '', name = ''] = item.name_here.split('/');
    await ensureOwner(username);
    const fields = {
      name,
      short_description: item.short_description.slice(0, shortDescriptionLimit),
      description: item.description.slice(0, descriptionLimit),
      is_private: createsPrivate(item),
    };
    const paths = ['name', 'short_description', 'description', `is_private=${fields.is_private}`];
    await create(
      { action: 'box.create', id: item.name_here, paths },
      { operation: 'boxes.create', params: { username }, body: fields },
      () => createBox(caller, username, fields),
      () => boxHere(item),
    );
  };
  const ensureBox = async (item: MoveItemRow): Promise<void> => {
    // Checked for each image, because someone may make the box public at any time.
    if (isForPrivate(item) && (await boxHere(item)) !== null) return;
    await boxes(item.id, async () => {
      if ((await boxHere(item)) === null) await makeBox(item);
    });
  };
  const ensureVersion = async (version: MoveVersionRow, item: MoveItemRow): Promise<void> => {
    await ensureBox(item);
    await versions(version.id, async () => {
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
  };
  return { create, written, ensureBox, ensureVersion };
}

/** The error if someone else changed what the plan showed, so that nothing is written. */
export function notSent({ transport }: BoxesCaller, detail: string): ServiceError {
  const { environment, service } = transport;
  return new ServiceError('conflict', detail, { environment, service }, { delivery: 'not-sent' });
}

export function placeOf({ version }: MoveVersionRow, { name_here }: MoveItemRow): VersionPlace {
  const [username = '', name = ''] = name_here.split('/');
  return { username, name, version };
}

export function versionId({ username, name, version }: VersionPlace): string {
  return [username, name, version].join('/');
}
