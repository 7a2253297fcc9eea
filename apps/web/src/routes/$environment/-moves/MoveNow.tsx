import type { Move } from '@gatehouse/api-types/console/moves';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { kindWords } from '#components/moves/move-kinds.ts';
import { hostOf, stateWords } from '#components/moves/move-state.ts';
import {
  abandonedWords,
  copiedWords,
  nothingToCopy,
  releasesWords,
  startSentence,
  waitWords,
} from '#components/moves/move-words.ts';
import { counted } from '#lib/counted.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { CopyProgress } from './CopyProgress.tsx';
import { NotFound } from './NotFound.tsx';
import { PlanNumbers } from './PlanNumbers.tsx';
import type { MoveAction } from './use-move-action.ts';

/** A move's state, and the next thing to do. */
export function MoveNow({
  environment,
  move,
  now,
  action,
  isChoosing,
  start,
}: {
  environment: string;
  move: Move;
  now: number;
  action: MoveAction;
  /** Whether part of the choice isn't saved yet. */
  isChoosing: boolean;
  start: () => void;
}) {
  const { state, owner, source, pause } = move;
  if (!owner.is_you) {
    return (
      <>
        <Banner tone="info" title={`This move belongs to ${owner.name || 'someone else'}`} announce="none">
          Only its owner sees what it copies.{' '}
          {pause?.reason === 'person'
            ? 'They paused it. Ask them to resume it, or start your own move.'
            : state === 'paused'
              ? 'If you can publish here, you can resume it with your own tokens. It then becomes yours.'
              : 'If it pauses because of a problem, anyone who can publish here can resume it.'}
        </Banner>
        <Card title={stateWords(move).word}>
          <CopyProgress move={move} now={now} />
        </Card>
      </>
    );
  }
  switch (state) {
    case 'planning':
      return (
        <Card title="Reading both registries">
          <Reading move={move} now={now} />
        </Card>
      );
    case 'planned':
      return (
        <>
          <NotFound environment={environment} move={move} />
          <Card title="The plan" actions={<Compared move={move} />}>
            <div className="flex flex-col gap-4">
              <PlanNumbers move={move} />
              <Releases move={move} />
              <Start
                environment={environment}
                move={move}
                isPending={action.pending === 'start'}
                isChoosing={isChoosing}
                start={start}
              />
            </div>
          </Card>
        </>
      );
    case 'copying':
      return (
        <Card title={`Copying from ${hostOf(source.address)}`}>
          <div className="flex flex-col gap-4">
            <CopyProgress move={move} now={now} />
            <p className="text-meta text-ink-2">
              The console copies in the background, so you can close this page. The newest releases are copied
              first.
            </p>
          </div>
        </Card>
      );
    case 'paused':
      return (
        <>
          <Banner tone="warn" title={stateWords(move).word} announce="none">
            {pause?.detail}
          </Banner>
          <Card title={pause?.while === 'planning' ? 'Already read' : 'Already copied'}>
            {pause?.while === 'planning' ? (
              <Reading move={move} now={now} />
            ) : (
              <WithNumbers move={move} now={now} />
            )}
          </Card>
        </>
      );
    case 'done':
      return (
        <>
          <NotFound environment={environment} move={move} />
          <Card title="Done">
            <div className="flex flex-col gap-4">
              <Ended move={move} />
              <PlanNumbers move={move} />
              <Releases move={move} />
            </div>
          </Card>
        </>
      );
    case 'abandoned':
      return (
        <Card title="Abandoned">
          <div className="flex flex-col gap-4">
            <p className="text-body text-ink-2">{abandonedWords(move)}</p>
            <PlanNumbers move={move} />
          </div>
        </Card>
      );
  }
}

function WithNumbers({ move, now }: { move: Move; now: number }) {
  return (
    <div className="flex flex-col gap-4">
      <CopyProgress move={move} now={now} />
      <PlanNumbers move={move} />
      <Releases move={move} />
    </div>
  );
}

function Releases({ move }: { move: Move }): ReactNode {
  const words = releasesWords(move);
  return words !== undefined && <p className="text-body text-warn">{words}</p>;
}

function Reading({ move, now }: { move: Move; now: number }) {
  const { kind, planning, state } = move;
  const { one, many } = kindWords[kind];
  const waits = waitWords(move, now);
  if (state === 'paused' && (planning?.found ?? 0) === 0)
    return <p className="text-body text-ink-2">No {many} have been read yet.</p>;
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label={`${many.charAt(0).toUpperCase()}${many.slice(1)} read`}
        {...(planning !== null &&
          planning.found > 0 && {
            value: planning.read / planning.found,
            valueLabel: `${planning.read.toLocaleString('en')} of ${counted(planning.found, one, many)}`,
          })}
      />
      <p className={`text-body ${waits === undefined ? 'text-ink-2' : 'text-warn'}`}>
        {waits === undefined
          ? 'Nothing is copied while both registries are being read.'
          : `${waits}. The move continues automatically.`}
      </p>
    </div>
  );
}

function Compared({ move: { planned_time: time } }: { move: Move }): ReactNode {
  return (
    time !== null && (
      <span className="pe-2 text-meta text-ink-2">
        Compared <Time value={time} isRelative />
      </span>
    )
  );
}

function Start({
  environment,
  move,
  isPending,
  isChoosing,
  start,
}: {
  environment: string;
  move: Move;
  isPending: boolean;
  isChoosing: boolean;
  start: () => void;
}) {
  const { name } = useEnvironment();
  const { person } = useSession();
  const { kind, pieces } = move;
  const { data: account } = useQuery({ ...boxAccountQuery(environment), enabled: kind === 'boxes' });
  const { registry } = kindWords[kind];
  const whom = account?.username ?? person.login_name;
  const sentence = startSentence(move, `the ${registry} of ${name}`, whom);
  const again = pieces.here > 0 || pieces.copied > 0;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button
        variant="primary"
        isPending={isPending}
        disabledReason={
          sentence === undefined
            ? nothingToCopy(move)
            : isChoosing
              ? "Your choices aren't saved yet."
              : undefined
        }
        onPress={start}
      >
        {again ? "Copy what's missing" : 'Start copying'}
      </Button>
      <p role="status" className="min-w-0 flex-1 basis-60 text-body text-ink-1">
        {sentence ?? nothingToCopy(move)}
      </p>
    </div>
  );
}

function Ended({ move }: { move: Move }) {
  const { failed } = move.pieces;
  const { one, piece, pieces } = kindWords[move.kind];
  return (
    <p className="text-body text-ink-1">
      {copiedWords(move)}
      {failed > 0 && (
        <span className="text-danger">
          {' '}
          {counted(failed, piece, pieces)} failed: open the {one} in the list to see why.
        </span>
      )}{' '}
      <span className="text-ink-2">To update from the source, compare again and copy what's missing.</span>
    </p>
  );
}
