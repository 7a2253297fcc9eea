import { stringOf } from '@gatehouse/api-types/console/json-text';
import { toldVersion, type Secret } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { Banner } from '@gatehouse/ui/banner';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Author } from '#components/conflict/conflict-state.ts';
import { recreated } from '#components/conflict/recreate-record.ts';
import { AsCode } from '#components/form/AsCode.tsx';
import type { Stored } from '#components/form/record-form.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { folderHref, fullName, secretHref } from '#components/places/secrets.ts';
import { namesOf } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { isApiError } from '#lib/api-error.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderOf } from '#lib/folder-of.ts';
import { usePolling } from '#lib/polling.ts';
import {
  secretQuery,
  useCreateSecret,
  useWriteSecret,
  type SecretPlace,
  type WriteMode,
} from '#queries/secrets.ts';
import { SaveAs } from '#routes/$environment/secrets/-editing/SaveAs.tsx';
import { secretAsCode, secretNote } from '#routes/$environment/secrets/-editing/secret-as-code.ts';
import { SecretEditingContext } from '#routes/$environment/secrets/-editing/secret-editing.ts';
import { editSecretForm } from '#routes/$environment/secrets/-editing/secret-form.ts';
import { patchBetween, sameMembers, wholeText } from '#routes/$environment/secrets/-editing/secret-write.ts';
import {
  guardedForm,
  othersRoundOf,
  useSecretEditing,
} from '#routes/$environment/secrets/-editing/use-secret-editing.ts';
import { fieldName } from '#routes/$environment/secrets/-fields/form-keys.ts';
import type { PatchOutcome } from '#routes/$environment/secrets/-fields/patch-of.ts';
import {
  dataOfValues,
  isUnseen,
  knownValues,
  type SecretValues,
} from '#routes/$environment/secrets/-fields/secret-values.ts';
import { beginEdit } from './begin-edit.ts';
import { useStoredValues } from './use-stored-values.ts';

export interface EditSecretFormProps {
  place: SecretPlace;
  /** The secret as last read. You edit the first version read; later changes count as changes by others. */
  latest: Secret;
}

/**
 * Edits the newest version and saves the next, with its number as check-and-set. Values are read when you reveal them,
 * and of fields that you and someone else may both have changed.
 */
