import { ProgressBar } from '@gatehouse/ui/progress-bar';
import type { ReactNode } from 'react';
import { FilePicker } from '#components/form/FilePicker.tsx';
import type { FileHash } from './use-file-hash.ts';

/** Lets you choose or drop a binary, and shows the progress of its hash. */
export function PickBinary({
  hash,
  onPick,
  children,
}: {
  hash: FileHash;
  onPick: (file: File) => void;
  /** Shown beside the button. */
  children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FilePicker
        label="Binary of the plugin"
        buttonLabel={hash.state === 'none' ? 'Choose a file' : 'Choose another file'}
        error={
          hash.state === 'failed'
            ? `${hash.name} couldn't be read. Check that the file still exists, and choose it again.`
            : undefined
        }
        onPick={([file]) => {
          if (file !== undefined) onPick(file);
        }}
      >
        {hash.state === 'hashed' ? (
          <>
            SHA-256 of <span className="text-ink-1 wrap-anywhere">{hash.file.name}</span>
          </>
        ) : (
          children
        )}
      </FilePicker>
      {hash.state === 'hashing' && <ProgressBar label={`Reading ${hash.name}`} value={hash.done} />}
    </div>
  );
}
