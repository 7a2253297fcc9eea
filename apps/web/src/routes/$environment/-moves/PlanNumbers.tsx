import type { Move } from '@gatehouse/api-types/console/moves';
import { kindWords } from '#components/moves/move-kinds.ts';
import { toCopy } from '#components/moves/move-state.ts';
import { byteSize } from '#lib/byte-size.ts';

export function PlanNumbers({ move }: { move: Move }) {
  const { kind, items, versions, pieces, bytes, state } = move;
  const isOver = state === 'done' || state === 'abandoned';
  const { many, pieces: noun } = kindWords[kind];
  const counts = [
    {
      label: `${capital(many)} chosen`,
      value: `${count(items.chosen - items.unread)} of ${count(items.total)}`,
    },
    { label: 'Versions', value: count(versions) },
    isOver
      ? { label: `${capital(noun)} copied`, value: `${count(pieces.copied)} of ${count(toCopy(pieces))}` }
      : { label: `${capital(noun)} to copy`, value: count(toCopy(pieces)) },
    {
      label: 'Size',
      value: bytes.total === 0 && bytes.unknown > 0 ? 'Unknown' : byteSize(bytes.total),
      ...(bytes.unknown > 0 && bytes.total > 0 && { note: `plus ${count(bytes.unknown)} of unknown size` }),
    },
    { label: 'Already here', value: count(pieces.here) },
    ...(pieces.linked > 0 ? [{ label: 'Linked', value: count(pieces.linked) }] : []),
    ...(pieces.clash > 0 ? [{ label: 'Differ here', value: count(pieces.clash), tone: 'text-warn' }] : []),
    ...(pieces['not-copied'] > 0
      ? [{ label: "Can't be copied", value: count(pieces['not-copied']), tone: 'text-warn' }]
      : []),
    ...(pieces.failed > 0 ? [{ label: 'Failed', value: count(pieces.failed), tone: 'text-danger' }] : []),
    ...(items.unread > 0
      ? [{ label: "Couldn't be read", value: count(items.unread), tone: 'text-danger' }]
      : []),
    {
      label: `${capital(many)} with clashes`,
      value: count(items.with_clashes),
      ...(items.with_clashes > 0 && { tone: 'text-warn' }),
    },
  ];
  return (
    <dl
      aria-label="The plan in numbers"
      className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-3"
    >
      {counts.map(({ label, value, note, tone = 'text-ink-1' }: PlanCount) => (
        <div key={label} className="min-w-0">
          <dt className="text-meta text-ink-2">{label}</dt>
          <dd className={`text-heading tabular-nums ${tone}`}>
            {value}
            {note !== undefined && <span className="block text-meta text-ink-2">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PlanCount {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
  readonly tone?: string;
}

const count = (value: number): string => value.toLocaleString('en');

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
