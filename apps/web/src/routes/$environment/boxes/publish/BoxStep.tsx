import { unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import {
  planBox,
  type ExistingDecision,
  type PlanBox,
  type PublishPlan,
  type PublishRun,
} from '@gatehouse/api-types/console/publish';
import { deepEqual } from '@gatehouse/record-merge/equal';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import { Skeleton } from '@gatehouse/ui/skeleton';
import { TextArea } from '@gatehouse/ui/text-area';
import { TextField } from '@gatehouse/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { focusFirstProblem, problemsOf, type FieldProblems } from '#components/form/field-problems.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { Preview } from '../-editing/Preview.tsx';
import { BoxAlreadyThere } from './AlreadyThere.tsx';
import { changesOf } from './existing-changes.ts';
import { ExistsOffer } from './ExistsOffer.tsx';
import { newDraft, planOfDraft } from './provider-drafts.ts';
import type { PublishSearch } from './publish-search.ts';
import { StepForm } from './StepForm.tsx';
import { usePlanEdit } from './use-plan-edit.ts';
import { useStep } from './use-step.ts';

/** A new box is private by default, as in the API. */
const noFields = { short_description: '', description: '', is_private: true };

/** The plan to upload an image of an existing version. */
function planOfImage({
  version = '',
  provider = '',
  architecture,
}: PublishSearch): Pick<PublishPlan, 'version' | 'providers'> {
  const draft = newDraft(provider, 'image', architecture === unknownArchitecture ? '' : architecture);
  return { version: { version, description: '' }, providers: [planOfDraft(draft, undefined)] };
}

/** Chooses a new or existing box, and starts the run. */
export function BoxStep({
  run,
  begun = {},
  onDone,
}: {
  /** Undefined before the run starts. */
  run?: PublishRun | undefined;
  /** The initial values. */
  begun?: PublishSearch;
  onDone: (run: PublishRun) => void;
}) {
  const environment = useEnvironment();
  const writes = usePublishWrites(environment.id);
  const account = useQuery(boxAccountQuery(environment.id));
  const [tagOwner = '', tagName = ''] = begun.box?.split('/') ?? [];
  const [kind, setKind] = useState<'new' | 'existing'>(
    begun.box !== undefined || (run?.box != null && run.box.create === null) ? 'existing' : 'new',
  );
  const [typedOwner, setOwner] = useState(run?.box?.username ?? tagOwner);
  const owner = typedOwner === '' ? (account.data?.namespaces[0]?.username ?? '') : typedOwner;
  const [name, setName] = useState(run?.box?.name ?? tagName);
  const [fields, setFields] = useState(run?.box?.create ?? noFields);
  const [problems, setProblems] = useState<FieldProblems>({});
  const [current, setCurrent] = useState(run);
  const step = useStep();
  const edit = usePlanEdit(environment.id, run, ({ box: planned }) => {
    setOwner(planned?.username ?? '');
    setName(planned?.name ?? '');
    setKind(planned !== null && planned.create === null ? 'existing' : 'new');
    setFields(planned?.create ?? noFields);
  });
  const form = useRef<HTMLDivElement>(null);
  const ownBoxes = useQuery({
    ...ownerQuery(environment.id, owner),
    enabled: owner !== '',
  });

  // Wait for the default owner, or you could submit without one.
  if (account.data === undefined) {
    if (account.isPending) return <Skeleton />;
    return <Failure error={account.error} onRetry={() => void account.refetch()} />;
  }
  const { namespaces } = account.data;
  const owners = namespaces.map(({ username, kind: of }) => ({
    id: username,
    label: username,
    ...(of === 'organization' && { detail: 'Organization' }),
  }));
  if (owner !== '' && !owners.some(({ id }) => id === owner)) owners.push({ id: owner, label: owner });
  const names = (ownBoxes.data?.boxes ?? []).map((box) => ({ id: box.name, label: box.name }));
  if (name !== '' && !names.some(({ id }) => id === name)) names.unshift({ id: name, label: name });

  const box: PlanBox = { username: owner, name, create: kind === 'new' ? fields : null };
  const perform = async (decision?: ExistingDecision): Promise<void> => {
    const isBegun =
      run === undefined &&
      begun.version !== undefined &&
      begun.provider !== undefined &&
      name === tagName &&
      owner === tagOwner;
    const stored = await edit.save({
      ...edit.shown,
      ...(isBegun && current === undefined && planOfImage(begun)),
      box: planBox.parse(box),
    });
    if (stored === undefined) return;
    setCurrent(stored);
    let done: PublishRun;
    try {
      done = await writes.box(stored.id, decision);
    } catch (error) {
      const failed = await writes.reload(stored.id);
      setCurrent(failed);
      edit.adopt(failed);
      throw error;
    }
    setCurrent(done);
    edit.adopt(done);
    if (done.box?.step.state === 'done') {
      step.leave(() => {
        onDone(done);
      });
    }
  };
  const submit = (): void => {
    const found = problemsOf(planBox, box);
    setProblems(found);
    if (Object.keys(found).length > 0) {
      focusFirstProblem(form.current);
      return;
    }
    void step.run(() => perform());
  };
  const saved = edit.stored().box;
  const known = saved ?? { username: '', name: tagName, create: noFields };
  const unsaved =
    Number(name !== known.name) +
    Number(kind === 'new' && !deepEqual(fields, known.create ?? noFields)) +
    Number(saved !== null && owner !== saved.username);
  const isPlanned = kind === 'new' && current?.box?.username === owner && current.box.name === name;
  const found = isPlanned ? current.box?.stored : null;
  return (
    <StepForm
      title="Choose a box"
      intro={
        begun.version === undefined
          ? 'Machines are created from boxes. A box has versions, and each version has an image for every provider.'
          : `The image for ${begun.provider ?? 'a provider'} in version ${begun.version} of this box.`
      }
      submitLabel={kind === 'new' ? 'Create the box and continue' : 'Continue'}
      step={step}
      run={current}
      unsaved={unsaved}
      edit={edit}
      values={{ ...edit.shown, box }}
      onSubmit={submit}
    >
      <div ref={form} className="flex flex-col gap-4">
        <RadioGroup
          label="Box"
          isLabelHidden
          look="card"
          direction="row"
          value={kind}
          onChange={(value) => {
            setKind(value === 'existing' ? 'existing' : 'new');
          }}
          options={[
            {
              value: 'new',
              label: 'A new box',
              description: 'Created in this step. Its first version comes next.',
            },
            {
              value: 'existing',
              label: 'An existing box',
              description: 'You publish another version of a box.',
            },
          ]}
        />
        <div className="grid grid-cols-1 gap-4 narrow:grid-cols-2">
          {!account.data.namespaces_complete ? (
            <TextField
              label="Owner"
              description="You, or an organization you publish for."
              isRequired
              isMono
              autoComplete="off"
              spellCheck="false"
              value={owner}
              onChange={setOwner}
              error={problems['username']}
            />
          ) : (
            <Select
              label="Owner"
              description="You, or an organization you publish for."
              isRequired
              options={owners}
              value={owner === '' ? null : owner}
              onChange={setOwner}
              error={problems['username']}
            />
          )}
          {kind === 'existing' && ownBoxes.isSuccess && names.length > 0 ? (
            <Select
              label="Name"
              description="One of this owner's boxes."
              isRequired
              options={names}
              value={name === '' ? null : name}
              onChange={setName}
              error={problems['name']}
            />
          ) : (
            <TextField
              label="Name"
              description={
                kind === 'existing' && ownBoxes.isSuccess
                  ? `${owner} has no boxes yet. Choose "A new box".`
                  : 'The part after the slash, as in acme/base.'
              }
              isRequired
              isMono
              autoComplete="off"
              spellCheck="false"
              value={name}
              onChange={setName}
              error={problems['name']}
            />
          )}
        </div>
        {kind === 'new' && found == null && run?.box?.step.state !== 'done' && (
          <BoxAlreadyThere
            place={{ environment: environment.id, username: owner }}
            name={name}
            boxes={ownBoxes.data?.boxes ?? []}
          />
        )}
        {kind === 'new' && (
          <>
            <TextField
              label="Short description"
              description="One line, shown in lists and search results."
              autoComplete="off"
              value={fields.short_description}
              onChange={(short_description) => {
                setFields({ ...fields, short_description });
              }}
              error={problems['create.short_description']}
            />
            <TextArea
              label="Description"
              description="Markdown."
              rows={4}
              value={fields.description}
              onChange={(description) => {
                setFields({ ...fields, description });
              }}
              error={problems['create.description']}
            />
            <Checkbox
              isSelected={fields.is_private}
              description="Only its owner (or the organization's members) and administrators of the box registry can find it."
              onChange={(is_private) => {
                setFields({ ...fields, is_private });
              }}
            >
              Private
            </Checkbox>
            <Preview text={fields.description} />
          </>
        )}
        {found != null && (
          <ExistsOffer
            what={`The box ${owner}/${name}`}
            stored={found}
            changes={changesOf([
              ['Short description', found.short_description, fields.short_description],
              ['Description', found.description, fields.description],
              ['Private', found.is_private, fields.is_private],
            ])}
            updateLabel="Use my values"
            detail="You can publish another version and leave the box unchanged, or replace its values with the ones you entered."
            isPending={step.isPending}
            onChoose={(decision) => void step.run(() => perform(decision))}
          />
        )}
      </div>
    </StepForm>
  );
}
