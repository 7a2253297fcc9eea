import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { Eye } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { MapEditorProps, MapEntries } from '#components/form/record-form.ts';
import { useRoundsNumbers } from '#components/form/secrets-client.ts';
import { counted } from '#lib/counted.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { fieldName, formKey } from '../-fields/form-keys.ts';
import { isUnseen } from '../-fields/secret-values.ts';
import { AddField } from './AddField.tsx';
import { FieldEditor } from './FieldEditor.tsx';
import { roundedIn } from './rounded-numbers.ts';
import { useSecretEditing, type EditMode } from './secret-editing.ts';

/** The maximum number of rounded numbers named; the rest are counted. */
const named = 5;

// Loads CodeMirror only for users who edit JSON.
const JsonText = lazy(async () => ({ default: (await import('./JsonText.tsx')).JsonText }));

const modes = [
  { value: 'fields', label: 'Fields' },
  { value: 'json', label: 'JSON' },
] as const;

/** The fields in the form, one by one or as JSON. */
export function SecretFieldsInput(props: MapEditorProps) {
  const { mode, onModeChange, read, textProblem } = useSecretEditing();
  const { error, value } = props;
  const [isReading, setReading] = useState(false);
  const isHidden = Object.values(value).some(isUnseen);
  /** JSON shows all values, so those that are hidden are read first. */
  const show = async (next: EditMode): Promise<void> => {
    if (next === 'json' && isHidden && read !== undefined) {
      setReading(true);
      const wasRead = await read();
      setReading(false);
      if (!wasRead) return;
    }
    onModeChange(next);
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {(!isHidden || read !== undefined) && (
        <div className="flex flex-wrap items-center gap-3">
          <SegmentedControl
            label="Edit as"
            segments={modes}
            value={mode}
            onChange={(next) => void show(next)}
          />
          {isHidden && (
            <Button
              size={28}
              variant="ghost"
              icon={Eye}
              isPending={isReading}
              onPress={() => {
                setReading(true);
                void read?.().finally(() => {
                  setReading(false);
                });
              }}
            >
              Reveal all to edit
            </Button>
          )}
          {mode === 'json' && textProblem !== undefined && (
            <span className="text-meta text-ink-2">Fix the JSON to switch back to fields.</span>
          )}
        </div>
      )}
      {mode === 'json' && !isHidden ? (
        <Suspense fallback={<SkeletonList label="Loading the editor" lines={8} />}>
          <JsonText {...props} />
        </Suspense>
      ) : (
        <Fields {...props} />
      )}
      <RoundedNumbers value={props.value} />
      {error !== undefined && error !== '' && (
        <p role="alert" className="text-body text-danger wrap-anywhere">
          {error}
        </p>
      )}
    </div>
  );
}

