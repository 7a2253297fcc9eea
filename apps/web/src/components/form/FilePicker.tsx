import { Button } from '@gatehouse/ui/button';
import { FileUp } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';

/** Chooses files with a button or by drag and drop. */
export function FilePicker({
  label,
  buttonLabel,
  accept,
  isMultiple = false,
  picked,
  children,
  error,
  onPick,
}: {
  /** Accessible name of the browser's file input. */
  label: string;
  buttonLabel: string;
  /** Extensions and types that the browser offers. */
  accept?: string;
  isMultiple?: boolean;
  /** The chosen file, shown in place of the button. Another file can still be dropped. */
  picked?: ReactNode;
  /** Shown beside the button. */
  children: ReactNode;
  error?: string | undefined;
  onPick: (files: readonly File[]) => void;
}) {
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const errorId = useId();
  return (
    <div className="flex flex-col gap-1">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          onPick([...event.dataTransfer.files].slice(0, isMultiple ? undefined : 1));
        }}
        className={`flex flex-wrap items-center gap-3 rounded-control border border-dashed p-3 ${
          isOver
            ? 'border-accent bg-selected'
            : error === undefined
              ? 'border-control-line bg-surface'
              : 'border-danger bg-surface'
        }`}
      >
        <input
          ref={picker}
          type="file"
          accept={accept}
          multiple={isMultiple}
          aria-label={label}
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            onPick([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {picked ?? (
          <>
            <Button
              icon={FileUp}
              {...(error !== undefined && { 'aria-describedby': errorId })}
              onPress={() => picker.current?.click()}
            >
              {buttonLabel}
            </Button>
            <span className="min-w-0 flex-1 basis-40 text-body text-ink-2">{children}</span>
          </>
        )}
      </div>
      {error !== undefined && (
        <span id={errorId} className="text-meta text-danger">
          {error}
        </span>
      )}
    </div>
  );
}
