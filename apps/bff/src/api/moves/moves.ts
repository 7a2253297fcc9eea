import { moveKinds, type MoveKind, moveItemLimit } from '@gatehouse/api-types/console/move-values';
import type { Move } from '@gatehouse/api-types/console/moves';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { boxesCaller } from '#api/boxes/caller.ts';
import { modulesCaller } from '#api/modules/caller.ts';
import { cannotTell, type Became } from '#audit/became.ts';
import { pathsOf } from '#audit/wish.ts';
import { guardedWrite } from '#conflict/guarded-write.ts';
import type { Guard } from '#ground/call.ts';
import { sorted } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Starter } from '#moves/jobs.ts';
import { namesHere } from '#moves/plan/choosing.ts';
import { anyBoxOwnerHere, boxOwnerHere, namespaceHere } from '#moves/plan/owner-here.ts';
import { kindOf, moveLimit, rowLimit } from '#moves/rows/moves.ts';
import type { Begun } from '#moves/rows/pieces.ts';
import type { Context } from '#operation/context.ts';
import {
  resource,
  audited,
  type Operation,
  type WhatBecame,
  type ResourceAudit,
} from '#operation/operation.ts';
import { countedIds } from '#session/people.ts';
import { type ServiceCall, serviceToken } from '#session/service-token.ts';
import type { MoveRow } from '#store/schema.ts';
import { pieceHere } from './address-here.ts';
import { moveAnswer, ownMove, moveOf, isConnected, moveSummary, type MoveCall } from './move-answer.ts';

/** How the audit trail identifies moves: by the destination registry's service and the move's ID. */
const inMoves: ResourceAudit = {
  service: '',
  services: ['boxes', 'modules'],
  address: ({ params: { move = '' }, body }) => ({
    ...(move !== '' && { service: kindOf(move) }),
    id: move,
    paths: pathsOf(body),
  }),
};

/**
 * Finds out in the console's own database whether an action on a move was done.
 * @param isDone undefined if the stored move doesn't show it
 */
function ofMove(isDone: (move: MoveRow) => boolean | undefined): WhatBecame {
  return async ({ moves }, _call, _intent, { params }): Promise<Became> => {
    const move = await moves.find(params['move'] ?? '');
    if (move === undefined) return { outcome: 'failed' };
    const done = isDone(move);
    if (done === undefined) return { outcome: 'unknown' };
    return {
      outcome: done ? 'succeeded' : 'failed',
      stored: { id: move.id, revision: String(move.revision), name: move.address },
    };
  };
}

/** The problem of an action that the move's state doesn't allow. */
function notNow(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}

const abandonMove: Operation<'moves.abandon'> = audited(
  { became: ofMove(({ state }) => state === 'abandoned') },
  async (context, call) => {
    const { id, address, revision } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    if (!(await context.moveJobs.rest(id, { state: 'abandoned' })))
      throw notNow('This move was already abandoned.');
    await context.moves.log(id, 'The move was abandoned. Everything copied so far stays here.');
    return moveAnswer(context, call);
  },
);

const chooseOfMove: Operation<'moves.choose'> = audited(
  { became: ofMove(() => undefined) },
  async (context, call) => {
    const { body, revision, slices } = call;
    const move = await ownMove(context, call);
    call.note.saw({ id: move.id, name: move.address, revision: String(move.revision) });
    const busy = notNow('Pause the move before you change what it copies.');
    if (!['planned', 'paused', 'done'].includes(move.state)) throw busy;
    const by = await starterOf(context, call, kindOf(move.id), '');
    const read = (): Promise<Move> => moveAnswer(context, call);
    return guardedWrite<Move>({
      resource: { environment: move.environment, service: kindOf(move.id), kind: 'move', id: move.id },
      expected: revision,
      readFirst: false,
      read,
      revisionOf: (stored) => stored.revision,
      changedAt: (stored) => stored.updated_time,
      failed: (error) => (error === busy ? 'stale' : 'refused'),
      equalsSent: (stored) => JSON.stringify(sorted(stored.choice)) === JSON.stringify(sorted(body)),
      send: async () => {
        const current = await ownMove(context, call);
        const stored = await context.moves.choice(current.id);
        const isEqual = JSON.stringify(sorted(stored)) === JSON.stringify(sorted(body));
        if (!isEqual && String(current.revision) !== revision) throw busy;
        const result = isEqual
          ? await context.moveChoices.apply(current.id, slices)
          : await context.moveChoices.choose(current, body, slices);
        if (result === 'changed') throw busy;
        if (result === 'places') await readPlaces(context, current, by);
        return read();
      },
    });
  },
);

