import { Refusal } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';

/** Sessions, and the sources of hosts and credentials, which this version of the service does not have. */
export const unavailableOnTargets: Operation = (context, req) => {
  requireCaller(context, req);
  throw new Refusal(
    'unimplemented',
    'This version of the service has no sessions, host sources or credential sources.',
  );
};
