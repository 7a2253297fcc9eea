import { stringOf } from '@gatehouse/api-types/console/json-text';
import { toldVersion, type Secret, type VersionState } from '@gatehouse/api-types/console/secrets';
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
import { ApiError, isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderOf } from '#lib/folder-of.ts';
import { usePolling } from '#lib/polling.ts';
import {
  readValues,
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
import {
  blindPatch,
  patchBetween,
  sameMembers,
  wholeText,
} from '#routes/$environment/secrets/-editing/secret-write.ts';
import {
  guardedForm,
  othersRoundOf,
  useSecretEditing,
} from '#routes/$environment/secrets/-editing/use-secret-editing.ts';
import {
  dataOfValues,
  isUnseen,
  unseenIn,
  unseenValues,
  valuesOfData,
  type SecretValues,
} from '#routes/$environment/secrets/-fields/secret-values.ts';
import { beginEdit, type EditStart } from './begin-edit.ts';

export interface EditSecretFormProps {
  place: SecretPlace;
  /** From when the edit began. */
  secret: Secret;
  /** From the page's last poll. */
  latest: Secret;
  start: EditStart;
}

/** Edits the newest version and saves the next, with its number as check-and-set. */
export function EditSecretForm({ place, secret, latest, start }: EditSecretFormProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const write = useWriteSecret(place);
  const create = useCreateSecret({ ...recreated, again: true });
  const editing = useSecretEditing(start);
  const [chosen, setChosen] = useState<WriteMode>();
  const { isWriteOnly, isBlind } = start;
  const hasVersion = start.revision !== unknownRevision;
  usePolling(secretQuery(place), 15);
  const go = (href: string, replace = false): void => void navigate({ href, replace });

  /**
   * Reads the values someone else saved, to merge them. Recorded in the audit trail, like the edit's own read. If
   * values can't be read, returns only names.
   */
  const readTheirs = async (current: unknown): Promise<SecretValues> => {
    const { revision, state, structure } = toldVersion.parse(current);
    if (isWriteOnly) return blindValues(unseenValues(structure), form.values, revision);
    const { data } = isReadable(state) ? await readValues(place, Number(revision)) : { data: null };
    // A version that has been deleted since then has nothing to merge.
    if (data === null && start.text !== null) throw new ApiError('not-found');
    return valuesOfData(data);
  };

  const form = useRecordForm<SecretValues>({
    spec: editSecretForm,
    stored: { record: start.values, revision: start.revision },
    readRecord: readTheirs,
    write: async (values, stored, guard) => {
      const text = isWriteOnly ? null : wholeText(values, editing.exactText.current);
      if (isNothingToWrite(values, stored, text)) return stored;
      const data =
        text === null ? blindPatch(stored.record, values) : bodyOf(mode, stored.record, values, text);
      const saved = await write.mutateAsync({
        mode: isWriteOnly ? 'patch' : mode,
        ...guard,
        data,
        isReadable: !isDeleted(secret),
      });
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
    text: string | null,
  ): boolean => {
    if (text === null) return blindPatch(record, values) === '{}';
    if (start.text === null || dataOfValues(record) !== dataOfValues(values)) return false;
    // Repeated names change the stored text, although no field changes.
    return revision !== start.revision || sameMembers(start.text, text);
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
    const now = await beginEdit(place, found);
    return {
      record: isWriteOnly ? blindValues(now.values, form.values, now.revision) : now.values,
      revision: now.revision,
      changedBy: null,
      changedAt: found.version?.created_time ?? null,
    };
  };

  const patch = isWriteOnly ? undefined : patchIn(form.stored.record, form.values);
  const reasons: Record<WriteMode, string | undefined> = {
    whole: isWriteOnly
      ? "Replacing all fields would delete the values you can't see."
      : secret.may !== null && !secret.may.update
        ? "Your policies don't let you replace all fields."
        : undefined,
    patch:
      secret.may !== null && !secret.may.patch
        ? "Your policies don't let you patch this secret."
        : start.text === null && !isWriteOnly
          ? 'No readable version exists to patch.'
          : patch !== undefined && 'reason' in patch
            ? patch.reason
            : undefined,
  };
  const wanted: WriteMode = chosen ?? (isWriteOnly ? 'patch' : 'whole');
  const other: WriteMode = wanted === 'patch' ? 'whole' : 'patch';
  const mode: WriteMode = reasons[wanted] !== undefined && reasons[other] === undefined ? other : wanted;

  const recreate = (): void => {
    const data = wholeText(form.values, editing.exactText.current);
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

  const isGone = form.conflict.kind === 'deleted';
  const shown = guardedForm(form, editing);
  // The page learns only the number of a newer version: its values are read when you compare.
  const isBehind =
    !form.isSaving &&
    form.conflict.kind !== 'deleted' &&
    (Number(latest.revision) > Number(form.stored.revision) || wasDeleted(secret, latest)) &&
    form.compare !== undefined;
  return (
    <SecretEditingContext value={{ ...editing, othersRound: othersRoundOf(form) }}>
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
        copyText={() => dataOfValues(form.values, true)}
        {...(isWriteOnly
          ? {
              noteOf: (by) =>
                `You set this field, and another version was written ${by}. That version may have changed it too.`,
            }
          : { secretText })}
        {...(!isWriteOnly && {
          recreate: {
            note: 'Recreating the secret saves your values as a new version.',
            isPending: create.isPending,
            run: recreate,
          },
        })}
      >
        <div className="flex flex-col gap-6">
          {start.text !== null && (
            <p className="text-meta text-ink-2">
              The values were read when this form opened. Activity records that as a reveal.
            </p>
          )}
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
  return typeof text === 'string' ? (stringOf(text) ?? text) : '';
}

function isReadable(state: VersionState): boolean {
  return state === 'readable' || state === 'scheduled';
}

/** The names of another version whose values can't be read. Fields set here may have changed there too. */
function blindValues(names: SecretValues, set: SecretValues, revision: string): SecretValues {
  const entries = Object.entries(names.data).map(([key, text]) => {
    const wasSet = !isUnseen(set.data[key]);
    return [key, wasSet ? unseenIn(revision) : text] as const;
  });
  return { data: Object.fromEntries(entries) };
}

/** Whether the newest version was readable when the edit began, and has been deleted or destroyed since. */
function wasDeleted(before: Secret, now: Secret): boolean {
  return !isDeleted(before) && isDeleted(now);
}

function isDeleted({ version }: Secret): boolean {
  return version?.state === 'deleted' || version?.state === 'destroyed';
}

/** Undefined while a value isn't JSON yet. */
function patchIn(before: SecretValues, after: SecretValues): ReturnType<typeof patchBetween> | undefined {
  try {
    return patchBetween(before, after);
  } catch {
    return undefined;
  }
}

function bodyOf(mode: WriteMode, before: SecretValues, after: SecretValues, whole: string): string {
  if (mode === 'whole') return whole;
  const patch = patchBetween(before, after);
  return 'text' in patch ? patch.text : whole;
}