/** Reads the registry here again for items with other names here, unless the move is planned anyway. */
async function readPlaces({ moveJobs }: Context, move: MoveRow, by: Starter): Promise<void> {
  if (move.pause_while === 'planning') return;
  const to = { state: 'planning', used_token: move.used_token } as const;
  await moveJobs.begin(move, ['planned', 'paused', 'done'], to, by);
}

/** Applies a stored choice before the move copies. @throws ProblemError if the move can't copy yet */
async function applyFirst(
  context: Context,
  { slices }: Pick<MoveCall, 'slices'>,
  move: MoveRow,
  by: Starter,
): Promise<void> {
  const result = await context.moveChoices.apply(move.id, slices);
  if (result === 'changed')
    throw notNow('Its choice was changed in the meantime. Look at it, then try again.');
  if (result !== 'places') return;
  await readPlaces(context, move, by);
  throw notNow('Names here have changed, so the registry here is read again first. Try again after that.');
}

const compareMove: Operation<'moves.compare'> = audited(
  { became: ofMove(({ state }) => state === 'planning' || state === 'planned') },
  async (context, call) => {
    const move = await ownMove(context, call);
    const { id, address, revision, pass } = move;
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    const to = { state: 'planning', pass: pass + 1, expanded: 0 } as const;
    if (!(await context.moveJobs.begin(move, ['planned', 'paused', 'done'], to, by))) {
      throw notNow('The move is in progress. Pause it first, or wait until it is done.');
    }
    await context.moves.log(id, `${by.personName} started comparing both registries.`);
    return moveAnswer(context, call);
  },
);

const createMove: Operation<'moves.create'> = audited(
  { became: cannotTell, address: ({ body }) => ({ service: body.kind, name: body.address }) },
  async (context, call) => {
    const { kind, wanted, token } = call.body;
    const by = await starterOf(context, call, kind, token);
    const url = new URL(call.body.address);
    // Refuses addresses that the console doesn't call.
    if (kind === 'boxes') context.sources.boxes(url, token);
    else context.sources.modules(url, token);
    const { environment } = call.params;
    const own = await ownIds(context, by);
    await context.moves.forgetEnded(own);
    // Abandoned moves are deleted to make room.
    const isFull = async (): Promise<boolean> =>
      (await context.moveItems.count({ persons: own })) >= rowLimit;
    while (await isFull()) {
      if (!(await context.moves.forgetAbandoned(own)))
        throw notNow(
          `Your moves already contain ${rowLimit.toLocaleString('en')} boxes or modules, versions and images in total, which is the limit (each 1,000 characters of text count as one). Abandon a move you no longer need.`,
        );
    }
    const { personId, personName } = by;
    const address = trimEndSlashes(url.href);
    const move = await context.moves.create({
      environment,
      kind,
      personId,
      personName,
      address,
      wanted: [...new Set(wanted)],
    });
    await context.moveJobs.begin(move, ['paused'], { state: 'planning' }, by);
    return moveAnswer(context, { ...call, params: { environment, move: move.id } });
  },
);

const getMoveItem: Operation<'moves.item'> = async (context, call) => {
  const { id } = await ownMove(context, call);
  const found = await context.moveReading.item(id, call.params.item, call.slices);
  if (found !== undefined) return found;
  throw new ProblemError('not-found', "This box or module isn't part of the move.");
};

const getMove: Operation<'moves.get'> = moveAnswer;

const listMoveItems: Operation<'moves.items'> = async (context, call) => {
  const { id } = await ownMove(context, call);
  const { q = '', show, offset = 0, limit = moveItemLimit } = call.query;
  const { items, total } = await context.moveReading.items(id, { q, show, offset, limit }, call.slices);
  const next = offset + items.length;
  return { items, total, next_offset: next < total && items.length > 0 ? next : null };
};

