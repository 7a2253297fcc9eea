import * as z from 'zod/mini';
import { usePreference } from '#queries/preferences.ts';
import { worker, type Worker } from './workers.ts';

const noWorkers: readonly Worker[] = [];
const workers = z.readonly(z.array(worker));
const areWorkers = (stored: unknown): stored is readonly Worker[] => workers.safeParse(stored).success;

/**
 * The workers of an environment that this person entered, and the function that sets them. The controller's API has
 * none to list: they are remembered as a preference.
 */
export function useWorkers(environment: string): [readonly Worker[], (workers: readonly Worker[]) => void] {
  return usePreference(`workers.${environment}`, areWorkers, noWorkers);
}
