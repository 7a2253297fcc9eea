import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { TextArea } from '@gatehouse/ui/text-area';
import { useDeferredValue, useMemo } from 'react';
import { kindWords } from '#components/moves/move-kinds.ts';
import { counted } from '#lib/counted.ts';
import { readWanted, type Wanted } from './read-wanted.ts';

/** Names and lines to show. */
const shownLimit = 100;

/** The names to copy, as text, and below it how they were read. */
export function WantedField({
  kind,
  value,
  onChange,
  error,
}: {
  kind: MoveKind;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}) {
  // Typing stays responsive with a pasted list of ten thousand lines.
  const text = useDeferredValue(value);
  const wanted = useMemo(() => readWanted(text, kind), [text, kind]);
  const { many } = kindWords[kind];
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label={`${kind === 'boxes' ? 'Owners' : 'Namespaces'} and ${many}`}
        description={`One per line, or separated by commas. ${kind === 'boxes' ? 'You can also paste addresses of box pages, and lines of a Vagrantfile.' : 'You can also paste addresses of module pages, and source lines of a Terraform configuration.'} ${kind === 'boxes' ? 'The name of an owner imports all its boxes.' : 'The name of a namespace imports all its modules.'}`}
        isMono
        isRequired
        rows={6}
        maxRows={16}
        spellCheck="false"
        placeholder={kindWords[kind].example}
        value={value}
        onChange={onChange}
        error={error}
      />
      <Understood kind={kind} wanted={wanted} />
    </div>
  );
}

function Understood({ kind, wanted: { names, repeated, notRead } }: { kind: MoveKind; wanted: Wanted }) {
  const { one, many, owner, owners } = kindWords[kind];
  const alone = names.filter((name) => !name.includes('/')).length;
  const parts = [
    ...(alone > 0 ? [counted(alone, owner, owners)] : []),
    ...(names.length > alone ? [counted(names.length - alone, one, many)] : []),
  ];
  return (
    <div className="flex flex-col gap-2 text-body">
      <p role="status" className="text-ink-2 empty:hidden">
        {parts.length > 0 && `Recognized: ${parts.join(' and ')}.`}
        {repeated > 0 && ` ${counted(repeated, 'duplicate')} skipped.`}
        {notRead.length > 0 &&
          ` ${counted(notRead.length, 'line')} ${notRead.length === 1 ? "doesn't" : "don't"} contain ${kind === 'boxes' ? 'an owner or a box' : 'a namespace or a module'}.`}
      </p>
      {names.length > 0 && (
        <details>
          <summary className="w-fit cursor-default rounded-tag text-accent">Recognized names</summary>
          <ul className="mt-1 max-h-48 overflow-y-auto rounded-control border border-line bg-surface px-3 py-1 font-mono text-meta/5 text-ink-1">
            {names.slice(0, shownLimit).map((name) => (
              <li key={name} className="wrap-anywhere">
                {name}
              </li>
            ))}
            <More count={names.length - shownLimit} />
          </ul>
        </details>
      )}
      {notRead.length > 0 && (
        <details open>
          <summary className="w-fit cursor-default rounded-tag text-accent">Unrecognized lines</summary>
          <ul className="mt-1 max-h-48 overflow-y-auto rounded-control border border-line bg-surface px-3 py-1 text-meta/5 text-ink-1">
            {notRead.slice(0, shownLimit).map(({ line, text }, index) => (
              <li key={index} className="wrap-anywhere">
                <span className="text-ink-2">Line {line.toLocaleString('en')}: </span>
                <span className="font-mono">{text}</span>
              </li>
            ))}
            <More count={notRead.length - shownLimit} />
          </ul>
        </details>
      )}
    </div>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <li className="text-ink-2">and {count.toLocaleString('en')} more</li> : null;
}