export function EditSecretForm({ place, latest }: EditSecretFormProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const write = useWriteSecret(place);
  const create = useCreateSecret({ ...recreated, again: true });
  const [secret] = useState(latest);
  const [start] = useState(() => beginEdit(secret));
  const { canRead, isBlind, isEmpty } = start;
  const editing = useSecretEditing(isBlind);
  const { structure, whole, learn, theirsOf } = useStoredValues(place, start, editing, () => form);
  const [chosen, setChosen] = useState<WriteMode>();
  const hasVersion = start.revision !== unknownRevision;
  usePolling(secretQuery(place), 15);
  const go = (href: string, replace = false): void => void navigate({ href, replace });

  const form = useRecordForm<SecretValues>({
    spec: editSecretForm,
    stored: { record: start.values, revision: start.revision },
    readRecord: (current) => theirsOf(toldVersion.parse(current)),
    mayWrite: async () => {
      const reason = reasons[mode];
      if (reason !== undefined) toasts.danger({ title: 'Not saved', detail: reason });
      return reason === undefined;
    },
    write: async (values, stored, guard) => {
      const data =
        mode === 'whole'
          ? wholeText(values, editing.exactText.current)
          : patchText(patchBetween(stored.record, values, { structure, isBlind }));
      if (isNothingToWrite(values, stored, data)) return stored;
      const saved = await write.mutateAsync({ mode, ...guard, data, isReadable: !isDeleted(secret) });
      toasts.ok({ title: `Version ${saved.revision} of ${fullName(place)} saved` });
      return { record: values, revision: saved.revision };
    },
    onSaved: () => {
      go(secretHref(place));
    },
    reread: () => rereadSecret(),
  });

  const isNothingToWrite = (
    values: SecretValues,
    { record, revision }: Stored<SecretValues>,
    data: string,
  ): boolean => {
    if (mode === 'patch') return data === '{}';
    if (isEmpty || dataOfValues(record) !== dataOfValues(values)) return false;
    // Repeated names change the stored text, although no field changes.
    return revision !== whole?.revision || sameMembers(whole.text, data);
  };

  /** The secret from the server; undefined if it is gone, or was deleted since the edit began. */
  const newest = async (): Promise<Secret | undefined> => {
    try {
      const found = await queryClient.fetchQuery({ ...secretQuery(place), staleTime: 0 });
      return wasDeleted(secret, found) ? undefined : found;
    } catch (error) {
      if (isApiError(error, 'not-found')) return undefined;
      throw error;
    }
  };

  const rereadSecret = async (): Promise<(Stored<SecretValues> & Author) | undefined> => {
    const found = await newest();
    if (found === undefined) return undefined;
    const { version, revision } = found;
    return {
      record: await theirsOf({
        revision,
        state: version?.state ?? 'deleted',
        structure: version?.structure ?? null,
      }),
      revision,
      changedBy: null,
      changedAt: version?.created_time ?? null,
    };
  };

  const known = knownValues(form.values);
  const unread = Object.keys(form.values.data).filter((key) => isUnseen(form.values.data[key]));
  const patch = patchIn(form.stored.record, form.values, { structure, isBlind });
  const reasons: Record<WriteMode, string | undefined> = {
    whole:
      unread.length > 0 || isBlind
        ? canRead
          ? 'Reveal all values first. Replacing all fields would delete those that are hidden.'
          : "Replacing all fields would delete the values you can't see."
        : secret.may !== null && !secret.may.update
          ? "Your policies don't let you replace all fields."
          : undefined,
    patch:
      secret.may !== null && !secret.may.patch && !(secret.may.read && secret.may.update)
        ? "Your policies don't let you patch this secret."
        : isEmpty
          ? 'No readable version exists to patch.'
          : patch !== undefined && 'reason' in patch
            ? patch.reason
            : undefined,
  };
  const wanted: WriteMode = chosen ?? (isEmpty || whole !== undefined ? 'whole' : 'patch');
  const other: WriteMode = wanted === 'patch' ? 'whole' : 'patch';
  const mode: WriteMode = reasons[wanted] !== undefined && reasons[other] === undefined ? other : wanted;

  const recreate = (): void => {
    const data = wholeText(known, editing.exactText.current);
    create.mutateAsync({ place, data }).then(
      (made) => {
        toasts.ok({ title: `${fullName(place)} recreated`, detail: `Saved as version ${made.revision}.` });
        form.release();
        go(secretHref(place), true);
      },
      (error: unknown) => {
        const { title, detail } = wordsOf(error);
        toasts.danger({ title: `Not recreated: ${title}`, detail });
      },
    );
  };

  const read = async (names?: readonly string[]): Promise<boolean> => {
    try {
      await learn(names);
      return true;
    } catch (error) {
      const { title, detail } = wordsOf(error);
      toasts.danger({ title: `Not revealed: ${title}`, detail });
      return false;
    }
  };

  const isGone = form.conflict.kind === 'deleted';
  const shown = guardedForm(form, editing);
  // The page learns only the number of a newer version: its values are read when you compare.
  const isBehind =
    !form.isSaving &&
    form.conflict.kind !== 'deleted' &&
    (Number(latest.revision) > Number(form.stored.revision) || wasDeleted(secret, latest)) &&
    form.compare !== undefined;
  return (
    <SecretEditingContext
      value={{ ...editing, othersRound: othersRoundOf(form), read: canRead && !isEmpty ? read : undefined }}
    >
      <RecordFormView
        form={{ ...shown, isBehind, catchUp: form.compare ?? form.catchUp }}
        saveLabel={
          hasVersion ? `Save as version ${String(Number(form.stored.revision) + 1)}` : 'Save these fields'
        }
        notice={isBlind && <BlindNotice hasVersion={hasVersion} />}
        onCancel={() => {
          if (isGone) form.release();
          go(isGone ? folderHref({ ...place, path: folderOf(place.path) }) : secretHref(place), isGone);
        }}
        copyText={() => dataOfValues(known, true)}
        {...(canRead
          ? { secretText }
          : {
              noteOf: (by) =>
                `You set this field, and another version was written ${by}. That version may have changed it too.`,
            })}
        {...(canRead &&
          (unread.length === 0 || Object.keys(known.data).length > 0) && {
            recreate: {
              note: noteOnRecreating(unread),
              isPending: create.isPending,
              run: recreate,
            },
          })}
      >
        <div className="flex flex-col gap-6">
          {canRead && !isEmpty && (
            <p className="text-meta text-ink-2">
              Values are read when you reveal them. Activity records each reveal.
            </p>
          )}
          <ReadersNote place={place} />
          <SaveAs mode={mode} reasons={reasons} onChange={setChosen} />
          <AsCode
            code={secretAsCode({
              place,
              mode,
              ...(hasVersion && { cas: form.stored.revision ?? '0' }),
              isBlind,
              before: form.stored.record,
              after: form.values,
            })}
            note={secretNote}
          />
        </div>
      </RecordFormView>
    </SecretEditingContext>
  );
}

