import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { Commands } from './Commands.tsx';
import type { Said, Step } from './step.ts';
import { StepAction, type StepContext } from './StepAction.tsx';

const badges = {
  done: { tone: 'ok', word: 'Done' },
  ready: { tone: 'info', word: 'Next' },
  blocked: { tone: 'neutral', word: 'Pending' },
} as const;

/** The steps of a change. Only the next one can be run; the others can be read, and all can be printed. */
export function StepList({ steps, ...rest }: StepContext & { steps: readonly Step[]; said: Said }) {
  const next = steps.find(({ state }) => state !== 'done')?.id;
  return (
    <Card title="Steps" isFlush>
      <ol aria-label="Steps">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} isNext={step.id === next} {...rest} />
        ))}
      </ol>
    </Card>
  );
}

function StepRow({
  step,
  isNext,
  said,
  ...rest
}: {
  step: Step;
  isNext: boolean;
  /** Server warnings about steps. */
  said: Said;
} & StepContext) {
  const { id, number, title, state, reason, data, verified, commands, found } = step;
  const findings = [...(found === undefined ? [] : [found]), ...(said.get(id) ?? [])];
  const { tone, word } =
    isNext && state === 'blocked' ? { tone: 'warn' as const, word: 'Waiting' } : badges[state];
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={`flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0 ${isNext ? 'border-s-2 border-s-accent bg-selected' : ''}`}
    >
      <div className="flex items-baseline gap-3">
        <span className="w-4 shrink-0 text-meta text-ink-3 tabular-nums">{number}</span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h3 className="text-body font-medium text-ink-1 wrap-anywhere">{title}</h3>
          <Badge tone={tone}>{word}</Badge>
        </div>
      </div>
      {findings.map((words) => (
        <p key={words} className="ps-7 text-body text-ink-1">
          {words}
        </p>
      ))}
      <dl
        className={`grid-cols-[auto_1fr] gap-x-3 gap-y-1 ps-7 text-meta text-ink-2 ${state === 'done' ? 'hidden print:grid' : 'grid'}`}
      >
        <dt className="text-ink-3">Data</dt>
        <dd>{data}</dd>
        <dt className="text-ink-3">Done when</dt>
        <dd>{verified}</dd>
        {reason !== undefined && (
          <>
            <dt className="text-ink-3">Reason</dt>
            <dd className={isNext ? 'text-warn' : undefined} role={isNext ? 'status' : undefined}>
              {reason}
            </dd>
          </>
        )}
      </dl>
      {commands.length > 0 && (
        <div className={`flex-col gap-2 ps-7 ${isNext ? 'flex' : 'hidden print:flex'}`}>
          <Commands commands={commands} />
        </div>
      )}
      {isNext && (
        <div data-screen-only className="ps-7">
          <StepAction key={step.id} step={step} {...rest} />
        </div>
      )}
    </li>
  );
}
