import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { sendParts } from '@gatehouse/service-kit/parts';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Request, Response } from 'express';
import { seenOf } from '../../domain/entity-tag.ts';
import type { Seen } from '../../domain/entity-tag.ts';
import { Refusal } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { openModule, openVersion, readObject, textMember } from '../request.ts';
import { removeArchive } from './publish.ts';
import { detailOf, sendDetail } from './read.ts';

const maxMessage = 1000;
const maxReplacement = 500;

/** PUT …/:version/deprecation: deprecates or revokes a version, or changes its warning. */
export const deprecateVersion: Operation = async (context, req, res, slices) => {
  requireCaller(context, req, 'publish');
  const { module, version } = openVersion(context, req);
  const body = readObject(req);
  const { state } = body;
  if (state !== 'deprecated' && state !== 'revoked')
    throw new Refusal('malformed', 'state must be deprecated or revoked');
  const message = textMember(body, 'message', maxMessage).trim();
  if (message === '') throw new Refusal('malformed', 'message must say why');
  const replacement = textMember(body, 'replacement', maxReplacement).trim();
  const deprecation = { state, message, replacement, date: context.clock.now() } as const;
  await unlessChanged(context, req, res, slices, async (seen) => {
    await context.modules.deprecate(version.id, deprecation, seen);
    await sendDetail(context, res, slices, module, { ...version, deprecation });
  });
};

/** DELETE …/:version/deprecation: makes the version usable again. */
export const restoreVersion: Operation = async (context, req, res, slices) => {
  requireCaller(context, req, 'publish');
  const { module, version } = openVersion(context, req);
  await unlessChanged(context, req, res, slices, async (seen) => {
    await context.modules.deprecate(version.id, null, seen);
    await sendDetail(context, res, slices, module, { ...version, deprecation: null });
  });
};

/** PUT …/:provider/verified: sets whether an administrator vouches for the module. */
export const verifyModule: Operation = async (context, req, res, slices) => {
  requireCaller(context, req, 'administer');
  const module = openModule(context, req);
  const { verified } = readObject(req);
  if (typeof verified !== 'boolean') throw new Refusal('malformed', 'verified must be true or false');
  await unlessChanged(
    context,
    req,
    res,
    slices,
    async (seen) => {
      await context.modules.verify(module.id, verified, seen);
      sendJson(res, 200, { verified });
    },
    () => [JSON.stringify({ verified: openModule(context, req).verified })],
  );
};

/** DELETE …/:version: deletes a version with its archive. Its number can't be used again. */
export const deleteVersion: Operation = async (context, req, res, slices) => {
  requireCaller(context, req, 'administer');
  const { version } = openVersion(context, req);
  await unlessChanged(context, req, res, slices, async (seen) => {
    await removeArchive(context, await context.modules.remove(version.id, context.clock.now(), seen));
    sendEmpty(res);
  });
};

/**
 * Runs a change. If the record no longer has the state that the client saw (`If-Match`), answers 412 with the present
 * record.
 * @param change gets the state that the client saw
 * @param present the JSON text of the present record, in parts; by default the version's detail
 */
async function unlessChanged(
  context: Context,
  req: Request,
  res: Response,
  slices: Slices,
  change: (seen: Seen | undefined) => Promise<void>,
  present = (): Iterable<string> => {
    const { module, version } = openVersion(context, req);
    return detailOf(context, module, version);
  },
): Promise<void> {
  try {
    await change(seenOf(req.headers['if-match']));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'changed') throw error;
    const start = `{"errors":${JSON.stringify(error.errors)},"present":`;
    const parts = function* (): Generator<string> {
      yield start;
      yield* present();
      yield '}';
    };
    await sendParts(res, slices, parts(), {}, 412);
  }
}
