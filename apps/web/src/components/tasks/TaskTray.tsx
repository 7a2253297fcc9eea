import { Button } from '@gatehouse/ui/button';
import { Drawer } from '@gatehouse/ui/drawer';
import { Icon } from '@gatehouse/ui/icon';
import { Spinner } from '@gatehouse/ui/spinner';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { putAwayTask, useTasks, type Task } from '../../lib/tasks.ts';
import { TaskPanel } from './TaskPanel.tsx';

/** At the foot of every screen while there is long work: how far it is, and on demand all of it. */
export function TaskTray() {
  const tasks = useTasks();
  const [isOpen, setOpen] = useState(false);
  const running = tasks.filter(({ end }) => end === undefined);
  const [newest] = running.length > 0 ? running : tasks;
  if (newest === undefined) return null;
  return (
    <>
      <section
        aria-label="Tasks"
        className="flex min-h-10 shrink-0 items-center gap-3 border-t border-line bg-surface px-4 py-1"
      >
        <Mark task={newest} />
        <span role="status" className="min-w-0 flex-1 truncate text-body text-ink-1">
          {newest.title}
          <span className="text-ink-2">: {stateInWords(newest)}</span>
          {tasks.length > 1 && <span className="text-ink-3"> and {tasks.length - 1} more</span>}
        </span>
        <Button
          size={28}
          aria-haspopup="dialog"
          onPress={() => {
            setOpen(true);
          }}
        >
          Show steps
        </Button>
        {running.length === 0 && (
          <Button
            size={28}
            variant="ghost"
            onPress={() => {
              for (const { id } of tasks) putAwayTask(id);
            }}
          >
            Put away
          </Button>
        )}
      </section>
      <Drawer isOpen={isOpen} onOpenChange={setOpen} size="large" title="Tasks">
        <div className="flex flex-col gap-6">
          {tasks.map((task) => (
            <TaskPanel
              key={task.id}
              task={task}
              onPutAway={() => {
                if (tasks.length === 1) setOpen(false);
              }}
            />
          ))}
        </div>
      </Drawer>
    </>
  );
}

function Mark({ task: { end } }: { task: Task }) {
  if (end === undefined) return <Spinner label="Under way" />;
  return end.outcome === 'done' ? (
    <Icon icon={CircleCheck} className="text-ok" />
  ) : (
    <Icon icon={CircleAlert} className="text-danger" />
  );
}

function stateInWords({ end, done, total, unit, isStopping }: Task): string {
  if (end !== undefined) {
    const words = {
      done: 'done',
      undone: 'taken back',
      partly: 'done in part',
      failed: 'not done',
      stopped: 'stopped',
    };
    return words[end.outcome];
  }
  if (isStopping) return 'stopping';
  return total === undefined
    ? 'under way'
    : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
}
