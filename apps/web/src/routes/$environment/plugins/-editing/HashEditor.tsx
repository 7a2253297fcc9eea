import { sha256Of } from '@gatehouse/api-types/console/plugins';
import { TextField } from '@gatehouse/ui/text-field';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import type { TextEditorProps } from '#components/form/record-form.ts';
import { proposedOver } from '#lib/proposed-over.ts';
import { PickBinary } from '../-check/PickBinary.tsx';
import { useFileHash } from '../-check/use-file-hash.ts';

/** A SHA-256: pasted, or computed from a chosen binary, whose name is proposed as the command. */
export function HashEditor(field: TextEditorProps) {
  const { getValues, setValue } = useFormContext<{ command: string }>();
  const proposed = useRef('');
  const { hash, pick } = useFileHash((file) => {
    field.onChange(file.sha256);
    const command = proposedOver(getValues('command'), proposed.current, file.name);
    proposed.current = file.name;
    setValue('command', command, { shouldDirty: true, shouldValidate: true });
  });
  return (
    <div className="flex flex-col gap-2">
      <HashField {...field} />
      <PickBinary hash={hash} onPick={pick}>
        Choose the binary to compute its SHA-256. The file stays in this browser.
      </PickBinary>
    </div>
  );
}

/** A SHA-256 in hex or base64; base64 is shown in hex below. */
export function HashField({
  label,
  isRequired = false,
  value,
  onChange,
  isInvalid = false,
  errorMessage,
}: TextEditorProps) {
  const hex = sha256Of(value);
  return (
    <>
      <TextField
        label={label}
        isRequired={isRequired}
        description={
          isRequired ? 'In hex or base64.' : "In hex or base64. Optional only for the vendor's plugins."
        }
        isMono
        autoComplete="off"
        spellCheck="false"
        value={value}
        onChange={onChange}
        error={isInvalid ? errorMessage : undefined}
      />
      {hex !== undefined && hex !== value.trim() && (
        <p className="font-mono text-meta text-ink-2 wrap-anywhere">{hex}</p>
      )}
    </>
  );
}
