import { sendJson } from '@gatehouse/service-kit/http';
import type { Response } from 'express';
import { entityTag } from '../../domain/entity-tag.ts';
import type { Module, VersionSummary } from '../../domain/module.ts';
import { notFound } from '../../domain/refusal.ts';
import { findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { openLatest, openModule, openVersion } from '../request.ts';
import { modulePath, wireChoice, wireDetail } from '../wire.ts';

/** GET /v1/modules/:namespace/:name/:provider: its latest version. */
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

/** GET /v1/modules/:namespace/:name/:provider/versions: what clients match against their constraints. */
export const listVersions: Operation = (context, req, res) => {
  findCaller(context, req);
  const module = openModule(context, req);
  const latest = context.modules.latest(module.id);
  const versions = context.modules
    .versions(module.id)
    // What the latest one needs saves clients a request; of the others nobody asks.
    .map((version) =>
      wireChoice(version, version.id === latest?.id ? context.modules.needs(version.id) : undefined),
    );
  sendJson(res, 200, { modules: [{ source: modulePath(module), versions }] });
};

/** Answers with a version as detail, and the tag by which changes of it are guarded. */
export function sendDetail(
  context: Context,
  res: Response,
  status: number,
  module: Module,
  version: VersionSummary,
): void {
  sendJson(res, status, detailOf(context, module, version), { ETag: entityTag(module, version) });
}

/** A version as detail, as JSON text. @throws Refusal `not found` when it was deleted meanwhile */
export function detailOf(context: Context, module: Module, version: VersionSummary): string {
  const content = context.modules.content(version.id);
  if (content === undefined) throw notFound('The version has since been deleted');
  const { namespace, name } = module;
  // Most modules are for one provider, hardly any for more than a few.
  const providers = context.modules.list({ namespace, name }, 0, 100).map((one) => one.module.provider);
  return wireDetail(module, version, content, context.modules.versions(module.id), providers);
}
