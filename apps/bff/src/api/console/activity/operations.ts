import { resource, type WhatBecame } from '#operation/operation.ts';
import { exportActivity } from './export-activity.ts';
import { getActivity } from './get-activity.ts';
import { listActivity } from './list-activity.ts';
import { settleActivity } from './settle-activity.ts';
import { verifyActivity } from './verify-activity.ts';

/** @param becameOf as `settleActivity` */
export const activityOperations = (becameOf: (operation: string) => WhatBecame | undefined) =>
  resource(
    { service: '' },
    {
      'activity.list': listActivity,
      'activity.get': getActivity,
      'activity.verify': verifyActivity,
      'activity.export': exportActivity,
      'activity.settle': settleActivity(becameOf),
    },
  );
