import * as z from 'zod/mini';
import { usePreference } from '#queries/preferences.ts';
import { worker, type Worker } from './workers.ts';

const noWorkers: readonly Worker[] = [];
const workers = z.readonly(z.array(worker));
const areWorkers = (stored: unknown): stored is readonly Worker[] => workers.safeParse(stored).success;

/**
 * The workers that the user entered for an environment, and their setter. Stored as a preference, because the
 * controller's API can't list workers.
 */
export function useWorkers(environment: string): [readonly Worker[], (workers: readonly Worker[]) => void] {
  return usePreference(`workers.${environment}`, areWorkers, noWorkers);
}
