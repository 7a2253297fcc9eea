import type { Target } from '@gatehouse/api-types/console/targets';
import { Card } from '@gatehouse/ui/card';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useConnection } from '#queries/session.ts';
import { workersNote } from '../may.ts';

// Parses filter expressions, which few targets have.
const WorkerMatches = lazy(async () => ({
  default: (await import('#components/filter/WorkerMatches.tsx')).WorkerMatches,
}));

/** The filters that select the workers for sessions on a target. */
export function WorkersCard({ target }: { target: Target }) {
  const filters = [
    { label: 'Egress filter', what: 'The workers that reach the target', text: target.egress_worker_filter },
    {
      label: 'Ingress filter',
      what: 'The workers that clients connect to',
      text: target.ingress_worker_filter,
    },
    { label: 'Worker filter', what: 'Legacy: for both egress and ingress', text: target.worker_filter },
  ].filter(({ text }) => text !== '');
  const isEmbedded = useConnection(useEnvironment().id, 'access')?.address === 'embedded';
  const note = workersNote(filters.length > 0, isEmbedded);
  return (
    <Card title="Workers">
      {note !== undefined && <p className="mb-3 text-body text-ink-2 last:mb-0">{note}</p>}
      <div className="flex flex-col gap-5">
        {filters.map(({ label, what, text }) => (
          <div key={label} className="flex flex-col gap-2">
            <div>
              <h3 className="text-body font-medium text-ink-1">{label}</h3>
              <p className="text-meta text-ink-2">{what}.</p>
            </div>
            <p className="group flex items-start gap-1">
              <code className="min-w-0 font-mono text-meta/5 wrap-anywhere text-ink-1">{text}</code>
              <span className="-my-1 flex">
                <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
              </span>
            </p>
            <Suspense fallback={null}>
              <WorkerMatches filter={text} label={label} />
            </Suspense>
          </div>
        ))}
      </div>
    </Card>
  );
}