const listMoves: Operation<'moves.list'> = async (context, call) => {
  const { environment } = call.params;
  const kinds: MoveKind[] = [];
  for (const kind of moveKinds) if (await isConnected(context, call, kind)) kinds.push(kind);
  const moves = [];
  for (const isEnded of call.query.ended === true ? [false, true] : [false]) {
    await call.slices.giveWay();
    for (const row of await context.moves.list(environment, kinds, isEnded))
      moves.push(await moveSummary(context, row, call));
  }
  return { moves };
};

const pauseMove: Operation<'moves.pause'> = audited(
  { became: ofMove(({ state }) => state === 'paused') },
  async (context, call) => {
    const { id, address, revision, person_name: name } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const detail = `${name} paused the move.`;
    if (!(await context.moveJobs.rest(id, { state: 'paused', reason: 'person', detail }))) {
      throw notNow("The move isn't in progress, so there is nothing to pause.");
    }
    await context.moves.log(id, detail);
    return moveAnswer(context, call);
  },
);

const reportMove: Operation<'moves.report'> = async (context, call) => {
  const move = await ownMove(context, call);
  return context.moveReading.report(move, pieceHere(context, move), call.slices);
};

const resumeMove: Operation<'moves.resume'> = audited(
  { became: ofMove(({ state }) => state !== 'paused'), harm: 'by stored state' },
  async (context, call) => {
    // Resuming makes the caller the owner, because their tokens are used from then on.
    const move = await moveOf(context, call);
    const { id, address, revision, person_id: before, pause_while } = move;
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    if (before !== by.personId) {
      await checkMayTakeOver(context, call, move);
      await ownIds(context, by);
    }
    const state = pause_while === 'planning' ? 'planning' : 'copying';
    // A new owner's move is planned again first.
    if (state === 'copying' && before === by.personId) {
      await requireToken(context, id, call.body.token);
      await applyFirst(context, call, move, by);
      await passCopy(context, call, id, { rests: true });
    } else await call.guard.pass(undefined);
    if (!(await context.moveJobs.begin(move, ['paused'], { state }, by)))
      throw notNow(
        'The move is not paused, or was changed or paused again in the meantime. Look at it, then try again.',
      );
    const owns = before === by.personId ? '' : ' and now owns it';
    await context.moves.log(id, `${by.personName} resumed the move${owns}.`);
    return moveAnswer(context, call);
  },
);

/** The user IDs of the account's moves. @throws ProblemError if it has as many unfinished moves as it may have */
async function ownIds({ config, moves }: Context, by: Starter): Promise<readonly string[]> {
  const own = countedIds(config.environments, by.personId);
  if ((await moves.countOf(own)) >= moveLimit)
    throw notNow(`You have ${moveLimit} unfinished moves. Finish or abandon one first.`);
  return own;
}

/** The maximum number of owners that are checked when someone takes a move over. */
const mostOwners = 20;

const retryMove: Operation<'moves.retry'> = audited(
  {
    became: ofMove(({ state }) => state === 'copying' || state === 'done'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { body } = call;
    const move = await ownMove(context, call);
    const { id, address, revision, state, pause_while } = move;
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), body.token);
    const item = body.item === null ? undefined : await context.moveItems.find(body.item);
    if (body.item !== null && item?.move_id !== id) {
      throw new ProblemError('not-found', "This box or module isn't part of the move.");
    }
    const isResting = state === 'done' || (state === 'paused' && pause_while === 'copying');
    if (!isResting && state !== 'copying') {
      throw notNow('Nothing has failed yet. Start or resume the move.');
    }
    if (isResting) {
      await requireToken(context, id, body.token);
      await applyFirst(context, call, move, by);
    }
    await passCopy(context, call, id, { rests: isResting, failed: { item: body.item } });
    const isCopying = await context.movePieces.wait(id, { item: body.item });
    // Copying may have finished since. A move that someone has paused stays paused.
    const from = isResting ? (['done', 'paused'] as const) : (['done'] as const);
    if (!isCopying) await context.moveJobs.begin(move, from, { state: 'copying' }, by);
    const what = item === undefined ? 'everything that failed' : `everything that failed in ${item.name}`;
    await context.moves.log(id, `${by.personName} retried ${what}.`);
    return moveAnswer(context, call);
  },
);

