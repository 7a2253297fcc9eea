import { harmOfBoxChanges } from '@gatehouse/api-types/console/harm-of';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { holds } from '#shared/boxes/holds.ts';
import { boxes } from '#shared/boxes/kinds.ts';
import { createStored, notThere } from '#shared/boxes/records.ts';
import { ofRun } from '#shared/publish/became.ts';
import { doStep } from '#shared/publish/do-step.ts';
import { runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { readBox, updateBox } from '#upstreams/box-registry/boxes.ts';

export const publishBox: Operation<'publishRuns.publishBox'> = audited(
  { became: ofRun(({ plan }) => plan.box?.step.state === 'done'), harm: 'by stored state' },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const { box } = run.plan;
    if (box === null) throw new ProblemError('invalid-request', 'Choose a box or describe a new one first.');
    const caller = await boxesCaller(context, call);
    const { username, name, create } = box;
    return doStep(context, {
      run: run.id,
      what: `The box ${username}/${name}`,
      keep: (plan, step) => ({ ...plan, box: plan.box === null ? null : { ...plan.box, step } }),
      work: async () => {
        const stored = await readBox(caller, { username, name });
        if (stored === null) {
          if (create === null) throw notThere(caller, 'box');
          const fields = { name, ...create };
          await createStored(boxes, caller, { username }, fields, call);
          return 'created';
        }
        if (create === null || call.body.existing === 'use' || holds(stored, create)) return 'used';
        if (call.body.existing === undefined) return 'exists';
        await call.guard.pass(harmOfBoxChanges(create, stored));
        // Who sees it is sent only where it was judged: it may have been changed since.
        const { is_private, ...texts } = create;
        await updateBox(caller, { username, name }, is_private === stored.is_private ? texts : create);
        return 'updated';
      },
    });
  },
);
