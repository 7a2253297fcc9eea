import { clsx } from 'clsx';
import { CircleMinus, CirclePlus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button } from '../button/Button.tsx';
import { Checkbox } from '../checkbox/Checkbox.tsx';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { Icon } from '../icon/Icon.tsx';
import { Link } from '../link/Link.tsx';
import { SearchField } from '../search-field/SearchField.tsx';

export interface PickedMember {
  /** Unique in its set; the value that a form stores. */
  id: string;
  label: string;
  /** An ID, an address, a location. */
  detail?: string;
  /** A link to the member's own page. */
  href?: string;
}

export interface MemberPickerProps extends Omit<FieldProps, 'size'> {
  noun: { one: string; many: string };
  /** The stored set; differences from it are marked as added or removed. */
  stored: readonly string[];
  /** The edited set. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  /** The label of an ID. */
  member: (id: string) => PickedMember;
  /** Called with the search text; the result is passed in `found`. */
  search: string;
  onSearch: (text: string) => void;
  found: readonly PickedMember[];
  /** More candidates match than are in `found`. */
  hasMore?: boolean;
  /** A search is in progress. */
  isPending?: boolean;
  /** Why the search failed, and what to do. */
  failure?: ReactNode;
  /** Shown if there is nothing to choose. */
  emptyText: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** Members shown at once; a search finds the others. */
const shownLimit = 100;

/**
 * Edits the members of a set of references: shows members and, by search, candidates, and marks the pending changes.
 * Many members can be added, removed or replaced before saving.
 */
export function MemberPicker(props: MemberPickerProps) {
  const { field, control } = splitFieldProps(props);
  const { noun, stored, value, onChange, onBlur, member, search, onSearch, found } = control;
  const { hasMore = false, isPending = false, failure, emptyText, inputRef } = control;
  const isLocked = field.disabledReason !== undefined;
  const [before, after] = [new Set(stored), new Set(value)];
  const linked = [...before.union(after)];
  const offered = found.filter(({ id }) => !before.has(id) && !after.has(id));
  const needle = search.trim().toLowerCase();
  const matches = ({ id, label, detail = '' }: PickedMember): boolean =>
    needle === '' || [id, label, detail].some((text) => text.toLowerCase().includes(needle));
  const shown = linked.map(member).filter(matches);
  const change = (id: string, isIncluded: boolean): void => {
    const next = new Set(value);
    if (isIncluded) next.add(id);
    else next.delete(id);
    onChange([...next]);
  };
  const added = after.difference(before).size;
  const removed = before.difference(after).size;

  return (
    <Field {...field} isGroup>
      {(wiring) => (
        <div
          role="group"
          aria-labelledby={wiring['aria-labelledby']}
          aria-describedby={wiring['aria-describedby']}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
          }}
          className={clsx(
            'flex flex-col overflow-hidden rounded-control border bg-surface',
            wiring['aria-invalid'] === true ? 'border-danger' : 'border-control-line',
          )}
        >
          <div className="flex flex-wrap items-center gap-2 border-b border-line p-2">
            <div className="min-w-0 flex-1 basis-40">
              <SearchField
                label={`Search ${noun.many}`}
                value={search}
                onChange={onSearch}
                isPending={isPending}
                {...(inputRef !== undefined && { inputRef })}
              />
            </div>
            <span role="status" className="flex items-center gap-2 text-meta text-ink-2">
              {after.size === 0
                ? isLocked || offered.length === 0
                  ? `No ${noun.many}`
                  : `No ${noun.many} yet: select from the list`
                : `${after.size.toLocaleString('en')} ${after.size === 1 ? noun.one : noun.many}`}
              {added > 0 && <Mark change="added">{added.toLocaleString('en')} added</Mark>}
              {removed > 0 && <Mark change="removed">{removed.toLocaleString('en')} removed</Mark>}
            </span>
            {after.size > 0 && !isLocked && (
              <Button
                size={28}
                variant="ghost"
                aria-label={`Remove all ${noun.many}`}
                onPress={() => {
                  onChange([]);
                }}
              >
                Remove all
              </Button>
            )}
          </div>
          <div className="max-h-80 overflow-y-auto">
            {shown.slice(0, shownLimit).map((item) => (
              <MemberRow
                key={item.id}
                item={item}
                isIncluded={after.has(item.id)}
                change={!before.has(item.id) ? 'added' : after.has(item.id) ? 'kept' : 'removed'}
                isLocked={isLocked}
                onChange={change}
              />
            ))}
            {shown.length > shownLimit && (
              <p className="border-b border-line px-3 py-1.5 text-meta text-ink-2">
                {(shown.length - shownLimit).toLocaleString('en')} more. Search to find the others.
              </p>
            )}
            {!isLocked && offered.length > 0 && (
              <>
                <p className="border-b border-line bg-sunken px-3 py-1 text-meta text-ink-2">
                  Available{hasMore ? ': not all matches are shown, narrow the search' : ''}
                </p>
                {offered.map((item) => (
                  <MemberRow
                    key={item.id}
                    item={item}
                    isIncluded={false}
                    change="offered"
                    isLocked={false}
                    onChange={change}
                  />
                ))}
              </>
            )}
            {failure !== undefined && <div className="px-3 py-2 text-body text-danger">{failure}</div>}
            {failure === undefined && shown.length === 0 && (isLocked || offered.length === 0) && (
              <p className="px-3 py-2 text-body text-ink-2">
                {isPending
                  ? 'Searching'
                  : needle === ''
                    ? isLocked
                      ? 'None.'
                      : emptyText
                    : `No ${noun.one} matches "${search.trim()}".`}
              </p>
            )}
          </div>
        </div>
      )}
    </Field>
  );
}

function MemberRow({
  item,
  isIncluded,
  change,
  isLocked,
  onChange,
}: {
  item: PickedMember;
  isIncluded: boolean;
  change: 'added' | 'removed' | 'kept' | 'offered';
  isLocked: boolean;
  onChange: (id: string, isIncluded: boolean) => void;
}) {
  const words = (
    <span className="flex min-w-0 flex-col">
      <span className={clsx('wrap-anywhere', change === 'removed' && 'text-ink-3 line-through')}>
        {item.label}
      </span>
      {item.detail !== undefined && <span className="text-meta text-ink-3 wrap-anywhere">{item.detail}</span>}
    </span>
  );
  return (
    <div className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-3 py-1 last:border-b-0">
      {isLocked ? (
        words
      ) : (
        <Checkbox
          isSelected={isIncluded}
          onChange={(next) => {
            onChange(item.id, next);
          }}
        >
          {words}
        </Checkbox>
      )}
      <span className="flex shrink-0 items-center gap-3 text-meta">
        {(change === 'added' || change === 'removed') && (
          <Mark change={change}>{change === 'added' ? 'to be added' : 'to be removed'}</Mark>
        )}
        {item.href !== undefined && <Link href={item.href}>Open {item.label}</Link>}
      </span>
    </div>
  );
}

function Mark({ change, children }: { change: 'added' | 'removed'; children: ReactNode }) {
  return (
    <span className={clsx('flex items-center gap-1', change === 'added' ? 'text-ok' : 'text-danger')}>
      <Icon icon={change === 'added' ? CirclePlus : CircleMinus} size={12} />
      {children}
    </span>
  );
}
