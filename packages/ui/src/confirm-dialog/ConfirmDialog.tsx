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
  /** A question that names the object: `Delete target db-primary?` */
  title: string;
  /** The effect, in one or two sentences. */
  children?: ReactNode;
  /** What depends on the object. */
  impacts?: readonly Impact[];
  /** The verb with the count: `Delete 12 targets`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** `secondary` if canceling is the better choice; the cancel button is then primary. */
  tone?: 'danger' | 'primary' | 'secondary';
  /** A wider dialog, for content to review before the answer. */
  size?: DialogProps['size'];
  /** Text that must be typed exactly to enable the confirm button. */
  typedName?: string;
  /** Why the dialog asks, and what happens next. */
  note?: ReactNode;
  /** An error shown in the dialog, which stays open. */
  error?: ReactNode;
  /** The failed request's ID. */
  errorTitle?: string | undefined;
  isPending?: boolean;
  onConfirm: () => void;
}

/** Asks before an action. Focus starts where a slip does no harm: on Cancel, or in the field. */
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
