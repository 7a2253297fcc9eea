import {
  planVersion,
  type ExistingDecision,
  type PublishPlan,
  type PublishRun,
} from '@gatehouse/api-types/console/publish';
import { Button } from '@gatehouse/ui/button';
import { TextArea } from '@gatehouse/ui/text-area';
import { TextField } from '@gatehouse/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { focusFirstProblem, problemsOf, type FieldProblems } from '#components/form/field-problems.ts';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';
import { newestVersion, usePublishWrites } from '#queries/publish.ts';
import { Preview } from '../-editing/Preview.tsx';
import { VersionAlreadyThere } from './AlreadyThere.tsx';
import { changesOf } from './existing-changes.ts';
import { ExistsOffer } from './ExistsOffer.tsx';
import { StepForm } from './StepForm.tsx';
import { nextVersions } from './suggestions.ts';
import { usePlanEdit } from './use-plan-edit.ts';
import { useStep } from './use-step.ts';

/** The version's number and description. */
export function VersionStep({
  run,
  place,
  onDone,
}: {
  run: PublishRun;
  place: BoxPlace;
  onDone: (run: PublishRun) => void;
}) {
  const writes = usePublishWrites(run.environment);
  const { data: box } = useQuery(boxQuery(place));
  const [version, setVersion] = useState(run.version?.version ?? '');
  const [description, setDescription] = useState(run.version?.description ?? '');
  const [problems, setProblems] = useState<FieldProblems>({});
  const step = useStep();
  const form = useRef<HTMLDivElement>(null);
  const edit = usePlanEdit(run.environment, run, (plan) => {
    setVersion(plan.version?.version ?? '');
    setDescription(plan.version?.description ?? '');
  });
  const values: PublishPlan = {
    ...edit.shown,
    version: version === '' && description === '' ? null : { version, description },
  };
  const saved = edit.stored().version;
  const unsaved =
    Number(version !== (saved?.version ?? '')) + Number(description !== (saved?.description ?? ''));
  const newest = newestVersion(box);
  const found = run.version?.stored;
  const unfinished = box?.versions.filter(({ status }) => status === 'unreleased').slice(0, 3) ?? [];

  const perform = async (decision?: ExistingDecision): Promise<void> => {
    const planned = planVersion.parse({ version, description });
    const stored = await edit.save({ ...values, version: planned });
    if (stored === undefined) return;
    setVersion(planned.version);
    setDescription(planned.description);
    const done = await writes.version(stored.id, decision);
    edit.adopt(done);
    if (done.version?.step.state === 'done') {
      step.leave(() => {
        onDone(done);
      });
    }
  };
  const submit = (): void => {
    const found = problemsOf(planVersion, { version, description });
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstProblem(form.current);
    else void step.run(() => perform());
  };
  return (
    <StepForm
      title="Choose a version"
      intro={`${box === undefined ? '' : newest === undefined ? 'The first version of this box. ' : `The newest version is ${newest}. `}Clients compare numbers: 1.10.0 comes after 1.9.0.`}
      submitLabel="Create the version and continue"
      step={step}
      run={run}
      unsaved={unsaved}
      edit={edit}
      values={values}
      renderEditor={(path) =>
        path.join('.') === 'version.description' ? (
          <TextArea label="What's new" rows={5} value={description} onChange={setDescription} />
        ) : path.join('.') === 'version.version' ? (
          <TextField label="Number" isMono value={version} onChange={setVersion} />
        ) : undefined
      }
      onSubmit={submit}
    >
      <div ref={form} className="flex flex-col gap-4">
        <div className="flex flex-col gap-2">
          <TextField
            label="Number"
            isRequired
            isMono
            autoFocus
            autoComplete="off"
            spellCheck="false"
            placeholder="1.2.0"
            value={version}
            onChange={setVersion}
            error={problems['version']}
          />
          <div role="group" aria-label="Suggestions" className="flex flex-wrap items-center gap-1.5">
            {[...nextVersions(newest), ...unfinished.map((item) => item.version)].map((suggested) => (
              <Button
                key={suggested}
                size={28}
                onPress={() => {
                  setVersion(suggested);
                  setProblems({});
                }}
              >
                {unfinished.some((item) => item.version === suggested)
                  ? `Continue with ${suggested}`
                  : suggested}
              </Button>
            ))}
          </div>
        </div>
        {found?.version !== version.trim() && run.version?.step.state !== 'done' && (
          <VersionAlreadyThere place={place} number={version} versions={box?.versions ?? []} />
        )}
        <TextArea
          label="What's new"
          description="Markdown."
          rows={5}
          value={description}
          onChange={setDescription}
          error={problems['description']}
        />
        <Preview text={description} />
        {found != null && found.version === version.trim() && (
          <ExistsOffer
            what={`Version ${found.version}`}
            stored={found}
            changes={changesOf([["What's new", found.description, description]])}
            updateLabel={description === '' ? 'Remove its change notes' : 'Use these change notes'}
            detail={`${found.status === 'active' ? 'It is released. ' : ''}If you continue with it, its providers stay and yours are added.`}
            isPending={step.isPending}
            onChoose={(decision) => void step.run(() => perform(decision))}
          />
        )}
      </div>
    </StepForm>
  );
}