function Fields({ value, stored, onChange, onBlur, markOf, inConflict }: MapEditorProps) {
  const { read, isBlind, othersRound } = useSecretEditing();
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [added, setAdded] = useState<string>();
  useForgetting(() => {
    setShown(new Set());
  });
  const [round, setRound] = useState(othersRound);
  if (round !== othersRound) {
    // Someone else's values are now in the form: mask everything again.
    setRound(othersRound);
    if (othersRound > 0) setShown(new Set());
  }
  const put = (key: string, text: string): void => {
    onChange({ ...value, [key]: text });
  };
  const show = (key: string, isShown: boolean): void => {
    setShown((before) => (isShown ? new Set([...before, key]) : before.difference(new Set([key]))));
  };
  // Removed fields stay in place until you save.
  const keys = withRemoved(Object.keys(value), Object.keys(stored));
  const checkName = (name: string): string | undefined => {
    if (name === '') return 'A field needs a name.';
    if (!name.isWellFormed()) return "The name isn't valid Unicode.";
    return Object.hasOwn(value, formKey(name)) ? 'A field with this name already exists.' : undefined;
  };
  return (
    <div onBlur={onBlur}>
      {keys.length === 0 ? (
        <p className="py-2 text-body text-ink-2">
          {isBlind
            ? 'No fields yet. Enter the name of a field to set or remove.'
            : 'No fields yet. Enter a name for the first field.'}
        </p>
      ) : (
        <ul aria-label="Fields" className="border-b border-line">
          {keys.map((key) => (
            <FieldEditor
              key={key}
              name={fieldName(key)}
              // In a patch, null removes the field.
              value={isBlind && value[key] === 'null' ? undefined : value[key]}
              stored={stored[key]}
              isBlind={isBlind}
              isShown={shown.has(key)}
              isNew={key === added}
              isInConflict={inConflict.has(key)}
              mark={
                markOf(key) ??
                (othersRound > 0 && isUnseen(value[key]) && (
                  <span className="text-meta text-ink-2">Not compared: stored value kept</span>
                ))
              }
              checkName={checkName}
              read={read && (() => read([fieldName(key)]))}
              onShow={(isShown) => {
                show(key, isShown);
              }}
              onChange={(text) => {
                put(key, text);
              }}
              onRemove={() => {
                if (isBlind) put(key, 'null');
                else onChange(without(value, key));
                show(key, false);
              }}
              onUndo={() => {
                const was = stored[key];
                if (was !== undefined) put(key, was);
                else onChange(without(value, key));
                show(key, false);
              }}
              onRename={(name) => {
                onChange(renamed(value, key, formKey(name)));
                if (shown.has(key)) setShown(new Set([...shown, formKey(name)]));
              }}
            />
          ))}
        </ul>
      )}
      <AddField
        checkName={checkName}
        onAdd={(name) => {
          const key = formKey(name);
          put(key, '""');
          setAdded(key);
          show(key, true);
        }}
        onPaste={({ data }) => {
          const keys = Object.keys(data);
          const replaced = keys.filter((key) => Object.hasOwn(value, key)).length;
          onChange({ ...value, ...data });
          toasts.ok({
            title: `${counted(keys.length, 'field')} pasted`,
            ...(replaced > 0 && { detail: `${counted(replaced, 'field')} had a value, which is replaced.` }),
          });
        }}
        onRemove={
          isBlind
            ? (name) => {
                put(formKey(name), 'null');
              }
            : undefined
        }
      />
      {Object.values(value).some(isUnseen) && (
        <p className="pt-3 text-meta text-ink-2">
          {othersRound > 0
            ? "Values you didn't reveal weren't compared. Saving keeps them as they are stored now, with others' changes."
            : "Values you don't replace stay unchanged."}
        </p>
      )}
    </div>
  );
}

function without(entries: MapEditorProps['value'], key: string): MapEditorProps['value'] {
  return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== key));
}

/** The entries with one renamed in place. */
function renamed(entries: MapEditorProps['value'], key: string, next: string): MapEditorProps['value'] {
  return Object.fromEntries(
    Object.entries(entries).map(([other, text]) => [other === key ? next : other, text]),
  );
}

/** The keys, with removed ones after the key that preceded them. */
export function withRemoved(keys: readonly string[], stored: readonly string[]): readonly string[] {
  const all = [...keys];
  const present = new Set(keys);
  for (const [index, key] of stored.entries()) {
    if (present.has(key)) continue;
    const before = stored[index - 1];
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, key);
  }
  return all;
}

/** Warns of numbers that the server would return rounded. */
function RoundedNumbers({ value }: { value: MapEntries }) {
  const roundsNumbers = useRoundsNumbers();
  const found = roundsNumbers ? roundedIn(value) : [];
  if (found.length === 0) return null;
  return (
    <Banner
      tone="warn"
      title={
        found.length === 1
          ? 'The server rounds a number'
          : `The server rounds ${found.length.toLocaleString('en')} numbers`
      }
    >
      <p>It keeps 15 to 17 digits. Put a number in double quotes to keep every digit.</p>
      <ul className="mt-1 list-disc ps-5">
        {found.slice(0, named).map(({ name, becomes }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-mono text-meta">{name}</span>
            {becomes === null ? " is too large. The secret couldn't be read again" : ` becomes ${becomes}`}
          </li>
        ))}
        {found.length > named && <li>and {(found.length - named).toLocaleString('en')} more</li>}
      </ul>
    </Banner>
  );
}
