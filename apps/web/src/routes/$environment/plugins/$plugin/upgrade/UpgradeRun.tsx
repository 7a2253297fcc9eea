import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { pluginHref } from '#components/places/plugins.ts';
import { usePluginWrites } from '#queries/plugins.ts';
import {
  backSteps,
  runSteps,
  upgradeSteps,
  type Step,
  type StepState,
  type Upgrade,
} from './upgrade-steps.ts';

const waiting: StepState = { state: 'waiting' };
type States = ReadonlyMap<string, StepState>;

/** The progress of an upgrade; after a failure, its state, and the options to continue or undo. */
export function UpgradeRun({ upgrade, hereHref }: { upgrade: Upgrade; hereHref: string }) {
  const environment = useEnvironment();
  const writes = usePluginWrites(environment.id);
  const [steps] = useState(() => upgradeSteps(upgrade, writes));
  const [states, setStates] = useState<States>(new Map());
  const [back, setBack] = useState<readonly Step[]>();
  const [backStates, setBackStates] = useState<States>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isBusy = useRef(false);

  const run = async (
    what: readonly Step[],
    known: States,
    set: (change: (states: States) => States) => void,
  ): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    await runSteps(
      what,
      (id) => known.get(id)?.state === 'done',
      (id, state) => {
        set((before) => new Map(before).set(id, state));
      },
    );
    isBusy.current = false;
    setRunning(false);
  };
  const begin = useEffectEvent(() => void run(steps, states, setStates));
  useEffect(() => {
    begin();
  }, []);

  const failed = failedOf(steps, states);
  const backFailed = back && failedOf(back, backStates);
  const isDone = isAllDone(steps, states);
  const isBack = back !== undefined && isAllDone(back, backStates);
  const id = pluginIdOf({ ...upgrade.from, version: upgrade.version });
  const target = pluginHref(environment.id, id);
  const begun = new Set(
    steps.filter((step) => (states.get(step.id) ?? waiting).state !== 'waiting').map((step) => step.id),
  );
  return (
    <div className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4 wide:p-6">
      <Steps title="Upgrade" steps={steps} states={states} />
      {!isRunning && failed !== undefined && back === undefined && (
        <Banner tone="danger" title={`Stopped: ${failed.step.label}`}>
          {failed.reason} {standsWords(upgrade, steps, states)}
        </Banner>
      )}
      {back !== undefined && <Steps title="Rollback" steps={back} states={backStates} />}
      {!isRunning && backFailed !== undefined && (
        <Banner tone="danger" title={`Rollback stopped: ${backFailed.step.label}`}>
          {backFailed.reason}
        </Banner>
      )}
      {isDone && (
        <Banner tone="ok" title={`${upgrade.from.name} upgraded to ${upgrade.version}`}>
          Reloaded on {upgrade.mounts.map(({ path }) => path).join(', ')}, on the node that responded. If the
          cluster has other nodes, reload the plugin on each of them. The old registration stays until you
          delete it.
        </Banner>
      )}
      {isBack && (
        <Banner tone="ok" title="Rolled back">
          {upgrade.register !== undefined && states.get('register')?.state === 'done' ? (
            <>
              <Link href={target}>
                {upgrade.from.name} {upgrade.version}
              </Link>{' '}
              is still registered. Open it to delete it if you don't need it.
            </>
          ) : (
            'All changes made by the upgrade were undone.'
          )}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!isRunning && failed !== undefined && back === undefined && (
          <>
            <Button variant="primary" onPress={() => void run(steps, states, setStates)}>
              {`Retry: ${failed.step.label}`}
            </Button>
            {backSteps(upgrade, begun, writes).length > 0 && (
              <Button
                onPress={() => {
                  const undoing = backSteps(upgrade, begun, writes);
                  setBack(undoing);
                  void run(undoing, new Map(), setBackStates);
                }}
              >
                Roll back
              </Button>
            )}
          </>
        )}
        {!isRunning && back !== undefined && backFailed !== undefined && (
          <Button variant="primary" onPress={() => void run(back, backStates, setBackStates)}>
            {`Retry: ${backFailed.step.label}`}
          </Button>
        )}
        {!isRunning && (
          <LinkButton href={isDone ? target : hereHref}>
            {isDone ? `Show ${upgrade.version}` : 'Back to the plugin'}
          </LinkButton>
        )}
      </div>
      <DirtyGuard wouldLose={() => isBusy.current} count={isRunning ? 1 : 0} />
    </div>
  );
}

function failedOf(
  steps: readonly Step[],
  states: States,
): { readonly step: Step; readonly reason: string } | undefined {
  for (const step of steps) {
    const state = states.get(step.id);
    if (state?.state === 'failed') return { step, reason: state.reason };
  }
  return undefined;
}

function isAllDone(steps: readonly Step[], states: States): boolean {
  return steps.every(({ id }) => states.get(id)?.state === 'done');
}

/** The steps completed before a failure. */
function standsWords({ mounts }: Upgrade, steps: readonly Step[], states: States): string {
  const done = steps.filter(({ id }) => states.get(id)?.state === 'done').map(({ label }) => label);
  const stands =
    done.length === 0
      ? 'No step was completed before this one.'
      : `Completed before this step: ${done.join('; ')}.`;
  const isReloaded = states.get('reload')?.state === 'done';
  return `${stands} ${
    isReloaded
      ? 'The mounts were reloaded.'
      : `${mounts.length === 1 ? 'The mount keeps' : 'The mounts keep'} running the previous version until reloaded.`
  }`;
}

const badges = {
  waiting: { tone: 'neutral', word: 'Waiting' },
  running: { tone: 'info', word: 'In progress' },
  done: { tone: 'ok', word: 'Done' },
  failed: { tone: 'danger', word: 'Failed' },
} as const;

function Steps({ title, steps, states }: { title: string; steps: readonly Step[]; states: States }) {
  return (
    <Card title={title} isFlush>
      <ol aria-label={title} aria-live="polite">
        {steps.map(({ id, label }, index) => {
          const state = states.get(id) ?? waiting;
          const { tone, word } = badges[state.state];
          return (
            <li
              key={id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <span className="w-4 text-meta text-ink-3 tabular-nums">{index + 1}</span>
              <span className="text-body text-ink-1 wrap-anywhere">{label}</span>
              {state.state === 'done' && state.note !== undefined && (
                <span className="text-meta text-ink-2">{state.note}</span>
              )}
              <span className="ms-auto">
                <Badge tone={tone}>{word}</Badge>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
