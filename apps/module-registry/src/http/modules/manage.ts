import { sendEmpty, sendJson } from '@gatehouse/service-kit/http';
import { Refusal } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { openModule, openVersion, readObject, textMember } from '../request.ts';
import { removeArchive } from './publish.ts';
import { detailOf } from './read.ts';

const maxMessage = 1000;
const maxReplacement = 500;

/** PUT …/:version/deprecation: deprecates or revokes a version, or changes what is said of it. */
export const deprecateVersion: Operation = async (context, req, res) => {
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
  await context.modules.deprecate(version.id, deprecation);
  sendJson(res, 200, detailOf(context, module, { ...version, deprecation }));
};

/** DELETE …/:version/deprecation: the version may be used again. */
export const restoreVersion: Operation = async (context, req, res) => {
  requireCaller(context, req, 'publish');
  const { module, version } = openVersion(context, req);
  await context.modules.deprecate(version.id, null);
  sendJson(res, 200, detailOf(context, module, { ...version, deprecation: null }));
};

/** PUT …/:provider/verified: whether an administrator vouches for the module. */
export const verifyModule: Operation = async (context, req, res) => {
  requireCaller(context, req, 'administer');
  const module = openModule(context, req);
  const { verified } = readObject(req);
  if (typeof verified !== 'boolean') throw new Refusal('malformed', 'verified must be true or false');
  await context.modules.verify(module.id, verified);
  sendJson(res, 200, { verified });
};

/** DELETE …/:version: with its archive. Its number is not given out again. */
export const deleteVersion: Operation = async (context, req, res) => {
  requireCaller(context, req, 'administer');
  const { version } = openVersion(context, req);
  await removeArchive(context, await context.modules.remove(version.id, context.clock.now()));
  sendEmpty(res);
};
