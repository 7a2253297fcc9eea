/** The input of worker filters, which suggests the known workers' tags and lists the workers that match. */
import { lazy } from '@gatehouse/ui/lazy';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useWorkers } from '#components/filter/use-workers.ts';
import { workerFilterFields } from '#components/filter/workers.ts';
import type { FilterFieldInput } from '#components/form/record-form.ts';

const WorkerMatches = lazy(async () => ({
  default: (await import('#components/filter/WorkerMatches.tsx')).WorkerMatches,
}));

export const workerFilter: FilterFieldInput = {
  kind: 'filter',
  useFields: () => {
    const [workers] = useWorkers(useEnvironment().id);
    return workerFilterFields(workers);
  },
  Below: WorkerMatches,
};
