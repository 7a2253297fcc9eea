import type { Conflict } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { deepEqual } from '@gatehouse/record-merge/equal';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { partsInConflict, type DocumentPart } from '@gatehouse/record-merge/statement-merge';
import { Button } from '@gatehouse/ui/button';
import { DecisionFieldset, type DecisionOption } from '@gatehouse/ui/decision-fieldset';
import { ChevronDown, ChevronRight, PencilLine, UserPen, UsersRound } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { byWhom } from './author-words.ts';
import type { Author } from './conflict-state.ts';
import type { ConflictWords } from './conflict-words.ts';
import { secretOf, twinOf } from './secret-twin.ts';
import { SecretSides } from './SecretSides.tsx';

/** The ID of a conflict's fieldset, to which the summary links. */
export function decisionId(prefix: string, conflictId: string): string {
  return `${prefix}${conflictId.replaceAll(/[^\w-]/g, '-')}`;
}

/** What decisions about all fields share. */
export interface DecisionMeans {
  words: ConflictWords;
  onDecide: (id: string, decision: Decision) => void;
  /** The form's current value at a conflict, which `Edit` starts from. */
  valueOf: (conflict: Conflict) => unknown;
  /** The editor of a field, for `Edit`; undefined if the form has none. */
  renderEditor: (path: readonly string[]) => ReactNode;
}

interface ConflictDecisionProps extends DecisionMeans {
  id: string;
  conflict: Conflict;
  decision: Decision | undefined;
  author: Author;
  /** Whether a save was attempted without this decision. */
  isMissing: boolean;
  /** Why the chosen value was refused, if no editor shows it. */
  refusal: string | undefined;
}

/** A field that both sides changed: keep theirs, use mine, or enter a third value. Nothing is preselected. */
export function ConflictDecision({
  id,
  conflict,
  decision,
  author,
  words,
  valueOf,
  renderEditor,
  onDecide,
  isMissing,
  refusal,
}: ConflictDecisionProps) {
  const [isBaseShown, setBaseShown] = useState(false);
  const baseId = useId();
  const paths = conflict.fields?.map((field) => [...conflict.path, field]) ?? [conflict.path];
  const editors = paths
    .map((path) => ({ path, editor: renderEditor(path) }))
    .filter(({ editor }) => editor !== undefined);
  const by = byWhom(author);
  const isTogether = differingMembers(conflict).length > 1;
  const options: DecisionOption<Decision['choice']>[] = [
    {
      value: 'current',
      label: 'Keep current',
      icon: UsersRound,
      content: <Side conflict={conflict} side="theirs" words={words} />,
    },
    {
      value: 'mine',
      label: 'Use mine',
      icon: UserPen,
      content: <Side conflict={conflict} side="mine" words={words} />,
    },
    {
      value: 'edited',
      label: 'Edit',
      icon: PencilLine,
      content: isTogether ? 'Enter each value.' : 'Enter a different value.',
      ...(editors.length === 0 && { disabledReason: "This field can't be edited in this form." }),
    },
  ];
  return (
    <DecisionFieldset
      id={id}
      label={conflictLabel(conflict, words)}
      note={`${words.noteOf?.(by) ?? noteOf(conflict, by, words.secretText !== undefined, isTogether)}${
        partsOf(conflict).length > 0 ? ' All other statements are merged, whichever you choose.' : ''
      }`}
      options={options}
      value={decision?.choice ?? null}
      onChange={(choice) => {
        if (choice !== 'edited') {
          onDecide(conflict.id, { choice });
          return;
        }
        // Editing starts from the form's value; if that is theirs, and undecided, from mine.
        const shown = valueOf(conflict);
        const isTheirs = decision === undefined && deepEqual(shown, conflict.theirs);
        onDecide(conflict.id, { choice, value: isTheirs ? conflict.mine : shown });
      }}
      error={isMissing ? 'Decide this before you save.' : refusal}
    >
      {decision?.choice === 'edited' && (
        <div className="flex flex-col gap-3">
          {editors.map(({ path, editor }) => (
            <div key={path.join('.')}>{editor}</div>
          ))}
        </div>
      )}
      {conflict.kind === 'opaque' && words.secretText !== undefined ? (
        <SecretSides conflict={conflict} by={by} secretText={words.secretText} />
      ) : (
        <div className="flex flex-col gap-2">
          <span className="-ms-2">
            <Button
              size={28}
              variant="ghost"
              icon={isBaseShown ? ChevronDown : ChevronRight}
              aria-expanded={isBaseShown}
              {...(isBaseShown && { 'aria-controls': baseId })}
              onPress={() => {
                setBaseShown(!isBaseShown);
              }}
            >
              Value before both edits
            </Button>
          </span>
          {isBaseShown && (
            <div id={baseId} className="rounded-control bg-sunken px-3 py-2">
              <Side conflict={conflict} side="base" words={words} />
            </div>
          )}
        </div>
      )}
    </DecisionFieldset>
  );
}

