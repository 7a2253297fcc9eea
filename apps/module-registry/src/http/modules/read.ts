import { listText, sendParts } from '@gatehouse/service-kit/parts';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { Response } from 'express';
import { entityTag } from '../../domain/entity-tag.ts';
import type { Module, VersionSummary } from '../../domain/module.ts';
import { findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { openLatest, openModule, openVersion } from '../request.ts';
import { modulePath, wireChoice, wireDetail } from '../wire.ts';

/** GET /v1/modules/:namespace/:name/:provider: the latest version. */
export const readLatest: Operation = (context, req, res, slices) => {
  findCaller(context, req);
  const { module, version } = openLatest(context, req);
  return sendDetail(context, res, slices, module, version);
};

/** GET /v1/modules/:namespace/:name/:provider/:version. */
export const readVersion: Operation = (context, req, res, slices) => {
  findCaller(context, req);
  const { module, version } = openVersion(context, req);
  return sendDetail(context, res, slices, module, version);
};

/** GET /v1/modules/:namespace/:name/:provider/versions: the versions that clients match against their constraints. */
export const listVersions: Operation = (context, req, res, slices) => {
  findCaller(context, req);
  const { modules } = context;
  const module = openModule(context, req);
  const latest = modules.latest(module.id)?.id;
  const texts = modules
    .choices(module.id)
    // The needs of the latest version save clients a request; no client asks for those of other versions.
    .map((version) => [
      JSON.stringify(wireChoice(version, version.id === latest ? modules.needs(version.id) : undefined)),
    ]);
  const versions = listText({ source: modulePath(module) }, 'versions', texts);
  return sendParts(res, slices, listText({}, 'modules', [versions]));
};

/** Answers with a version's detail, and with the ETag that guards changes of it. */
export function sendDetail(
  context: Context,
  res: Response,
  slices: Slices,
  module: Module,
  version: VersionSummary,
  status?: number,
): Promise<void> {
  const headers = { ETag: entityTag(module, version) };
  return sendParts(res, slices, detailOf(context, module, version), headers, status);
}

/** The JSON text of a version's detail, in parts. @throws Refusal `not found` if it has been deleted since */
export function* detailOf({ modules }: Context, module: Module, version: VersionSummary): Generator<string> {
  const head = (): string => {
    const problems = modules.problems(version.id);
    const numbers = modules.numbers(module.id);
    return JSON.stringify(wireDetail(module, version, problems, numbers, modules.providers(module)));
  };
  yield `${head().slice(0, -1)},`;
  yield* modules.folderMembers(version.id);
}