const startMove: Operation<'moves.start'> = audited(
  {
    became: ofMove(({ state }) => state === 'copying' || state === 'done'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const move = await ownMove(context, call);
    const { id, address, revision } = move;
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    await requireToken(context, id, call.body.token);
    await applyFirst(context, call, move, by);
    await passCopy(context, call, id, { rests: true });
    if (!(await context.moveJobs.begin(move, ['planned', 'done'], { state: 'copying' }, by))) {
      throw notNow('Only a move that is planned or done can be started. If it is paused, resume it.');
    }
    await context.moves.log(id, `${by.personName} started copying.`);
    return moveAnswer(context, call);
  },
);

export const moveOperations = resource(inMoves, {
  'moves.list': listMoves,
  'moves.get': getMove,
  'moves.items': listMoveItems,
  'moves.item': getMoveItem,
  'moves.create': createMove,
  'moves.choose': chooseOfMove,
  'moves.start': startMove,
  'moves.pause': pauseMove,
  'moves.resume': resumeMove,
  'moves.retry': retryMove,
  'moves.compare': compareMove,
  'moves.abandon': abandonMove,
  'moves.report': reportMove,
});

/**
 * Checks that the caller could have started the move.
 * @throws ProblemError `forbidden` if its owner paused it on purpose, or the caller can't publish any of it
 */
async function checkMayTakeOver(context: Context, call: ServiceCall, move: MoveRow): Promise<void> {
  const refusal = (detail: string): ProblemError =>
    new ProblemError('forbidden', detail, { environment: move.environment, service: kindOf(move.id) });
  if (move.pause_reason === 'person') {
    const owner = move.person_name || 'The owner';
    throw refusal(
      `${owner} paused this move, so nobody else can resume it. Ask them to resume it, or start a move of your own.`,
    );
  }
  // Already checked.
  if (kindOf(move.id) === 'modules') return;
  const caller = await boxesCaller(context, call);
  // Also checks the caller's own name, because a move's owner can choose other owners.
  const hereOf = namesHere(await context.moves.choice(move.id));
  const named = (await context.moves.wanted(move.id)).map((name) => hereOf(name).split('/')[0] ?? '');
  for (const owner of [...new Set([caller.username, ...named])].slice(0, mostOwners))
    if (typeof (await boxOwnerHere(caller, owner)) !== 'object') return;
  throw refusal(
    "You aren't allowed to publish boxes here. The move's owner, or someone who is allowed to publish here, can resume it.",
  );
}

/** Checks that a move that copies private items is given a token. @throws ProblemError `invalid-request` */
async function requireToken({ moveReading }: Context, moveId: string, token: string): Promise<void> {
  if (token !== '' || !(await moveReading.hasPrivate(moveId))) return;
  const detail = 'Some of the boxes are private at the source. Enter a token that can read them.';
  throw new ProblemError('invalid-request', detail, { fields: [{ path: 'token', message: detail }] });
}

/**
 * The caller as the user who works on a move, with their token. Only users who may publish here make the console call
 * a source.
 * @throws ProblemError as `serviceToken`; `forbidden`; ServiceError if the registry doesn't say whether they may
 */
async function starterOf(
  context: Context,
  call: ServiceCall,
  kind: MoveKind,
  sourceToken: string,
): Promise<Starter> {
  const token = await serviceToken(context, call, kind);
  const here =
    kind === 'boxes'
      ? await anyBoxOwnerHere(await boxesCaller(context, call))
      : await namespaceHere(await modulesCaller(context, call));
  if (typeof here === 'object') {
    const { environment } = call.params;
    throw new ProblemError('forbidden', here.refused, { environment, service: kind });
  }
  const { id, personId, personName, loginName } = call.session;
  const { requestId } = call.caller;
  return { personId, personName: personName || loginName, sessionId: id, token, sourceToken, requestId };
}

/**
 * Passes the guard of a call that starts copying. Also records which versions the copy may add to although they are
 * already released, whose clients may get another image. The copy adds to no other released version.
 */
async function passCopy(
  { movePieces }: Pick<Context, 'movePieces'>,
  { guard, slices }: { readonly guard: Guard } & Pick<MoveCall, 'slices'>,
  moveId: string,
  begun: Begun,
): Promise<void> {
  const isJoined = (await movePieces.joinedReleases(moveId, begun, slices)) > 0;
  await guard.pass(isJoined ? 'reaches' : undefined);
  if (isJoined) await movePieces.agree(moveId, begun);
}
