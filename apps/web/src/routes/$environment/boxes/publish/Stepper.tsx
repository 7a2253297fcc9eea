import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Icon } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { Check, CircleAlert } from 'lucide-react';
import {
  reasonAgainst,
  stateOfStep,
  stepLabels,
  wizardSteps,
  type WizardState,
  type WizardStep,
} from '#components/publish/publish-steps.ts';

const stateWords: Readonly<Record<WizardState, string>> = {
  todo: 'not done',
  open: 'in progress',
  failed: 'failed',
  done: 'done',
};

/** A run's steps with their states; those that can be opened are links. */
export function Stepper({
  run,
  current,
  hrefOf,
}: {
  run?: PublishRun;
  current: WizardStep;
  hrefOf?: (step: WizardStep) => string;
}) {
  return (
    <nav aria-label="Steps" className="shrink-0 wide:w-48">
      <ol className="flex flex-wrap gap-x-4 gap-y-1 wide:flex-col wide:gap-0">
        {wizardSteps.map((step, index) => {
          const state = run === undefined ? 'todo' : stateOfStep(run, step);
          const isCurrent = step === current;
          const href =
            run === undefined || isCurrent || reasonAgainst(run, step) !== undefined
              ? undefined
              : hrefOf?.(step);
          return (
            <li
              key={step}
              aria-current={isCurrent ? 'step' : undefined}
              className={`relative flex min-h-8 items-center gap-2 text-body wide:h-11 wide:items-start wide:pt-1.5 wide:leading-6 ${
                index < wizardSteps.length - 1
                  ? 'wide:after:absolute wide:after:start-[11.5px] wide:after:top-8 wide:after:h-3 wide:after:w-px wide:after:bg-control-line'
                  : ''
              }`}
            >
              <Mark state={state} index={index} isCurrent={isCurrent} />
              {href === undefined ? (
                <span className={isCurrent ? 'font-semibold text-ink-1' : 'text-ink-2'}>
                  {stepLabels[step]}
                </span>
              ) : (
                <Link href={href}>{stepLabels[step]}</Link>
              )}
              <span className="sr-only">, {stateWords[state]}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function Mark({ state, index, isCurrent }: { state: WizardState; index: number; isCurrent: boolean }) {
  const look =
    state === 'done'
      ? 'border-accent bg-accent text-on-accent'
      : state === 'failed'
        ? 'border-danger bg-danger-tint text-danger'
        : isCurrent
          ? 'border-accent text-accent'
          : 'border-control-line text-ink-2';
  return (
    <span
      aria-hidden
      className={`flex size-6 shrink-0 items-center justify-center rounded-full border font-mono text-caps ${look}`}
    >
      {state === 'done' ? (
        <Icon icon={Check} size={14} />
      ) : state === 'failed' ? (
        <Icon icon={CircleAlert} size={14} />
      ) : (
        index + 1
      )}
    </span>
  );
}
