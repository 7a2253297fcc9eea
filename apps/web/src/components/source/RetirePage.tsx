import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { ArrowRightLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { targetsUsingQuery, useTargetSourceWrites, type SourceKind } from '#queries/target-sources.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { usePageTitle } from '../environment/use-page-title.ts';
import { Failure } from '../errors/Failure.tsx';
import { DirtyGuard } from '../form/DirtyGuard.tsx';
import { retireAt, type Retirement } from './retire-source.ts';

export interface RetirePageProps {
  /** `host set` */
  noun: string;
  /** The kinds of links it may have to targets. */
  kinds: readonly SourceKind[];
  /** The source to replace; undefined until loaded. */
  source: { readonly id: string; readonly name: string; readonly scope: string } | undefined;
  failure: unknown;
  onRetry: () => void;
  ancestors: readonly { id: string; label: string; href: string }[];
  hereHref: string;
  search: string;
  onSearch: (text: string) => void;
  isSearching: boolean;
  choices: readonly { id: string; label: string; detail: string }[];
}

/** Retires a source: on each target, the replacement is added before the old source is removed. */
export function RetirePage(props: RetirePageProps) {
  const { noun, source, failure, onRetry, ancestors, hereHref } = props;
  const title = source === undefined ? `Replace a ${noun}` : `Replace ${source.name}`;
  usePageTitle(title);
  return (
    <>
      <PageHeader icon={ArrowRightLeft} title={title} ancestors={ancestors} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {source !== undefined ? (
          <Retire {...props} source={source} />
        ) : failure === null || failure === undefined ? (
          <div className="mx-auto w-full max-w-300 p-6">
            <SkeletonList label={`Loading the ${noun}`} lines={6} />
          </div>
        ) : (
          <Failure
            error={failure}
            onRetry={onRetry}
            action={<LinkButton href={hereHref}>Go back</LinkButton>}
          />
        )}
      </div>
    </>
  );
}

function Retire({
  noun,
  kinds,
  source,
  hereHref,
  onSearch,
  isSearching,
  choices,
}: RetirePageProps & { source: NonNullable<RetirePageProps['source']> }) {
  const environment = useEnvironment();
  const writes = useTargetSourceWrites(environment.id);
  const using = useQuery(targetsUsingQuery(environment.id, source.scope, kinds, [source.id]));
  const [replacement, setReplacement] = useState<{ id: string; label: string }>();
  const [isMissing, setMissing] = useState(false);
  const [states, setStates] = useState<ReadonlyMap<string, Retirement>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isStopping = useRef(false);
  const isBusy = useRef(false);
  useEffect(
    () => () => {
      isStopping.current = true;
    },
    [],
  );
  // Finished targets no longer use the source, so the initial list stays.
  const [begun, setBegun] = useState<{ id: string; name: string }[]>();
  const targets = begun ?? using.data ?? [];
  const ended = targets.filter(({ id }) => ['done', 'not-used'].includes(states.get(id)?.state ?? ''));
  const stopped = targets.find(({ id }) => states.get(id)?.state === 'stopped');

  const run = async (): Promise<void> => {
    if (isBusy.current) return;
    if (replacement === undefined) {
      setMissing(true);
      return;
    }
    const all = targets.map(({ id, name }) => ({ id, name }));
    setBegun(all);
    isBusy.current = true;
    isStopping.current = false;
    setRunning(true);
    for (const { id } of all) {
      if (isStopping.current) break;
      if (ended.some((target) => target.id === id)) continue;
      const report = (state: Retirement): void => {
        setStates((known) => new Map(known).set(id, state));
      };
      const end = await retireAt(writes, id, { old: source.id, replacement: replacement.id, kinds }, report);
      report(end);
      // The cause may concern the other targets too, so the user decides whether to continue.
      if (end.state === 'stopped') break;
    }
    isBusy.current = false;
    setRunning(false);
  };

  const hasBegun = begun !== undefined;
  const isComplete = hasBegun && ended.length === targets.length;
  return (
    <div className="mx-auto flex w-full max-w-200 flex-col gap-6 p-4 wide:p-6">
      <p className="text-body text-ink-2">
        The replacement is added to each target first; then <strong>{source.name}</strong> is removed, so no
        target is ever without a source. The {noun} itself stays until it is deleted.
      </p>
      <ComboBox
        label="Replacement"
        description="Search the same project by name, description or ID."
        isRequired
        options={choices}
        value={replacement?.id ?? null}
        onChange={(id) => {
          const found = choices.find((choice) => choice.id === id);
          setReplacement(found && { id: found.id, label: found.label });
          setMissing(false);
        }}
        onSearch={onSearch}
        {...(replacement !== undefined && { valueLabel: replacement.label })}
        isPending={isSearching}
        emptyText={`No other ${noun} matches in this project.`}
        error={isMissing && replacement === undefined ? `Choose the ${noun} to use instead.` : undefined}
        disabledReason={
          isRunning ? "The replacement can't be changed while targets are being updated." : undefined
        }
      />
      <Card title={`Targets that use ${source.name} (${targets.length.toLocaleString('en')})`} isFlush>
        {using.isPending && (
          <div className="p-4">
            <SkeletonList label="Checking which targets use it" lines={3} />
          </div>
        )}
        {using.isError && <p className="p-4 text-body text-danger">{wordsOf(using.error).detail}</p>}
        {using.data !== undefined && targets.length === 0 && (
          <p className="p-4 text-body text-ink-2">
            No target you can see uses this {noun}. You can delete it without a replacement.
          </p>
        )}
        <ul aria-label="Targets">
          {targets.map(({ id, name }) => (
            <li
              key={id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <Link href={`/${environment.id}/targets/${encodeURIComponent(id)}`}>{name}</Link>
              <span className="font-mono text-meta text-ink-3">{id}</span>
              <span className="ms-auto">
                <RetirementBadge retirement={states.get(id) ?? { state: 'waiting' }} hasBegun={hasBegun} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {hasBegun && (
        <ProgressBar
          label="Replacing"
          value={targets.length === 0 ? 1 : ended.length / targets.length}
          valueLabel={`${ended.length.toLocaleString('en')} of ${targets.length.toLocaleString('en')} targets`}
        />
      )}
      {!isRunning && stopped && <StoppedNote name={stopped.name} retirement={states.get(stopped.id)} />}
      {!isRunning && isComplete && replacement !== undefined && (
        <Banner tone="ok" title={`${source.name} replaced`}>
          {ended.length === 1 ? 'The target no longer uses' : 'None of these targets uses'} {source.name}.
          Where it was still in use, {replacement.label} replaced it.
        </Banner>
      )}
      <div className="flex items-center gap-2">
        {isRunning ? (
          <Button
            onPress={() => {
              isStopping.current = true;
            }}
          >
            Stop after this target
          </Button>
        ) : (
          !isComplete && (
            <Button
              variant="primary"
              disabledReason={
                using.data === undefined
                  ? 'Still checking which targets use it.'
                  : targets.length === 0
                    ? `No target you can see uses this ${noun}.`
                    : undefined
              }
              onPress={() => void run()}
            >
              {hasBegun ? 'Continue' : `Replace in ${counted(targets.length, 'target')}`}
            </Button>
          )
        )}
        <LinkButton href={hereHref}>{isComplete ? `Back to ${source.name}` : 'Cancel'}</LinkButton>
      </div>
      <DirtyGuard wouldLose={() => isBusy.current} count={targets.length - ended.length} />
    </div>
  );
}

function RetirementBadge({ retirement, hasBegun }: { retirement: Retirement; hasBegun: boolean }) {
  switch (retirement.state) {
    case 'waiting':
      return hasBegun ? <Badge>Waiting</Badge> : null;
    case 'adding':
      return <Badge tone="info">Adding the replacement</Badge>;
    case 'removing':
      return <Badge tone="info">Removing the old source</Badge>;
    case 'done':
      return <Badge tone="ok">Replaced</Badge>;
    case 'not-used':
      return <Badge>No longer uses it</Badge>;
    case 'stopped':
      return <Badge tone="danger">{stoppedWords[retirement.left].word}</Badge>;
  }
}

const stoppedWords = {
  old: { word: 'Not changed', about: 'The target was not changed.' },
  both: {
    word: 'Has both',
    about: 'The replacement was added to the target, which still uses the old source too.',
  },
  unknown: { word: 'Unknown', about: 'The target may have been changed.' },
} as const;

function StoppedNote({ name, retirement }: { name: string; retirement: Retirement | undefined }) {
  if (retirement?.state !== 'stopped') return null;
  return (
    <Banner tone="danger" title={`Stopped at target ${name}`}>
      {retirement.reason} {stoppedWords[retirement.left].about} Choose Continue to retry this target.
    </Banner>
  );
}
