import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Icon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { maskedText } from '@gatehouse/ui/secret-value';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote, VisibleEnds } from '@gatehouse/ui/visible-ends';
import { CircleDashed, Eye, EyeOff, Undo2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { isUnseen } from '../-fields/secret-values.ts';
import { EntryValue } from './EntryValue.tsx';

// Loaded after the form is shown.
const FieldMenu = lazy(async () => ({ default: (await import('./field-tools.ts')).FieldMenu }));
const GenerateValue = lazy(async () => ({ default: (await import('./field-tools.ts')).GenerateValue }));

export interface FieldEditorProps {
  name: string;
  /** JSON text; undefined if the field is being removed. */
  value: string | undefined;
  /** Undefined for a new field. */
  stored: string | undefined;
  /** Whether a stored field has this name is hidden. */
  isBlind: boolean;
  isShown: boolean;
  /** Just added: its value gets the focus. */
  isNew: boolean;
  /** Reads the stored value into the form; false if that failed. Undefined if it can't be read. */
  read: (() => Promise<boolean>) | undefined;
  onShow: (isShown: boolean) => void;
  onChange: (value: string) => void;
  onRemove: () => void;
  onUndo: () => void;
  /** Why a name isn't allowed; undefined if it is. */
  checkName: (name: string) => string | undefined;
  onRename: (name: string) => void;
  mark: ReactNode;
  isInConflict: boolean;
}

/** One field in the form, masked until you reveal it to edit. */
export function FieldEditor(props: FieldEditorProps) {
  const { name, value, stored, isBlind, isShown, isNew, read, onShow, onChange, onRemove, onUndo } = props;
  const { mark, isInConflict } = props;
  const [isRenaming, setRenaming] = useState(false);
  const [isReading, setReading] = useState(false);
  /** Whether the value gets the focus when it is shown. */
  const [isFocused, setFocused] = useState(isNew);
  const label = name === '' ? '""' : name;
  const isHidden = isUnseen(value);
  const isRemoved = value === undefined;
  const isChanged = stored !== undefined && value !== stored;
  /** Continues once the value is in the form. */
  const withValue = (then: () => void): void => {
    if (!isHidden) {
      then();
      return;
    }
    setReading(true);
    void read?.().then((wasRead) => {
      setReading(false);
      if (wasRead) then();
    });
  };
  const generate = (
    // The button's place is kept: it may begin a line, and would move the fields below from under the pointer.
    <Suspense
      fallback={
        <span aria-hidden className="invisible">
          <Button size={28}>Generate</Button>
        </span>
      }
    >
      <GenerateValue
        label={label}
        onUse={(text) => {
          onChange(JSON.stringify(text));
        }}
      />
    </Suspense>
  );
  return (
    <li
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b border-line py-1.5 last:border-b-0 narrow:grid-cols-[minmax(96px,24%)_minmax(0,1fr)_auto]"
    >
      <div className="flex min-w-0 flex-col items-start gap-1 py-1">
        {isRenaming ? (
          <Rename
            {...props}
            onDone={() => {
              setRenaming(false);
            }}
          />
        ) : (
          <span
            className={`font-mono text-meta/5 wrap-anywhere ${isRemoved ? 'text-ink-3 line-through' : 'text-ink-1'}`}
          >
            <VisibleEnds text={label} />
          </span>
        )}
        {isRemoved && <Badge tone="danger">Removed</Badge>}
        {stored === undefined && !isBlind && <Badge tone="ok">New</Badge>}
        {stored === undefined && isBlind && !isRemoved && <Badge tone="info">Set</Badge>}
        {isChanged && !isRemoved && <Badge tone="info">Changed</Badge>}
      </div>
      <div className="flex min-w-0 flex-col gap-1 py-0.5 max-narrow:order-last max-narrow:col-span-full">
        {isInConflict ? (
          <span className="flex items-center gap-2 py-1 text-body text-ink-2">
            <Icon icon={CircleDashed} size={14} className="text-warn" />
            See the decision above
          </span>
        ) : isRemoved ? (
          <span className="py-1 text-body text-ink-3">This field will be removed.</span>
        ) : isShown ? (
          <EntryValue
            label={label}
            value={value}
            onChange={onChange}
            autoFocus={isFocused}
            beside={generate}
          />
        ) : (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {isHidden && read === undefined ? (
              <span className="text-body text-ink-2">You can't see this value.</span>
            ) : (
              <span className="font-mono text-meta/5 text-ink-1">
                {maskedText}
                <span className="sr-only"> (masked)</span>
              </span>
            )}
            <Button
              size={28}
              aria-label={`Replace ${label}`}
              onPress={() => {
                setFocused(true);
                onChange('""');
                onShow(true);
              }}
            >
              Replace
            </Button>
            {generate}
          </span>
        )}
        {mark}
      </div>
      <div className="flex">
        {!isRemoved && !isInConflict && (!isHidden || read !== undefined) && (
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? `Hide ${label}` : `Reveal to edit ${label}`}
            isPending={isReading}
            onPress={() => {
              setFocused(false);
              if (isShown) onShow(false);
              else
                withValue(() => {
                  onShow(true);
                });
            }}
          />
        )}
        {(isChanged || isRemoved || isBlind) && !isInConflict && (
          <IconButton icon={Undo2} label={`Undo ${label}`} onPress={onUndo} />
        )}
        {!isRemoved && !isInConflict && (
          <Suspense fallback={<span className="size-8" />}>
            <FieldMenu
              label={label}
              canRename={!isHidden || read !== undefined}
              onRename={() => {
                withValue(() => {
                  setRenaming(true);
                });
              }}
              onRemove={onRemove}
            />
          </Suspense>
        )}
      </div>
    </li>
  );
}

function Rename({ name, checkName, onRename, onDone }: FieldEditorProps & { onDone: () => void }) {
  const [text, setText] = useState(name);
  const problem = text === name ? undefined : checkName(text);
  const finish = (): void => {
    if (problem !== undefined) return;
    if (text !== name) onRename(text);
    onDone();
  };
  return (
    <span
      className="w-full"
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          finish();
        } else if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          onDone();
        }
      }}
    >
      <TextField
        label={`New name of ${name}`}
        isLabelHidden
        isMono
        autoFocus
        autoComplete="off"
        spellCheck="false"
        value={text}
        onChange={setText}
        onBlur={finish}
        error={problem}
      />
      <EndsNote text={text} />
    </span>
  );
}
