import { gather, sendParts } from '@gatehouse/service-kit/parts';
import type { Request } from 'express';
import type { Box, BoxChange, Version, VersionStatus } from '../../domain/box.ts';
import { boxNameFault, maxDescription, maxName, maxShortDescription } from '../../domain/names.ts';
import type { NamespaceAction } from '../../domain/permissions.ts';
import { Faults, forbidden, notFound, unprocessable } from '../../domain/refusal.ts';
import { findNamespace, reuseBy, requirePublish, openBox, stillReadable, whileAllowed } from '../access.ts';
import { FieldReader, readGroup } from '../body.ts';
import { callerOf } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { removeImages } from '../uploads/uploads.ts';
import { apiOf } from '../wire/api.ts';
import { boxText } from '../wire/box.ts';

/** The version statuses that the caller may see: unreleased versions require the right to read private boxes. */
export function visibleStatuses(actions: readonly NamespaceAction[]): readonly VersionStatus[] {
  return actions.includes('read') ? ['active', 'revoked', 'unreleased'] : ['active', 'revoked'];
}

/** The JSON text of a box, in parts, as the caller sees it. */
export function* visibleText(
  context: Context,
  req: Request,
  box: Box,
  actions: readonly NamespaceAction[],
): Generator<string> {
  const current = context.versions.currentOf(box.id, true);
  const all = context.versions.ofBox(box.id, visibleStatuses(actions), true);
  yield* boxText(apiOf(context, req), box, current, whileReadable(context, req, box, actions, all));
}

/** Passes on the versions of a box while the caller may see them. @param actions those that let the caller see them */
export function whileReadable(
  context: Context,
  req: Request,
  { id, namespaceId }: Box,
  actions: readonly NamespaceAction[],
  versions: Generator<Version>,
): Generator<Version> {
  const judge = stillReadable(context, req, namespaceId, actions);
  const judgeBox = (): void => {
    judge();
    if (!actions.includes('read') && context.boxes.isPrivate(id) !== false) throw notFound();
  };
  return whileAllowed(judgeBox, versions);
}

const known = ['username', 'name', 'short_description', 'description', 'is_private'];

/** The fields of a box; a missing or null field is undefined. */
export interface BoxFields extends BoxChange {
  readonly username?: string;
}

/** Reads the fields of a request about a box, grouped or not. @throws Refusal `unprocessable` if there are none */
export function readBoxFields(req: Request, faults: Faults): BoxFields {
  const fields = new FieldReader(readGroup(req, 'box', known), faults);
  const username = fields.text('username', maxName);
  const name = fields.text('name', maxName);
  const shortDescription = fields.text('short_description', maxShortDescription);
  const description = fields.text('description', maxDescription);
  const isPrivate = fields.boolean('is_private');
  const nameFault = name === undefined ? undefined : boxNameFault(name);
  if (nameFault !== undefined) faults.add(nameFault);
  return {
    ...(username !== undefined && { username }),
    ...(name !== undefined && { name }),
    ...(shortDescription !== undefined && { shortDescription }),
    ...(description !== undefined && { description }),
    ...(isPrivate !== undefined && { isPrivate }),
  };
}

/** POST …/boxes: creates a box in the named namespace, by default the caller's own. */
export const createBox: Operation = async (context, req, res, slices) => {
  const caller = callerOf(context, req);
  // Checked before the body, which names the namespace: read-only users can't publish in any.
  if (caller.role === 'read-only') throw forbidden('You may not create boxes');
  const faults = new Faults();
  const fields = readBoxFields(req, faults);
  const named = fields.username === undefined || fields.username === '' ? undefined : fields.username;
  const namespace =
    named === undefined
      ? (context.namespaces.ofAccount(caller.account.id) ?? findNamespace(context, caller.account.loginName))
      : findNamespace(context, named);
  if (namespace === undefined) throw notFound();
  const actions = requirePublish(context, req, namespace);
  faults.refuseAny();
  if (fields.name === undefined) throw unprocessable("Name can't be blank");
  const now = context.clock.now();
  const { id: namespaceId } =
    namespace.accountId === undefined || namespace.id !== undefined
      ? { id: namespace.id ?? '' }
      : await context.namespaces.ensurePerson(
          namespace.accountId,
          namespace.name,
          now,
          reuseBy(context, caller),
        );
  const box = await context.boxes.create(
    {
      namespaceId,
      name: fields.name,
      shortDescription: fields.shortDescription ?? '',
      description: fields.description ?? '',
      isPrivate: fields.isPrivate ?? true,
    },
    now,
  );
  await sendParts(res, slices, visibleText(context, req, box, actions));
};

/** DELETE …/box/:username/:name: deletes a box with its versions, providers and images. Returns the former box. */
export const deleteBox: Operation = async (context, req, res, slices) => {
  const { box, actions } = openBox(context, req, 'publish');
  const parts = await gather(slices, visibleText(context, req, box, actions));
  await removeImages(context, await context.boxes.remove(box.id));
  await sendParts(res, slices, parts);
};

/** GET …/box/:username/:name. */
export const readBox: Operation = (context, req, res, slices) => {
  const { box, actions } = openBox(context, req);
  return sendParts(res, slices, visibleText(context, req, box, actions));
};

/** PUT …/box/:username/:name. Missing and null fields keep their values. */
export const updateBox: Operation = async (context, req, res, slices) => {
  const { box, actions } = openBox(context, req, 'publish');
  const faults = new Faults();
  const { username, ...change } = readBoxFields(req, faults);
  if (username !== undefined && username.toLowerCase() !== box.username.toLowerCase())
    faults.add('Username cannot be changed');
  faults.refuseAny();
  const updated = await context.boxes.update(box.id, change, context.clock.now());
  await sendParts(res, slices, visibleText(context, req, updated, actions));
};
