import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import type { Move, MoveItem } from '@gatehouse/api-types/console/moves';
import { StatusDot } from '@gatehouse/ui/badge';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { PackageOpen } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { isMoving, moveTitle, stateWords } from '#components/moves/move-state.ts';
import { movesHref } from '#components/places/moves.ts';
import { RunLog } from '#components/publish/RunLog.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { usePolling } from '#lib/polling.ts';
import { moveQuery, useMoveWrites } from '#queries/move.ts';
import { asksForToken, type Asked } from './asked.ts';
import { ItemsCard } from './ItemsCard.tsx';
import { MoveActions } from './MoveActions.tsx';
import { MoveNow } from './MoveNow.tsx';
import { useChoice } from './use-choice.ts';
import { useMoveAction } from './use-move-action.ts';

const ChoiceCard = lazy(async () => ({ default: (await import('./ChoiceCard.tsx')).ChoiceCard }));
const ReportCard = lazy(async () => ({ default: (await import('./ReportCard.tsx')).ReportCard }));
const TokenQuestion = lazy(async () => ({ default: (await import('./TokenQuestion.tsx')).TokenQuestion }));
const AbandonMove = lazy(async () => ({ default: (await import('./AbandonMove.tsx')).AbandonMove }));

const pageOf = {
  boxes: '/$environment/boxes/moves/$move',
  modules: '/$environment/modules/moves/$move',
} as const satisfies Readonly<Record<MoveKind, string>>;

/** A move: its plan, choice, progress and result. */
export function MovePage({ kind }: { kind: MoveKind }) {
  const { id: environment } = useEnvironment();
  const { move: id = '' } = useParams({ strict: false });
  const place = { environment, move: id };
  const query = useQuery(moveQuery(place));
  const move = query.data;
  usePolling(moveQuery(place), move !== undefined && isMoving(move) ? 1 : 20, query.isSuccess);
  const title = move === undefined ? 'Move' : moveTitle(move);
  usePageTitle(title);
  const header = {
    icon: PackageOpen,
    title,
    ancestors: [
      { id: kind, label: kind === 'boxes' ? 'Boxes' : 'Modules', href: `/${environment}/${kind}` },
      { id: 'moves', label: 'Moves', href: movesHref(environment, kind) },
    ],
  };
  // Links from the audit trail don't know the move's kind.
  if (move !== undefined && move.kind !== kind)
    return <Navigate to={pageOf[move.kind]} params={{ environment, move: id }} replace />;
  if (move !== undefined)
    return <LoadedMove key={move.id} move={move} header={header} now={query.dataUpdatedAt} />;
  return (
    <>
      <PageHeader {...header} />
      <Waiting
        query={query}
        label="Loading the move"
        action={<LinkButton href={movesHref(environment, kind)}>All moves</LinkButton>}
      />
    </>
  );
}

function LoadedMove({
  move,
  header,
  now,
}: {
  move: Move;
  header: {
    icon: typeof PackageOpen;
    title: string;
    ancestors: { id: string; label: string; href: string }[];
  };
  /** The time of this state, in ms. */
  now: number;
}) {
  const { id: environment } = useEnvironment();
  const writes = useMoveWrites(environment);
  const action = useMoveAction();
  const [asked, setAsked] = useState<Asked>();
  const [isAbandoning, setAbandoning] = useState(false);
  const { state, owner } = move;
  const { word, tone, isBusy } = stateWords(move);
  const status = useFocusWhenLost(`${state} ${String(asked === undefined)}`);
  /** Runs an action that reads the source, after asking for its token if one is needed. */
  const ask = (name: string, next: Asked): void => {
    if (asksForToken(move)) setAsked(next);
    else action.run(name, () => next.act(''));
  };
  const resume = (): void => {
    ask('resume', {
      title: 'Resume this move?',
      label: 'Resume',
      act: (token) => writes.resume(move.id, token),
    });
  };
  const compare = (): void => {
    ask('compare', {
      title: 'Compare both registries again?',
      label: 'Compare',
      act: (token) => writes.compare(move.id, token),
    });
  };
  const retry = (item?: MoveItem): void => {
    ask('retry', {
      title: item === undefined ? 'Retry failed copies?' : `Retry failed copies of ${item.name}?`,
      label: 'Retry',
      act: (token) => writes.retry(move.id, token, item?.id ?? null),
    });
  };
  const canChoose = owner.is_you && (state === 'planned' || state === 'paused' || state === 'done');
  // Names are compared again after one changed; the form stays in place during that.
  const isEditable = canChoose || (owner.is_you && state === 'planning' && move.planned_time !== null);
  const edit = useChoice(environment, move, canChoose);
  const showsReport = owner.is_you && (state === 'done' || state === 'abandoned');
  return (
    <>
      <PageHeader
        {...header}
        meta={
          <span ref={status} role="status" tabIndex={-1} className="rounded-tag">
            <StatusDot tone={tone} isBusy={isBusy}>
              {word}
            </StatusDot>
          </span>
        }
        actions={
          <MoveActions
            move={move}
            action={action}
            pause={() => {
              action.run('pause', () => writes.pause(move.id));
            }}
            resume={resume}
            retry={() => {
              retry();
            }}
            compare={compare}
            abandon={() => {
              setAbandoning(true);
            }}
          />
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex min-w-0 flex-col gap-4 p-4">
          <MoveNow
            environment={environment}
            move={move}
            now={now}
            action={action}
            isChoosing={edit.isPending || edit.conflict !== undefined}
            start={() => {
              ask('start', {
                title: 'Start copying?',
                label: 'Start copying',
                act: (token) => writes.start(move.id, token),
              });
            }}
          />
          {owner.is_you && (
            <div
              className={`grid min-w-0 grid-cols-1 items-start gap-4 ${isEditable || showsReport ? 'wide:grid-cols-[minmax(0,1fr)_22rem]' : ''}`}
            >
              <ItemsCard
                environment={environment}
                move={move}
                edit={canChoose ? edit : undefined}
                action={action}
                retry={retry}
              />
              {(isEditable || showsReport) && (
                <div className="flex min-w-0 flex-col gap-4">
                  <Suspense fallback={null}>
                    {showsReport && <ReportCard environment={environment} move={move} action={action} />}
                    {isEditable && <ChoiceCard move={move} edit={edit} />}
                  </Suspense>
                </div>
              )}
            </div>
          )}
          {move.log.length > 0 && (
            <RunLog log={move.log.toReversed().map(({ item, ...entry }) => ({ ...entry, provider: item }))} />
          )}
        </div>
      </div>
      <Suspense fallback={null}>
        {asked !== undefined && (
          <TokenQuestion
            move={move}
            asked={asked}
            onClose={() => {
              setAsked(undefined);
            }}
          />
        )}
        {isAbandoning && (
          <AbandonMove
            move={move}
            abandon={() => writes.abandon(move.id)}
            onClose={() => {
              setAbandoning(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/**
 * Moves focus to the page's status if the pressed button disappears, as Start does once a move copies. The next actions
 * follow right after it.
 * @param stage changes with the available buttons
 */
function useFocusWhenLost(stage: string) {
  const place = useRef<HTMLSpanElement>(null);
  const seen = useRef(stage);
  useEffect(() => {
    if (seen.current === stage) return;
    seen.current = stage;
    // A closing dialog returns focus in the next frame.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [stage]);
  return place;
}
