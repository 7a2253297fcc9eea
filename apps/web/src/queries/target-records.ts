/** Targets as records: reading and writing one. Their lists are in `access.ts`. */
import {
  createTarget,
  deleteTarget,
  getTarget,
  updateTarget,
  type NewTarget,
  type Target,
  type TargetChanges,
} from '@gatehouse/api-types/console/targets';
import { call } from '#lib/api.ts';
import { forgetTargets, keepTarget } from './access.ts';
import type { LifeCalls } from './records.ts';

export const targets: LifeCalls<Target, NewTarget, TargetChanges> = {
  key: 'targets',
  touches: [],
  cache: {
    keep: keepTarget,
    forget: (queryClient, environment, id) => {
      forgetTargets(queryClient, environment, [id]);
    },
  },
  get: (environment, id, context) => call(getTarget, { params: { environment, id }, ...context }),
  create: (environment, body) => call(createTarget, { params: { environment }, body }),
  update: (environment, id, revision, body) =>
    call(updateTarget, { params: { environment, id }, revision, body }),
  remove: async (environment, id, revision) => {
    await call(deleteTarget, { params: { environment, id }, revision });
  },
};
