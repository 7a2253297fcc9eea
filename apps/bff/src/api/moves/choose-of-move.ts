import type { Move } from '@gatehouse/api-types/console/moves';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { sorted } from '#ground/fields-revision.ts';
import { choiceOf, kindOf } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const chooseOfMove: Operation<'moves.choose'> = audited(
  { became: ofMove(() => undefined) },
  async (context, call) => {
    const { body, revision } = call;
    const move = await ownMove(context, call);
    call.note.saw({ id: move.id, name: move.address, revision: String(move.revision) });
    const busy = notNow('Pause the move before you change what to copy.');
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
        if (JSON.stringify(sorted(choiceOf(current))) === JSON.stringify(sorted(body))) return read();
        const result =
          String(current.revision) === revision ? await context.moveChoices.choose(current, body) : 'changed';
        if (result === 'changed') throw busy;
        const isPlanning = current.pause_while === 'planning';
        if (result === 'places' && !isPlanning) {
          const to = { state: 'planning', used_token: current.used_token } as const;
          await context.moveJobs.begin(move.id, ['planned', 'paused', 'done'], to, by);
        }
        return read();
      },
    });
  },
);
