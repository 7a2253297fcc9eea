import * as at from '@gatehouse/api-types/console/addresses/modules';
import {
  deprecationFields,
  type Deprecation,
  type Module,
  type ModuleVersion,
  type VersionChoice,
} from '@gatehouse/api-types/console/modules';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { CodeBlock } from '@gatehouse/ui/code';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Dialog } from '@gatehouse/ui/dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { TextArea } from '@gatehouse/ui/text-area';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { problemsOf } from '#components/form/field-problems.ts';
import { useAskToLeave } from '#components/form/use-ask-to-leave.tsx';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { tellUndoable } from '#components/guards/tell-undoable.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { changesSince } from '#components/record/changes-since.ts';
import { useGuarded } from '#components/record/use-guarded.ts';
import { isApiError } from '#lib/api-error.ts';
import { conflictTitles, failureTitle, wordsOf } from '#lib/error-words.ts';
import { useVersionChanges, type ModuleVersionPlace } from '#queries/module-changes.ts';
import { deprecationWords } from '#routes/$environment/modules/deprecation-words.ts';
import { deprecateAsCode, moduleSetUp } from './module-as-code.ts';
import { moduleVersionKind } from './version-kind.ts';

interface ReplacementChoice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
}

const effects: Readonly<Record<Deprecation['state'], string>> = {
  deprecated:
    'Clients can still download it, and it can still be the latest. Users who open it in the console, or install it with a client that shows warnings, see your message.',
  revoked:
    'Configurations that use it can still download it, so nothing breaks immediately. A revoked version is never the latest, and is shown with a warning.',
};

/** Marks a version as deprecated or revoked with a message and a replacement, or edits that notice. */
export function DeprecateVersion({
  place,
  module,
  version,
  state,
  onClose,
}: {
  place: ModuleVersionPlace;
  module: Module;
  version: ModuleVersion;
  state: Deprecation['state'];
  /** Called with whether the version is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const changes = useVersionChanges(place);
  const tag = `${place.name} ${version.version}`;
  const { rung, asks } = useLadder(at.moduleVersions.deprecate.harm, version.version);
  const [message, setMessage] = useState(version.deprecation?.message ?? '');
  const [replacement, setReplacement] = useState(version.deprecation?.replacement ?? '');
  const [chosen, setChosen] = useState<string | null>(null);
  const { problems, form, refuse } = useFieldProblems<HTMLDivElement>();
  const fields = { state, message: message.trim(), replacement: replacement.trim() };
  const isEdit = version.deprecation?.state === state;

  const undo = (saved: ModuleVersion, before: Deprecation | null): Promise<unknown> =>
    before === null
      ? changes.restore(saved.revision)
      : changes.deprecate(saved.revision, {
          state: before.state,
          message: before.message,
          replacement: before.replacement,
        });
  const { seen, newer, isPending, error, run } = useGuarded({
    item: version,
    act: ({ revision }) => changes.deprecate(revision, fields),
    newerOf: ({ current }) => moduleVersionKind.schema.safeParse(current).data,
    onDone: (saved, { deprecation: before }) => {
      const done = isEdit ? `${tag} saved` : `${tag} ${state}`;
      if (rung === 'undo') {
        tellUndoable({
          done,
          undo: () => undo(saved, before),
          undone: before === null ? `${tag} is no longer ${state}` : `Change to ${tag} undone`,
        });
      } else toasts.ok({ title: done });
      onClose(false);
    },
    onGone: () => {
      changes.forget();
      toasts.warn({ title: `${tag} has been deleted` });
      onClose(true);
    },
  });
  const submit = (): void => {
    if (!isPending && !refuse(problemsOf(deprecationFields, fields))) run();
  };
  const isConflict = newer !== undefined && isApiError(error, 'conflict');
  const verb = state === 'revoked' ? 'Revoke' : 'Deprecate';
  const { askToLeave, asking } = useAskToLeave({
    question: 'Discard your changes?',
    wouldLose:
      fields.message !== (version.deprecation?.message ?? '') ||
      fields.replacement !== (version.deprecation?.replacement ?? ''),
    leave: () => {
      onClose(false);
    },
  });
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!isPending) askToLeave();
      }}
      title={isEdit ? `Edit ${deprecationWords[state].noun} of ${tag}` : `${verb} ${tag}?`}
      description={effects[state]}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        asking ?? (
          <>
            <Button onPress={askToLeave}>Cancel</Button>
            <Button type="submit" variant={state === 'revoked' ? 'danger' : 'primary'} isPending={isPending}>
              {newer === undefined
                ? isEdit
                  ? 'Save'
                  : `${verb} version`
                : `${isEdit ? 'Save' : verb} it anyway`}
            </Button>
          </>
        )
      }
    >
      <div ref={form} className="flex flex-col gap-4">
        {error !== null && (
          <Banner tone={isConflict ? 'warn' : 'danger'} title={failureTitle(error)}>
            {isConflict
              ? 'The deprecation has changed since you opened this dialog. Confirm again if you still want your change.'
              : wordsOf(error).detail}
          </Banner>
        )}
        {newer !== undefined && (
          <DiffList
            label={conflictTitles.modified}
            beforeLabel="Last seen"
            afterLabel="Current"
            changes={changesSince(moduleVersionKind, seen, newer)}
          />
        )}
        <TextArea
          label="Message"
          description="What is wrong with this version, and what its users should do."
          isRequired
          autoFocus
          rows={3}
          value={message}
          onChange={setMessage}
          error={problems['message']}
        />
        <ComboBox
          label="Replacement"
          description="Another version, or another module's address. Leave empty if none."
          isMono
          allowsCustomValue
          options={replacementChoices(
            module.versions,
            version.version,
            replacement === chosen ? '' : replacement,
          )}
          value={chosen}
          valueLabel={replacement}
          onChange={setChosen}
          onSearch={setReplacement}
          emptyText="No version matches. Your text is used as entered."
          error={problems['replacement']}
        />
        {version.deprecation !== null && version.deprecation.state !== state && (
          <p className="text-body text-ink-2">
            The version is {version.deprecation.state} now. This overwrites its message and replacement.
          </p>
        )}
        <details className="text-body">
          <summary className="w-fit cursor-default text-ink-2">As code</summary>
          <div className="mt-2 flex flex-col gap-2">
            <CodeBlock label="API" code={deprecateAsCode(place, fields)} />
            <p className="text-meta text-ink-2">{moduleSetUp}</p>
          </div>
        </details>
        {asks.note !== undefined && <p className="text-meta text-ink-2">{asks.note}</p>}
      </div>
    </Dialog>
  );
}

/** Possible replacements, newest first and without revoked ones. @param text the text typed so far */
function replacementChoices(
  versions: readonly VersionChoice[],
  replaced: string,
  text: string,
): readonly ReplacementChoice[] {
  return versions
    .filter(({ version, deprecation }) => version !== replaced && deprecation?.state !== 'revoked')
    .filter(({ version }) => version.includes(text.trim()))
    .slice(0, 50)
    .map(({ version, deprecation }) => ({
      id: version,
      label: version,
      ...(deprecation !== null && { detail: deprecationWords[deprecation.state].word }),
    }));
}
