import { sendJson } from '@gatehouse/service-kit/http';
import { Faults, unprocessable } from '../../domain/refusal.ts';
import { openBox } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';
import { readVersionFields } from './fields.ts';

/** POST …/box/:username/:name/versions: unreleased at first. */
export const createVersion: Operation = async (context, req, res) => {
  const { box } = openBox(context, req, 'publish');
  const faults = new Faults();
  const { version = '', description = '' } = readVersionFields(req, faults);
  faults.refuseAny();
  if (version === '') throw unprocessable("Version can't be blank");
  const created = await context.versions.create(box.id, { version, description }, context.clock.now());
  sendJson(res, 200, wireVersion(apiOf(context, req), box, created));
};
