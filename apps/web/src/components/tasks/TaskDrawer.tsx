import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { MoveSummary } from '@gatehouse/api-types/console/moves';
import { Drawer } from '@gatehouse/ui/drawer';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Task } from '#lib/tasks.ts';
import { runQuery } from '#queries/publish.ts';
import { MovePanel } from '../moves/MovePanel.tsx';
import { nextStep, stepLabels, titleOfRun } from '../publish/publish-steps.ts';
import { runHref } from '../publish/run-href.ts';
import { RunLog } from '../publish/RunLog.tsx';
import { TransferCard } from '../publish/TransferCard.tsx';
import { byRun, type Transfer } from '../publish/tray-words.ts';
import { TaskPanel } from './TaskPanel.tsx';

/** All tasks, with their progress and actions. */
export function TaskDrawer({
  isOpen,
  onOpenChange,
  tasks,
  transfers,
  environment,
  moves,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  tasks: readonly Task[];
  transfers: readonly Transfer[];
  environment: string;
  moves: readonly MoveSummary[];
}) {
  const others = transfers.length + moves.length;
  return (
    <Drawer isOpen={isOpen} onOpenChange={onOpenChange} size="large" title="Tasks">
      <div className="flex flex-col gap-8">
        {tasks.map((task) => (
          <TaskPanel
            key={task.id}
            task={task}
            onPutAway={() => {
              if (tasks.length === 1 && others === 0) onOpenChange(false);
            }}
          />
        ))}
        {byRun(transfers).map((ofRun) => (
          <RunTransfers key={ofRun[0].run.id} transfers={ofRun} />
        ))}
        {moves.map((move) => (
          <MovePanel key={move.id} environment={environment} move={move} />
        ))}
        {tasks.length === 0 && others === 0 && <p className="text-body text-ink-2">No tasks are running.</p>}
      </div>
    </Drawer>
  );
}

function RunTransfers({ transfers }: { transfers: readonly [Transfer, ...Transfer[]] }) {
  const [{ run }] = transfers;
  // The log is read again whenever the run has changed.
  const changed = transfers.map(({ upload }) => `${upload.state} ${String(upload.attempts)}`).join(' ');
  const { data, refetch } = useQuery(runQuery(run.environment, run.id));
  useEffect(() => {
    void refetch();
  }, [changed, refetch]);
  const title = titleOfRun(run);
  const next = nextStep(run);
  return (
    <section aria-label={`Publish ${title}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex items-center gap-3">
        <h2 className="min-w-0 flex-1 text-heading font-semibold text-ink-1 wrap-anywhere">
          Publish {title}
        </h2>
        <LinkButton size={28} href={runHref(run.environment, run.id, next)}>
          Continue<span className="sr-only"> with {title}</span>: {stepLabels[next]}
        </LinkButton>
      </div>
      {transfers.map(({ provider }) => (
        <TransferCard key={provider.id} run={run} provider={provider} title={providerLabel(provider)} />
      ))}
      {data !== undefined && data.log.length > 0 && <RunLog log={data.log} />}
    </section>
  );
}
