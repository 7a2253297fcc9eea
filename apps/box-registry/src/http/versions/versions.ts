import { sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import { maxDescription } from '../../domain/names.ts';
import { Faults, unprocessable } from '../../domain/refusal.ts';
import { isVersionNumber, maxVersionNumber } from '../../domain/version-number.ts';
import { openBox, openVersion } from '../access.ts';
import { FieldReader, readGroup } from '../body.ts';
import type { Operation } from '../context.ts';
import { removeImages } from '../uploads/uploads.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';

/** The fields of a version; a missing or null field is undefined. */
export interface VersionFields {
  readonly version?: string;
  readonly description?: string;
}

/** Reads the fields of a request about a version, grouped or not. @throws Refusal `unprocessable` if there are none */
export function readVersionFields(req: Request, faults: Faults): VersionFields {
  const fields = new FieldReader(readGroup(req, 'version', ['version', 'description']), faults);
  const version = fields.text('version', maxVersionNumber);
  const description = fields.text('description', maxDescription);
  if (version !== undefined && !isVersionNumber(version))
    faults.add('Version is not a version number such as 1.2.0, 1.2.0-beta.1 or 20261120.0');
  return { ...(version !== undefined && { version }), ...(description !== undefined && { description }) };
}

/** POST …/box/:username/:name/versions: creates an unreleased version. */
export const createVersion: Operation = async (context, req, res) => {
  const { box } = openBox(context, req, 'publish');
  const faults = new Faults();
  const { version = '', description = '' } = readVersionFields(req, faults);
  faults.refuseAny();
  if (version === '') throw unprocessable("Version can't be blank");
  const created = await context.versions.create(box.id, { version, description }, context.clock.now());
  sendJson(res, 200, wireVersion(apiOf(context, req), box, created));
};

/** DELETE …/box/:username/:name/version/:version: deletes a version with its images. Returns the former version. */
export const deleteVersion: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  await removeImages(context, await context.versions.remove(version.id));
  sendJson(res, 200, wireVersion(apiOf(context, req), box, version));
};

/** PUT …/box/:username/:name/version/:version/release and …/revoke. */
export function moveVersion(move: 'release' | 'revoke'): Operation {
  return async (context, req, res) => {
    const { box, version } = openVersion(context, req, 'publish');
    const moved = await context.versions[move](version.id, context.clock.now());
    sendJson(res, 200, wireVersion(apiOf(context, req), box, moved));
  };
}

/** GET …/box/:username/:name/version/:version. */
export const readVersion: Operation = (context, req, res) => {
  const { box, version } = openVersion(context, req);
  sendJson(res, 200, wireVersion(apiOf(context, req), box, version));
};

/** PUT …/box/:username/:name/version/:version. Missing and null fields keep their values. */
export const updateVersion: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const faults = new Faults();
  const change = readVersionFields(req, faults);
  faults.refuseAny();
  const updated = await context.versions.update(version.id, change, context.clock.now());
  sendJson(res, 200, wireVersion(apiOf(context, req), box, updated));
};
