import { Button } from '@gatehouse/ui/button';
import { TextField } from '@gatehouse/ui/text-field';
import { EndsNote } from '@gatehouse/ui/visible-ends';
import { Plus } from 'lucide-react';
import { useState } from 'react';

/** The name of a field that is to be added; Enter adds it and goes on with its value. */
export function AddField({
  checkName,
  onAdd,
}: {
  /** Says why a name cannot be given; undefined where it can. */
  checkName: (name: string) => string | undefined;
  onAdd: (name: string) => void;
}) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (): void => {
    const found = checkName(name);
    setProblem(found);
    if (found !== undefined) return;
    onAdd(name);
    setName('');
  };
  return (
    <div
      className="flex max-w-120 items-end gap-2 pt-3"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        add();
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Name of a new field"
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
      <span className={problem === undefined ? '' : 'pb-6'}>
        <Button icon={Plus} onPress={add}>
          Add
        </Button>
      </span>
    </div>
  );
}
