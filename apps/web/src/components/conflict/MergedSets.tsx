import { diffSets } from '@gatehouse/record-merge/diff';
import { SetChecklist, type SetMember } from '@gatehouse/ui/set-checklist';
import { byWhom } from './author-words.ts';
import { acceptedChanges, samePath, valueAtPath, type ChangedMeanwhile } from './conflict-state.ts';
import type { ConflictWords } from './conflict-words.ts';

export interface MergedSetsProps<T> {
  state: ChangedMeanwhile<T>;
  /** The form's current record. */
  values: T;
  words: ConflictWords;
  onChange: (path: readonly string[], members: readonly string[]) => void;
}

/** Every set that was changed: the members added and removed, by whom, and the result. */
export function MergedSets<T>({ state, values, words, onChange }: MergedSetsProps<T>) {
  const changed = acceptedChanges(state).filter(({ kind }) => kind === 'set');
  return changed.map((change, index) => {
    if (changed.findIndex((other) => samePath(other.path, change.path)) !== index) return null;
    const before = stringsOf(change.before);
    const stored = stringsOf(valueAtPath(state.theirs, change.path));
    const included = new Set(stringsOf(valueAtPath(values, change.path)));
    const { added, removed } = diffSets(before, stringsOf(change.after));
    const theirs = diffSets(before, stored);
    const members: SetMember[] = [...new Set([...before, ...stored, ...stringsOf(change.after)])].map(
      (id) => ({
        id,
        label: words.show(change.path, [id]),
        change: added.includes(id) ? 'added' : removed.includes(id) ? 'removed' : 'kept',
        by: theirs.added.includes(id) || theirs.removed.includes(id) ? byWhom(state) : 'by you',
        isIncluded: included.has(id),
      }),
    );
    return (
      <div key={change.path.join('.')} className="flex flex-col gap-2">
        <h3 className="font-medium text-ink-1">
          {words.labelOf({ path: change.path, id: change.path.join('/') })}
        </h3>
        <SetChecklist
          label={words.labelOf({ path: change.path, id: change.path.join('/') })}
          members={members}
          onChange={(id, isIncluded) => {
            const next = new Set(included);
            if (isIncluded) next.add(id);
            else next.delete(id);
            onChange(change.path, [...next]);
          }}
        />
      </div>
    );
  });
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
