import type { Operation } from '../../http/operation.ts';
import { findEntry } from './find-entry.ts';

export const getActivity: Operation<'getActivity'> = async (context, call) =>
  (await findEntry(context, call)).entry;
