import { Button } from '@gatehouse/ui/button';
import { FileArchive, FolderOpen } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { foundInDrop, foundInPicker, type Found } from './find-files.ts';

/** Chooses a module's folder or archive, with buttons or by dropping it. */
export function ModulePicker({
  isChosen,
  error,
  onPick,
}: {
  /** Whether something is chosen; then this replaces it. */
  isChosen: boolean;
  error: string | undefined;
  onPick: (find: () => Promise<Found>) => void;
}) {
  const [isOver, setOver] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const describedBy = error !== undefined && { 'aria-describedby': errorId };
  return (
    <div className="flex flex-col gap-1">
      <div
        role="group"
        aria-label="Module"
        data-invalid={error !== undefined}
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
          // The entries exist only while the event is handled.
          const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
          const [file] = event.dataTransfer.files;
          if (entries.length > 0) onPick(() => foundInDrop(entries));
          // Some drag sources provide no entries.
          else if (file !== undefined) onPick(() => Promise.resolve({ kind: 'archive', file }));
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
          ref={folder}
          type="file"
          multiple
          // React doesn't know this attribute.
          {...{ webkitdirectory: '' }}
          aria-label="Folder of the module"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = '';
            if (files.length > 0) onPick(() => Promise.resolve(foundInPicker(files)));
          }}
        />
        <input
          ref={archive}
          type="file"
          accept=".tar.gz,.tgz,.gz,application/gzip"
          aria-label="Archive of the module"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file !== undefined) onPick(() => Promise.resolve({ kind: 'archive', file }));
          }}
        />
        <Button icon={FolderOpen} {...describedBy} onPress={() => folder.current?.click()}>
          {isChosen ? 'Choose another folder' : 'Choose a folder'}
        </Button>
        <Button icon={FileArchive} {...describedBy} onPress={() => archive.current?.click()}>
          {isChosen ? 'Choose another archive' : 'Choose an archive'}
        </Button>
        <span className="min-w-0 flex-1 basis-40 text-body text-ink-2">
          or drop one here: a folder, packed in this page, or a .tar.gz with the module at its root.
        </span>
      </div>
      {error !== undefined && (
        <span id={errorId} className="text-meta text-danger">
          {error}
        </span>
      )}
    </div>
  );
}
