import { noticeKinds, type MoveKind } from '@gatehouse/api-types/console/move-values';
import type { MoveClash, MoveItem } from '@gatehouse/api-types/console/moves';
import { StatusDot, type StatusDotProps } from '@gatehouse/ui/badge';
import type { GridColumn, GridView } from '@gatehouse/ui/data-grid';
import { kindWords } from '#components/moves/move-kinds.ts';
import { toCopy } from '#components/moves/move-state.ts';
import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';

/** An item's state in a word. */
export function itemWords({
  chosen,
  pieces,
  problem,
  versions,
}: Pick<MoveItem, 'chosen' | 'pieces' | 'problem' | 'versions'>): Pick<StatusDotProps, 'tone' | 'isBusy'> & {
  readonly word: string;
} {
  if (!chosen) return { word: 'Skipped', tone: 'neutral' };
  if (problem !== null) return { word: 'Failed', tone: 'danger' };
  if (pieces.copying > 0) return { word: 'Copying', tone: 'info', isBusy: true };
  if (pieces.failed > 0) return { word: `${pieces.failed.toLocaleString('en')} failed`, tone: 'danger' };
  if (pieces.waiting > 0) return { word: 'Waiting', tone: 'neutral' };
  if (pieces.missing > 0) return { word: 'To be copied', tone: 'info' };
  if (pieces.copied > 0) return { word: 'Copied', tone: 'ok' };
  if (pieces.linked > 0) return { word: 'Linked', tone: 'ok' };
  if (pieces.clash > 0) return { word: 'Differs here', tone: 'warn' };
  if (pieces['not-copied'] > 0) return { word: 'Not copied', tone: 'warn' };
  if (pieces.here > 0) return { word: 'Already here', tone: 'ok' };
  return { word: versions === 0 ? 'No versions' : 'Nothing to copy', tone: 'neutral' };
}

/** An item's clashes without mere notices; none if the item could not be read. */
export function clashesOf({ clashes, problem }: Pick<MoveItem, 'clashes' | 'problem'>): readonly MoveClash[] {
  return problem === null ? clashes.filter(({ what }) => !isNotice(what)) : [];
}

/** Notes for an item in the list and its panel, clashes first. Notices no longer apply once pieces are copied. */
export function notesOf(
  item: Pick<MoveItem, 'clashes' | 'problem' | 'chosen' | 'pieces'>,
): readonly MoveClash[] {
  const { clashes, chosen, pieces } = item;
  const isAhead = chosen && pieces.copied === 0;
  return [...clashesOf(item), ...(isAhead ? clashes.filter(({ what }) => isNotice(what)) : [])];
}

export function isNotice(what: MoveClash['what']): boolean {
  return noticeKinds.some((kind) => kind === what);
}

function Notes({ item }: { item: MoveItem }) {
  const { problem } = item;
  if (problem !== null) return <span className="text-danger">{problem.detail}</span>;
  const [clash, ...others] = clashesOf(item);
  if (clash === undefined)
    return (
      <span className="text-ink-2">
        {notesOf(item)
          .map(({ detail }) => detail)
          .join(' ')}
      </span>
    );
  return (
    <span className="text-warn">
      {others.length > 0 && `${(others.length + 1).toLocaleString('en')} clashes: `}
      {clash.detail}
    </span>
  );
}

export function itemColumns(kind: MoveKind): readonly GridColumn<MoveItem>[] {
  const { pieces: noun, one } = kindWords[kind];
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  return [
    {
      id: 'name',
      header: capital(one),
      value: ({ name }) => name,
      cell: ({ name, name_here: here }) =>
        here === name || here === '' ? (
          name
        ) : (
          <>
            {name} <span className="text-ink-2">as {here}</span>
          </>
        ),
      width: 260,
      isRowHeader: true,
      below: (item) =>
        [
          itemWords(item).word,
          ...(clashesOf(item).length === 0 ? [] : [counted(clashesOf(item).length, 'clash', 'clashes')]),
        ].join(', '),
    },
    {
      id: 'state',
      header: 'State',
      value: (item) => itemWords(item).word,
      cell: (item) => {
        const { word, ...look } = itemWords(item);
        return <StatusDot {...look}>{word}</StatusDot>;
      },
      width: 136,
    },
    {
      id: 'clashes',
      header: 'Notes',
      value: ({ clashes }) => clashes.length,
      cell: (item) => <Notes item={item} />,
      width: 240,
    },
    {
      id: 'newest',
      header: 'Newest',
      value: ({ newest }) => newest ?? '',
      cell: ({ newest }) => newest ?? '',
      width: 96,
    },
    {
      id: 'versions',
      header: 'Versions',
      value: ({ versions }) => versions,
      cell: ({ versions }) => versions.toLocaleString('en'),
      width: 88,
      align: 'end',
    },
    {
      id: 'pieces',
      header: capital(noun),
      value: ({ pieces }) => toCopy(pieces),
      cell: ({ pieces }) =>
        pieces.copied > 0
          ? `${pieces.copied.toLocaleString('en')} of ${toCopy(pieces).toLocaleString('en')}`
          : toCopy(pieces).toLocaleString('en'),
      width: 96,
      align: 'end',
    },
    {
      id: 'size',
      header: 'Size',
      value: ({ bytes }) => bytes.total,
      cell: ({ bytes }) => (bytes.total === 0 && bytes.unknown > 0 ? 'Unknown' : byteSize(bytes.total)),
      width: 96,
      align: 'end',
    },
    ...(kind === 'boxes'
      ? ([
          {
            id: 'providers',
            header: 'Providers',
            value: ({ providers }) => providers.join(', '),
            width: 160,
          },
          {
            id: 'architectures',
            header: 'Architectures',
            value: ({ architectures }) => architectures.join(', '),
            width: 136,
          },
        ] satisfies readonly GridColumn<MoveItem>[])
      : []),
    {
      id: 'description',
      header: 'Description',
      value: ({ short_description: text }) => text,
      width: 280,
    },
  ];
}

export const itemsView: GridView = {
  hidden: ['description'],
  widths: {},
  pinned: { start: [], end: [] },
  density: 32,
};
