/** Moves as callers see them: users of the destination registry see a summary, and the owner sees the rest. */
import { moveKinds, moveStates, pauseReasons, type MoveKind } from '@gatehouse/api-types/console/move-values';
import type { Move, MoveSummary } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import { ProblemError } from '#ground/problem.ts';
import { everything, type ListedMove } from '#moves/rows/moves.ts';
import type { Context } from '#operation/context.ts';
import type { ActiveSession } from '#session/session.ts';
import type { MoveRow } from '#store/schema.ts';
import { serverHere } from './address-here.ts';

/** A call about a move. */
export interface MoveCall {
  readonly params: { readonly environment: string; readonly move: string };
  readonly session: ActiveSession;
  /** For sums over all that is in the move. */
  readonly slices: Slices;
}

/** Whether the caller is signed in to the destination registry. */
export async function isConnected(
  { connections, directory }: Context,
  { params, session }: { readonly params: { readonly environment: string }; readonly session: ActiveSession },
  kind: MoveKind,
): Promise<boolean> {
  const isThere = directory.all.some((one) => one.environment === params.environment && one.service === kind);
  return isThere && typeof (await connections.token(session.id, params.environment, kind)) !== 'string';
}

/** @throws ProblemError `not-found` if the caller can't see the move */
export async function moveOf(context: Context, call: MoveCall): Promise<MoveRow> {
  const move = await context.moves.find(call.params.move);
  const kind = move && kindIn(move);
  if (
    kind !== undefined &&
    move?.environment === call.params.environment &&
    (await isConnected(context, call, kind))
  )
    return move;
  throw new ProblemError('not-found', "This move doesn't exist, or you aren't signed in to its registry.");
}

/** @throws ProblemError `not-found`; `forbidden` for someone else's move */
export async function ownMove(context: Context, call: MoveCall): Promise<MoveRow> {
  const move = await moveOf(context, call);
  if (move.person_id === call.session.personId) return move;
  throw new ProblemError(
    'forbidden',
    `This move belongs to ${move.person_name}. If it pauses automatically, anyone who is allowed to publish can resume it and become its owner.`,
  );
}

export async function moveAnswer(context: Context, call: MoveCall): Promise<Move> {
  const move = await moveOf(context, call);
  const isOwn = move.person_id === call.session.personId;
  const isAsked = isOwn && ['planned', 'paused', 'done'].includes(move.state);
  const begun = { rests: true, failed: { item: null } };
  const { moves, moveReading, movePieces } = context;
  const { slices } = call;
  const answer = {
    ...(await moveSummary(context, move, call)),
    joined_releases: isAsked ? await movePieces.joinedReleases(move.id, begun, slices) : 0,
    wanted: isOwn ? [...(await moves.wanted(move.id))] : [],
    // Contains names that only the owner may see.
    choice: isOwn ? await moves.choice(move.id) : everything,
    found: isOwn
      ? await moveReading.found(move.id, slices)
      : { owners: [], providers: [], architectures: [] },
    log: (isOwn ? await moves.readLog(move.id) : []).map(({ at, ...line }) => ({
      time: new Date(at).toISOString(),
      ...line,
    })),
  };
  // Someone may have taken it over since then, and only they may see what was read after that.
  const isTaken = isOwn && (await moves.find(move.id))?.person_id !== move.person_id;
  return isTaken ? moveAnswer(context, call) : answer;
}

/** A move as an item of a list. */
export async function moveSummary(
  context: Context,
  move: ListedMove,
  { session, slices }: Pick<MoveCall, 'session' | 'slices'>,
): Promise<MoveSummary> {
  const { moveReading, moveJobs } = context;
  const isPlanning = move.state === 'planning' || move.pause_while === 'planning';
  const sums = await moveReading.sums(move.id, slices);
  const items = await moveReading.itemSums(move.id, slices);
  const versions = await moveReading.versions(move.id, slices);
  const planning = isPlanning ? await moveReading.planning(move) : null;
  const rate = move.state === 'copying' ? moveJobs.rateOf(move.id) : null;
  const left = sums.bytes.total - sums.bytes.copied;
  const reason = pauseReasons.find((one) => one === move.pause_reason);
  return {
    id: move.id,
    revision: String(move.revision),
    kind: kindIn(move),
    state: moveStates.find((one) => one === move.state) ?? 'paused',
    pause:
      move.state !== 'paused' || reason === undefined
        ? null
        : {
            reason,
            detail: move.pause_detail ?? '',
            while: move.pause_while === 'planning' ? 'planning' : 'copying',
          },
    waits_until: timeOf(move.waits_until),
    source: {
      address: move.address,
      has_token: move.sealed_source !== null,
      used_token: move.used_token === 1,
    },
    owner: {
      person: move.person_id,
      name: move.person_name,
      is_you: move.person_id === session.personId,
    },
    planning,
    items,
    versions,
    ...sums,
    rate,
    seconds_left: rate === null || rate === 0 || sums.bytes.unknown > 0 ? null : Math.ceil(left / rate),
    server_url: serverHere(context, move),
    planned_time: timeOf(move.planned_at),
    created_time: new Date(move.created_at).toISOString(),
    updated_time: new Date(move.updated_at).toISOString(),
  };
}

function kindIn({ kind }: Pick<MoveRow, 'kind'>): MoveKind {
  return moveKinds.find((one) => one === kind) ?? 'boxes';
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
