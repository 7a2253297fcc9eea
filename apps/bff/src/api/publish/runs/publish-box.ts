import { existingBox } from '@gatehouse/api-types/console/publish';
import * as z from 'zod/mini';
import { boxesCaller } from '#api/boxes/caller.ts';
import { differing } from '#api/boxes/holds.ts';
import { boxes } from '#api/boxes/kinds.ts';
import { notThere } from '#api/boxes/records.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { checkOpen } from '#uploads/runs.ts';
import { readBox } from '#upstreams/box-registry/boxes.ts';
import { ofRun } from '../became.ts';
import { doStep } from '../do-step.ts';
import { isSamePart } from '../plan.ts';
import { createOfStep, updateOfStep } from '../record-step.ts';
import { runOf } from '../run-answer.ts';

export const publishBox: Operation<'publishRuns.publishBox'> = audited(
  {
    became: ofRun(
      ({ plan: { box } }, { wrote }) => {
        if (box === null) return undefined;
        const { step, username, name, create } = box;
        // Without a description of a new box, the step writes nothing.
        return step.state === 'done' || (create !== null && wrote(boxes, { username }, { name, ...create }));
      },
      ({ box }) => box?.step,
    ),
    harm: 'by stored state',
  },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const { box } = run.plan;
    if (box === null) throw new ProblemError('invalid-request', 'Choose a box or describe a new one first.');
    const caller = await boxesCaller(context, call);
    const { username, name, create } = box;
    return doStep(context, {
      run,
      stepOf: ({ box: now }) => now?.step,
      isWanted: (plan) => isSamePart(box, plan.box),
      what: `The box ${username}/${name}`,
      keep: (plan, step, found: z.output<typeof existingBox> | null) => ({
        ...plan,
        box:
          plan.box === null
            ? null
            : { ...plan.box, step, stored: found === null ? null : z.parse(existingBox, found) },
      }),
      work: async () => {
        const stored = await readBox(caller, { username, name });
        if (stored === null) {
          if (create === null) throw notThere(caller, 'box');
          return createOfStep(boxes, caller, { username }, { name, ...create }, call);
        }
        if (create === null || call.body.existing === 'use') return 'used';
        const changes = differing(stored, create);
        if (Object.keys(changes).length === 0) return 'used';
        return updateOfStep(boxes, caller, { username, name }, { stored, changes, call });
      },
    });
  },
);
