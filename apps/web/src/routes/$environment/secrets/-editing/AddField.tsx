import { Button } from '@gatehouse/ui/button';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

/** Enter the name of a field to add, or to remove if names are hidden. Enter adds it and moves on to its value. */
export function AddField({
  checkName,
  onAdd,
  onRemove,
}: {
  /** Why a name isn't allowed; undefined if it is. */
  checkName: (name: string) => string | undefined;
  onAdd: (name: string) => void;
  /** Only if names are hidden: removes the stored field of this name. */
  onRemove?: ((name: string) => void) | undefined;
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
  return (
    <div
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
