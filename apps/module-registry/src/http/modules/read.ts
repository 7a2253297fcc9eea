import { sendJson } from '@gatehouse/service-kit/http';
import type { Response } from 'express';
import { entityTag } from '../../domain/entity-tag.ts';
import type { Module, VersionSummary } from '../../domain/module.ts';
import { notFound } from '../../domain/refusal.ts';
import { findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { openLatest, openModule, openVersion } from '../request.ts';
import { modulePath, wireChoice, wireDetail } from '../wire.ts';

/** GET /v1/modules/:namespace/:name/:provider: the latest version. */
export const readLatest: Operation = (context, req, res) => {
  findCaller(context, req);
  const { module, version } = openLatest(context, req);
  sendDetail(context, res, 200, module, version);
};

/** GET /v1/modules/:namespace/:name/:provider/:version. */
export const readVersion: Operation = (context, req, res) => {
  findCaller(context, req);
  const { module, version } = openVersion(context, req);
  sendDetail(context, res, 200, module, version);
};

/** GET /v1/modules/:namespace/:name/:provider/versions: the versions that clients match against their constraints. */
export const listVersions: Operation = (context, req, res) => {
  findCaller(context, req);
  const module = openModule(context, req);
  const latest = context.modules.latest(module.id);
  const versions = context.modules
    .versions(module.id)
    // The needs of the latest version save clients a request; no client asks for those of other versions.
    .map((version) =>
      wireChoice(version, version.id === latest?.id ? context.modules.needs(version.id) : undefined),
    );
  sendJson(res, 200, { modules: [{ source: modulePath(module), versions }] });
};

/** Answers with a version's detail, and with the ETag that guards changes of it. */
export function sendDetail(
  context: Context,
  res: Response,
  status: number,
  module: Module,
  version: VersionSummary,
): void {
  sendJson(res, status, detailOf(context, module, version), { ETag: entityTag(module, version) });
}

/** The JSON text of a version's detail. @throws Refusal `not found` if it has been deleted since */
export function detailOf(context: Context, module: Module, version: VersionSummary): string {
  const content = context.modules.content(version.id);
  if (content === undefined) throw notFound('The version has since been deleted');
  const { namespace, name } = module;
  // Modules of one name have one provider, or a few at most.
  const providers = context.modules.list({ namespace, name }, 0, 100).map((one) => one.module.provider);
  return wireDetail(module, version, content, context.modules.versions(module.id), providers);
}
