import { Button } from '@gatehouse/ui/button';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { Plus, Trash2 } from 'lucide-react';
import { useState, type ClipboardEvent } from 'react';
import type { SecretValues } from '../-fields/secret-values.ts';
import { mayHoldFields, pastedFields } from '../-files/pasted-fields.ts';

/** Enter the name of a field to add, or to remove if names are hidden. Enter adds it and moves on to its value. */
export function AddField({
  checkName,
  onAdd,
  onRemove,
  onPaste,
}: {
  /** Why a name isn't allowed; undefined if it is. */
  checkName: (name: string) => string | undefined;
  onAdd: (name: string) => void;
  /** Only if names are hidden: removes the stored field of this name. */
  onRemove?: ((name: string) => void) | undefined;
  /** Adds the fields in a pasted text. */
  onPaste: (fields: SecretValues) => void;
}) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const give = (take: (name: string) => void): void => {
    const found = checkName(name);
    setProblem(found);
    if (found !== undefined) return;
    take(name);
    setName('');
  };
  /** Takes text that holds several fields instead of a name; a name is pasted as usual. */
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain');
    if (!mayHoldFields(text)) return;
    event.preventDefault();
    setProblem(undefined);
    pastedFields(text).then(onPaste, (error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error));
    });
  };
  return (
    <div
      onPaste={paste}
      className="flex max-w-120 items-end gap-2 pt-3"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        give(onAdd);
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={onRemove === undefined ? 'New field name' : 'Field name'}
          isMono
          autoComplete="off"
          spellCheck="false"
          placeholder="password"
          value={name}
          onChange={(text) => {
            setName(text);
            setProblem(undefined);
          }}
          description="Or paste JSON, YAML or NAME=value lines to add all of their fields."
          error={problem}
        />
        <EndsNote text={name} />
      </div>
      <span className={`flex gap-2 ${problem === undefined ? '' : 'pb-6'}`}>
        <Button
          icon={Plus}
          onPress={() => {
            give(onAdd);
          }}
        >
          {onRemove === undefined ? 'Add' : 'Set'}
        </Button>
        {onRemove !== undefined && (
          <Button
            icon={Trash2}
            onPress={() => {
              give(onRemove);
            }}
          >
            Remove
          </Button>
        )}
      </span>
    </div>
  );
}
