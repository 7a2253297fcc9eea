import type { Operation } from '#operation/operation.ts';
import { findEntry } from '#shared/console/find-entry.ts';

export const getActivity: Operation<'activity.get'> = async (context, call) =>
  (await findEntry(context, call)).entry;
