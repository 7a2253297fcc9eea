import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { fetchPart } from '@gatehouse/ui/lazy';
import { TextField } from '@gatehouse/ui/text-field';
import { useRef, useState } from 'react';
import { kindWords } from '#components/moves/move-kinds.ts';
import { ownerHere, withOwner } from './choice.ts';

type Owners = MoveChoice['owners'];

/** Owners shown before "Show all". */
const shownFirst = 8;

/** The owners of boxes, or namespaces of modules, and their names here. */
export function OwnerNames({
  kind,
  found,
  owners,
  onChange,
}: {
  kind: MoveKind;
  found: readonly string[];
  owners: Owners;
  onChange: (owners: Owners) => void;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const { owner, owners: many } = kindWords[kind];
  const isRenamed = new Set(owners.map(({ from }) => from));
  const shown = showsAll ? found : found.filter((name, index) => index < shownFirst || isRenamed.has(name));
  if (found.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-body font-medium text-ink-1">
        {found.length === 1 ? `Name of the ${owner} here` : `Names of the ${many} here`}
      </legend>
      {shown.map((from) => (
        <OwnerName
          key={`${from} ${ownerHere(owners, from)}`}
          from={from}
          to={ownerHere(owners, from)}
          onChange={(to) => {
            onChange(withOwner(owners, from, to));
          }}
        />
      ))}
      {shown.length < found.length && (
        <div>
          <Button
            size={28}
            onPress={() => {
              setShowsAll(true);
            }}
          >
            Show all {found.length.toLocaleString('en')} {many}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** One name, applied on blur or Enter. */
function OwnerName({ from, to, onChange }: { from: string; to: string; onChange: (to: string) => void }) {
  const [text, setText] = useState(to);
  const [error, setError] = useState<string>();
  const tries = useRef(0);
  const apply = (): void => {
    const own = ++tries.current;
    const name = text.trim() === '' ? from : text.trim();
    if (name === to) {
      setText(to);
      return;
    }
    // The schema loads once there is a name to check.
    void fetchPart(() => import('@gatehouse/api-types/console/box-names')).then(({ ownerName }) => {
      // The check may finish after another name was entered.
      if (own !== tries.current) return;
      const read = ownerName.safeParse(name);
      if (read.success) onChange(name);
      else setError(read.error.issues[0]?.message);
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label={from}
        isMono
        autoComplete="off"
        spellCheck="false"
        value={text}
        error={error}
        onChange={(value) => {
          setText(value);
          setError(undefined);
        }}
        onBlur={apply}
      />
    </form>
  );
}