/** Names the targets whose next sessions get the saved values. */
function ReadersNote({ place }: { place: SecretPlace }) {
  const targets = useTargetsReading(place)?.items ?? [];
  if (targets.length === 0) return null;
  return (
    <Banner tone="info" announce="none" title="Targets read this secret">
      New sessions on {counted(targets.length, 'target')} get the version that you save: {namesOf(targets)}.
    </Banner>
  );
}

/** For users who can see neither values nor field names. */
function BlindNotice({ hasVersion }: { hasVersion: boolean }) {
  return (
    <Banner tone="info" announce="none" title="Your policies hide the stored secret">
      Only the fields you enter here are set or removed. All others stay unchanged.
      {!hasVersion &&
        " The version is hidden too, so the console can't detect changes by others. Your values replace theirs."}
    </Banner>
  );
}

/** A value's text; the JSON of a value that isn't a string. */
function secretText(text: unknown): string {
  if (typeof text !== 'string') return '';
  return isUnseen(text) ? '(not read)' : (stringOf(text) ?? text);
}

/** The most fields named in a note; the rest are counted. */
const namedMost = 5;

function noteOnRecreating(unread: readonly string[]): string {
  const note = 'Recreating the secret saves your values as a new version.';
  if (unread.length === 0) return note;
  const names = unread.slice(0, namedMost).map((key) => fieldName(key));
  const more =
    unread.length > namedMost ? ` and ${(unread.length - namedMost).toLocaleString('en')} more` : '';
  return `${note} It won't have the fields that weren't read: ${names.join(', ')}${more}.`;
}

/** Whether the newest version was readable when the edit began, and has been deleted or destroyed since. */
function wasDeleted(before: Secret, now: Secret): boolean {
  return !isDeleted(before) && isDeleted(now);
}

function isDeleted({ version }: Secret): boolean {
  return version?.state === 'deleted' || version?.state === 'destroyed';
}

/** Undefined while a value isn't JSON yet. */
function patchIn(...of: Parameters<typeof patchBetween>): PatchOutcome | undefined {
  try {
    return patchBetween(...of);
  } catch {
    return undefined;
  }
}

/** The patch's text. @throws Error without a patch, which is refused before */
function patchText(patch: PatchOutcome): string {
  if ('text' in patch) return patch.text;
  throw new Error(patch.reason);
}