/** One side's value; of a group, one line per field that differs. */
function Side({
  conflict,
  side,
  words,
}: {
  conflict: Conflict;
  side: 'base' | 'mine' | 'theirs';
  words: ConflictWords;
}): ReactNode {
  const value = conflict[side];
  const members = differingMembers(conflict);
  const parts = partsOf(conflict);
  if (parts.length > 0) {
    return (
      <span className="flex flex-col gap-2">
        {parts.map((part, index) =>
          part[side] === absent ? (
            <Value key={index} text="" isAbsent />
          ) : (
            <span
              key={index}
              className="block font-mono text-meta/5 whitespace-pre-wrap text-ink-1 wrap-anywhere"
            >
              {partText(part, side)}
            </span>
          ),
        )}
      </span>
    );
  }
  if (!conflict.fields) return <Value text={words.show(conflict.path, value)} isAbsent={value === absent} />;
  return (
    <span className="flex flex-col gap-1">
      {members.map((field) => {
        const path = [...conflict.path, field];
        const member = memberOf(value, field);
        const kept = keptSecret(conflict, value, field);
        return (
          <span key={field} className="flex flex-col">
            {members.length > 1 && (
              <span className="text-meta text-ink-3">{words.labelOf({ path, id: field })}</span>
            )}
            {kept === undefined ? (
              <Value text={words.show(path, member)} isAbsent={member === absent} />
            ) : (
              <span className="text-body text-ink-2">{kept}</span>
            )}
          </span>
        );
      })}
    </span>
  );
}

/** The conflicting statements of a policy document; the others are the same with either choice. */
function partsOf({ kind, base, mine, theirs }: Conflict): readonly DocumentPart[] {
  return kind === 'statements' ? (partsInConflict(base, mine, theirs) ?? []) : [];
}

/** A statement as in its document. */
function partText(part: DocumentPart, side: 'base' | 'mine' | 'theirs'): string {
  const value = part[side];
  const text = JSON.stringify(value, null, 2);
  return typeof value === 'object' ? text : `"${part.name}": ${text}`;
}

/** The fields of a group that differ, including secrets that were replaced, as their HMAC shows. */
export function differingMembers({ fields = [], base, mine, theirs }: Conflict): readonly string[] {
  const differs = (field: string | undefined): boolean => {
    if (field === undefined) return false;
    const [before, own, other] = [base, mine, theirs].map((side) => memberOf(side, field));
    return !deepEqual(before, own) || !deepEqual(before, other);
  };
  return fields.filter(
    (field) => secretOf(field, fields) === undefined && (differs(field) || differs(twinOf(field, fields))),
  );
}

/** What to show for a side without a new secret; undefined if it has one, or the field isn't secret. */
function keptSecret({ fields = [], base }: Conflict, side: unknown, field: string): string | undefined {
  const twin = twinOf(field, fields);
  if (twin === undefined || memberOf(side, field) !== '') return undefined;
  return deepEqual(memberOf(side, twin), memberOf(base, twin)) ? 'unchanged' : 'replaced';
}

/** The subject of a decision: for a group in which only one field differs, that field. */
export function conflictLabel(conflict: Conflict, words: ConflictWords): string {
  const names = partsOf(conflict).map(({ name }) => name || 'unnamed statement');
  if (names.length > 0) return `${words.labelOf(conflict)}: ${names.join(', ')}`;
  const [only, ...others] = differingMembers(conflict);
  return only !== undefined && others.length === 0
    ? words.labelOf({ path: [...conflict.path, only], id: only })
    : words.labelOf(conflict);
}

function memberOf(side: unknown, field: string): unknown {
  return isObject(side) && Object.hasOwn(side, field) ? side[field] : absent;
}

function Value({ text, isAbsent }: { text: string; isAbsent: boolean }) {
  if (isAbsent) return <span className="text-ink-2 italic">deleted</span>;
  if (text === '') return <span className="text-ink-2 italic">not set</span>;
  return (
    <span className="block max-h-40 overflow-y-auto text-body whitespace-pre-wrap text-ink-1 wrap-anywhere">
      {text}
    </span>
  );
}

function noteOf({ reason, kind }: Conflict, by: string, canReveal: boolean, isTogether: boolean): string {
  const secret = kind !== 'opaque' || canReveal ? '' : ' The field is a secret, so neither value is shown.';
  switch (reason) {
    case 'both-edited':
      return isTogether
        ? `Changed here and ${by}. These fields belong together, so choose one side for all.`
        : `Changed here and ${by}.${secret}`;
    case 'edited-deleted':
      return `Changed here, and deleted ${by}.${secret}`;
    case 'deleted-edited':
      return `Deleted here, and changed ${by}.${secret}`;
    case 'both-added':
      return `Added here and ${by}.${secret}`;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
