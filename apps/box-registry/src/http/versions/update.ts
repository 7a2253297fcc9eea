import { sendJson } from '@gatehouse/service-kit/http';
import { Faults } from '../../domain/refusal.ts';
import { openVersion } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireVersion } from '../wire/box.ts';
import { readVersionFields } from './fields.ts';

/** PUT …/box/:username/:name/version/:version. Fields that are left out, or null, stay. */
export const updateVersion: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const faults = new Faults();
  const change = readVersionFields(req, faults);
  faults.refuseAny();
  const updated = await context.versions.update(version.id, change, context.clock.now());
  sendJson(res, 200, wireVersion(apiOf(context, req), box, updated));
};
