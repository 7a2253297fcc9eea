import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Banner } from '../banner/Banner.tsx';
import { Button } from '../button/Button.tsx';
import { Dialog, type DialogProps } from '../dialog/Dialog.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { EndsNote } from '../visible-ends/EndsNote.tsx';
import { type Impact, ImpactList } from './ImpactList.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** A question with its object: `Delete target db-primary?` */
  title: string;
  /** What it does, in a sentence or two. */
  children?: ReactNode;
  /** What depends on it. */
  impacts?: readonly Impact[];
  /** The verb again, with its count: `Delete 12 targets`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** `secondary` where staying is the better answer: then the button that cancels is the main one. */
  tone?: 'danger' | 'primary' | 'secondary';
  /** Wider than a question, where something is to be looked at before the answer. */
  size?: DialogProps['size'];
  /**
   * What must be typed, exactly, before it can be done.
   */
  typedName?: string;
  /** Why it asks, and what comes next. */
  note?: ReactNode;
  /** What failed, inside the dialog; it stays open. */
  error?: ReactNode;
  /** Of what failed. */
  errorTitle?: string | undefined;
  isPending?: boolean;
  onConfirm: () => void;
}

/** Asks before something is done. Focus starts where a slip does no harm: on Cancel, or in the field. */
export function ConfirmDialog({
  isOpen,
  onOpenChange,
  title,
  children,
  impacts,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  size = 'small',
  typedName,
  note,
  error,
  errorTitle = 'Request failed',
  isPending = false,
  onConfirm,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [wasTried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isNameMissing = typedName !== undefined && typed !== typedName;

  useEffect(() => {
    if (isOpen) return;
    setTyped('');
    setTried(false);
  }, [isOpen]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isPending) return;
    if (isNameMissing) {
      setTried(true);
      field.current?.focus();
      return;
    }
    onConfirm();
  }

  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={title}
      size={size}
      role="alertdialog"
      onSubmit={submit}
      footer={
        <>
          <Button
            variant={tone === 'secondary' ? 'primary' : 'secondary'}
            autoFocus={typedName === undefined}
            onPress={() => {
              onOpenChange(false);
            }}
          >
            {cancelLabel}
          </Button>
          <Button type="submit" variant={tone} isPending={isPending}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {children !== undefined && <div className="text-ink-2">{children}</div>}
        {impacts !== undefined && impacts.length > 0 && <ImpactList impacts={impacts} />}
        {typedName !== undefined && (
          <TextField
            label={`Type ${typedName} to confirm`}
            description={typedName === typedName.trim() ? undefined : <EndsNote text={typedName} isPath />}
            value={typed}
            onChange={setTyped}
            isMono
            autoFocus
            autoComplete="off"
            spellCheck="false"
            inputRef={field}
            error={wasTried && isNameMissing ? `This doesn't match. Type ${typedName} exactly.` : undefined}
          />
        )}
        {note !== undefined && <p className="text-meta text-ink-2">{note}</p>}
        {error !== undefined && (
          <Banner tone="danger" title={errorTitle}>
            {error}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
