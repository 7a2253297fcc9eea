import type { ServiceName } from '@gatehouse/api-types/console/service';
import { Button } from '@gatehouse/ui/button';
import { Icon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { Spinner } from '@gatehouse/ui/spinner';
import { useRouterState } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CirclePause } from 'lucide-react';
import { Suspense, useState } from 'react';
import { putAwayTask, useTasks } from '#lib/tasks.ts';
import { useSendings } from '#lib/uploads/sending.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { moveTrayItem, trayStateOf } from '../moves/tray-words.ts';
import { useMovesInTray } from '../moves/use-moves-in-tray.ts';
import { moveHref } from '../places/moves.ts';
import { runHref } from '../publish/run-href.ts';
import { byRun, transferItem, type Transfer } from '../publish/tray-words.ts';
import { useTransfers } from '../publish/use-transfers.ts';
import { foremost, taskItem, type TrayItem, type TrayLook } from './tray-items.ts';

const TaskDrawer = lazy(async () => ({ default: (await import('./TaskDrawer.tsx')).TaskDrawer }));

/**
 * Shown at the bottom of every screen while tasks run in this page or in the console: their progress, with
 * all details on demand.
 */
export function TaskTray({ environment }: { environment: string }) {
  const { services } = useEnvironment();
  const has = (name: ServiceName): boolean => services.some(({ service }) => service === name);
  const tasks = useTasks();
  const sendings = useSendings();
  // Navigation closes it.
  const [openAt, setOpenAt] = useState<string>();
  const [putAway, setPutAway] = useState<ReadonlySet<string>>(new Set());
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const href = useRouterState({ select: ({ location }) => location.href });
  const isOpen = openAt === href;
  const setOpen = (opens: boolean): void => {
    setOpenAt(opens ? href : undefined);
  };
  const transfers = useTransfers(environment, has('boxes')).filter(
    (transfer) => !putAway.has(stateOf(transfer)),
  );
  const runs = byRun(transfers).map((run) => ({
    item: transferItem(run, sendings),
    // The run's page shows all of it.
    isOnPage: path === runHref(environment, run[0].run.id),
  }));
  const moves = useMovesInTray(environment, has('boxes') || has('modules')).filter(
    (move) => !putAway.has(trayStateOf(move)),
  );
  const ofMoves = moves.map((move) => ({
    item: moveTrayItem(move),
    isOnPage: path === moveHref(environment, move.kind, move.id),
  }));
  const ofTasks = tasks.map(taskItem);
  const kept = [...runs, ...ofMoves];
  const all = [...ofTasks, ...kept.map(({ item }) => item)];
  const shown = [...ofTasks, ...kept.flatMap(({ item, isOnPage }) => (isOnPage ? [] : [item]))];
  const first = foremost(shown);
  const isIdle = shown.every(({ look }) => look !== 'busy');
  return (
    <>
      <span role="status" className="sr-only">
        {all.map(({ title, spoken }) => `${title}: ${spoken}`).join('. ')}
      </span>
      {first !== undefined && (
        <section
          aria-label="Tasks"
          className="flex min-h-10 shrink-0 items-center gap-3 border-t border-line bg-surface px-4 py-1"
        >
          <Mark look={first.look} />
          <span className="line-clamp-2 min-w-0 flex-1 text-body text-ink-1 tabular-nums wrap-anywhere wide:line-clamp-1">
            {first.title}
            <span className="text-ink-2">: {first.text}</span>
            {shown.length > 1 && <span className="text-ink-3"> and {shown.length - 1} more</span>}
          </span>
          <Button
            size={28}
            aria-haspopup="dialog"
            onPress={() => {
              setOpen(true);
            }}
          >
            {showLabel(first)}
          </Button>
          {isIdle && (
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                for (const { id } of tasks) putAwayTask(id);
                setPutAway(
                  (before) => new Set([...before, ...transfers.map(stateOf), ...moves.map(trayStateOf)]),
                );
              }}
            >
              Dismiss
            </Button>
          )}
        </section>
      )}
      {(isOpen || first !== undefined) && (
        <Suspense fallback={null}>
          <TaskDrawer
            isOpen={isOpen}
            onOpenChange={setOpen}
            tasks={tasks}
            transfers={transfers}
            environment={environment}
            moves={moves}
          />
        </Suspense>
      )}
    </>
  );
}

function showLabel({ key }: TrayItem): string {
  if (key.startsWith('run-')) return 'Show uploads';
  return key.startsWith('move-') ? 'Show moves' : 'Show steps';
}

/** The state that a dismissal applies to: a dismissed transfer reappears with the next one. */
function stateOf({ upload }: Transfer): string {
  return `${upload.id} ${upload.state} ${String(upload.attempts)}`;
}

function Mark({ look }: { look: TrayLook }) {
  switch (look) {
    case 'busy':
      return <Spinner label="In progress" />;
    case 'waiting':
      return <Icon icon={CirclePause} className="text-warn" />;
    case 'failed':
      return <Icon icon={CircleAlert} className="text-danger" />;
    case 'done':
      return <Icon icon={CircleCheck} className="text-ok" />;
  }
}
