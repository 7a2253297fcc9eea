import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Icon } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import type { Tone } from '@gatehouse/ui/tone';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { putAwayTask, stopTask, type Task, type TaskOutcome, type TaskStep } from '#lib/tasks.ts';

const ends: Readonly<Record<TaskOutcome, { tone: Tone; title: string }>> = {
  done: { tone: 'ok', title: 'Done' },
  undone: { tone: 'warn', title: 'Rolled back: a step failed, so all changes were undone' },
  partly: { tone: 'danger', title: 'Partly done' },
  failed: { tone: 'danger', title: 'Failed' },
  unknown: { tone: 'danger', title: 'Outcome unknown: it may have begun' },
  stopped: { tone: 'warn', title: 'Stopped' },
};

const stepLooks = {
  done: { icon: CircleCheck, tone: 'text-ok', word: 'Done' },
  failed: { icon: CircleX, tone: 'text-danger', word: 'Failed' },
  skipped: { icon: CircleMinus, tone: 'text-ink-3', word: 'Skipped' },
} as const;

/** A task: its progress, the outcome of each step, and its end. */
export function TaskPanel({
  task,
  takesFocus = false,
  onPutAway,
}: {
  task: Task;
  /** Whether it replaced the control that started it. */
  takesFocus?: boolean;
  onPutAway?: () => void;
}) {
  const { title, steps, earlierSteps, done, total, unit, end, isStopping, href } = task;
  const list = useRef<HTMLOListElement>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  const count = steps.length + earlierSteps;
  useEffect(() => {
    // Keeps the last step visible unless the user has scrolled up.
    const log = list.current;
    if (log && log.scrollHeight - log.scrollTop - log.clientHeight < 80) log.scrollTop = log.scrollHeight;
  }, [count]);
  return (
    <section ref={box} tabIndex={-1} aria-label={title} className="flex min-w-0 flex-col gap-3 outline-none">
      <h2 className="text-body font-semibold text-ink-1 wrap-anywhere">{title}</h2>
      {end === undefined ? (
        <div className="flex items-end gap-3">
          <ProgressBar
            label={isStopping ? 'Stopping' : 'In progress'}
            {...(total !== undefined && {
              value: total === 0 ? 1 : done / total,
              valueLabel: `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`,
            })}
          />
          <Button
            size={28}
            disabledReason={isStopping ? 'Stopping.' : undefined}
            onPress={() => {
              stopTask(task.id);
            }}
          >
            Stop
          </Button>
        </div>
      ) : (
        <Banner
          tone={ends[end.outcome].tone}
          title={ends[end.outcome].title}
          actions={
            <>
              {['done', 'partly', 'unknown'].includes(end.outcome) && <Link href={href}>Open</Link>}
              <Button
                size={28}
                variant="ghost"
                onPress={() => {
                  putAwayTask(task.id);
                  onPutAway?.();
                }}
              >
                Dismiss
              </Button>
            </>
          }
        >
          {end.summary}
          {end.requestId !== undefined && (
            <>
              {' '}
              <span className="font-mono text-meta">Request {end.requestId}</span>
            </>
          )}
        </Banner>
      )}
      {steps.length > 0 && (
        <ol
          ref={list}
          tabIndex={0}
          aria-label={`Steps of ${title}`}
          className="max-h-80 overflow-y-auto rounded-control border border-line bg-surface"
        >
          {earlierSteps > 0 && (
            <li className="border-b border-line px-3 py-1 text-meta text-ink-3">
              {earlierSteps.toLocaleString('en')} earlier steps
            </li>
          )}
          {steps.map((step, index) => (
            <Step key={earlierSteps + index} step={step} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({ step: { text, state, detail } }: { step: TaskStep }) {
  const { icon, tone, word } = stepLooks[state];
  return (
    <li className="flex items-start gap-2 border-b border-line px-3 py-1 text-meta last:border-b-0">
      <Icon icon={icon} size={14} className={`mt-px ${tone}`} />
      <span className="min-w-0 text-ink-1 wrap-anywhere">
        {state !== 'done' && <span className={tone}>{word}: </span>}
        {text}
        {detail !== undefined && <span className="block text-ink-2">{detail}</span>}
      </span>
    </li>
  );
}
