import { sha256Of } from '@gatehouse/api-types/console/plugins';
import type { PluginsMay } from '@gatehouse/api-types/console/plugins';
import { IconButton } from '@gatehouse/ui/icon-button';
import { TextField } from '@gatehouse/ui/text-field';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import type { Catalog } from '../-catalog/catalog.ts';
import { PickBinary } from './PickBinary.tsx';
import { useFileHash } from './use-file-hash.ts';
import type { HashedFile } from './verdict.ts';
import { VerdictNote } from './VerdictNote.tsx';

/** Looks up a binary in the catalog, by file or by pasted hash. */
export function CheckPanel({
  catalog,
  dropped,
  onClose,
}: {
  /** Undefined while loading. */
  catalog: (Catalog & { readonly may: PluginsMay }) | undefined;
  /** The file dropped on the list. */
  dropped: File | undefined;
  onClose: () => void;
}) {
  const environment = useEnvironment();
  const title = useId();
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<HashedFile>();
  const { hash, pick } = useFileHash((file) => {
    setText(file.sha256);
    setChecked(file);
  });
  const begin = (file: File): void => {
    setChecked(undefined);
    pick(file);
  };
  const beginDropped = useEffectEvent(begin);
  useEffect(() => {
    if (dropped !== undefined) beginDropped(dropped);
  }, [dropped]);
  return (
    <section
      aria-labelledby={title}
      className="flex flex-col gap-3 border-b border-line bg-surface px-4 py-3 wide:px-6"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={title} className="text-heading font-semibold text-ink-1">
          Check a file
        </h2>
        <IconButton icon={X} label="Close the check" onPress={onClose} />
      </div>
      <div className="grid grid-cols-1 items-start gap-3 wide:grid-cols-2">
        <PickBinary hash={hash} onPick={begin}>
          Choose a binary, or drop it anywhere on the list. The file stays in this browser.
        </PickBinary>
        <TextField
          label="SHA-256"
          description="The binary's hash, in hex or base64."
          isMono
          spellCheck="false"
          autoComplete="off"
          value={text}
          error={
            text.trim() === '' || sha256Of(text) !== undefined
              ? undefined
              : 'Enter the hash as 64 hexadecimal digits, or in base64.'
          }
          onChange={(next) => {
            setText(next);
            const sha256 = sha256Of(next);
            setChecked(sha256 === undefined ? undefined : { name: '', sha256 });
          }}
        />
      </div>
      {checked !== undefined && catalog !== undefined && (
        <VerdictNote environment={environment.id} file={checked} catalog={catalog} />
      )}
    </section>
  );
}
