import type { Move, MoveItem, MovePiece, MoveVersion } from '@gatehouse/api-types/console/moves';
import { Badge, StatusDot } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type GridColumn, type GridView } from '@gatehouse/ui/data-grid';
import { Drawer } from '@gatehouse/ui/drawer';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { kindWords } from '#components/moves/move-kinds.ts';
import { isMoving } from '#components/moves/move-state.ts';
import { pieceStateWords } from '#components/moves/move-words.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';
import { usePolling } from '#lib/polling.ts';
import { moveItemQuery } from '#queries/move.ts';
import { isNotice, notesOf } from './item-columns.tsx';

/** A version with one of its pieces; the piece is undefined if the version has none. */
interface PieceRow {
  readonly id: string;
  readonly version: MoveVersion;
  readonly piece: MovePiece | undefined;
}

/** A box or module of a move: its versions with their pieces, and its clashes. */
export function ItemPanel({
  environment,
  move,
  item: id,
  retry,
  onClose,
}: {
  environment: string;
  move: Move;
  item: string;
  retry: (item: MoveItem) => void;
  onClose: () => void;
}) {
  const place = { environment, move: move.id };
  const query = useQuery(moveItemQuery(place, id));
  usePolling(moveItemQuery(place, id), 3, isMoving(move) && query.isSuccess);
  const { data } = query;
  const { one } = kindWords[move.kind];
  return (
    <Drawer
      isOpen
      onOpenChange={onClose}
      size="large"
      title={data?.item.name ?? one.charAt(0).toUpperCase() + one.slice(1)}
      {...(data !== undefined && { description: hereWords(data.item) })}
      {...(data !== undefined &&
        data.item.pieces.failed > 0 && {
          actions: (
            <Button
              size={28}
              icon={RotateCw}
              onPress={() => {
                onClose();
                retry(data.item);
              }}
            >
              Retry failed copies
            </Button>
          ),
        })}
    >
      {data === undefined ? (
        <Waiting query={query} label={`Loading the ${one}`} />
      ) : (
        <div className="flex flex-col gap-4">
          {data.item.problem !== null && (
            <Banner tone="danger" title={`The ${one} couldn't be read`} announce="none">
              {data.item.problem.detail} None of it is copied. Compare again to retry.
            </Banner>
          )}
          {data.item.problem === null && notesOf(data.item).length > 0 && (
            <ul aria-label="Notes" className="flex flex-col gap-2">
              {notesOf(data.item).map(({ what, detail, done }, index) => (
                <li key={index}>
                  <Banner tone={isNotice(what) ? 'info' : 'warn'} title={detail} announce="none">
                    {done}
                  </Banner>
                </li>
              ))}
            </ul>
          )}
          <Failed move={move} versions={data.versions} />
          <PieceGrid move={move} versions={data.versions} />
        </div>
      )}
    </Drawer>
  );
}

/** Failed pieces to show with reasons. The grid has the others. */
const shownReasons = 20;

/** Failed pieces, with reasons. */
function Failed({ move: { kind }, versions }: { move: Move; versions: readonly MoveVersion[] }) {
  const failed = versions.flatMap(({ version, pieces }) =>
    pieces.filter(({ state }) => state === 'failed').map((piece) => ({ version, piece })),
  );
  const { piece: one, pieces: many } = kindWords[kind];
  if (failed.length === 0) return null;
  return (
    <Banner tone="danger" title={`${counted(failed.length, one, many)} failed`} announce="none">
      <ul>
        {failed.slice(0, shownReasons).map(({ version, piece: { id, provider, architecture, detail } }) => (
          <li key={id}>
            <span className="font-medium text-ink-1">
              {[version, provider, architecture].filter(Boolean).join(' ')}:
            </span>{' '}
            {detail}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function hereWords({ name, name_here: here, is_here: isHere, pieces }: MoveItem): string {
  const same = here === name;
  if (!isHere && pieces.copied + pieces.linked > 0) return same ? 'Created here' : `Created here as ${here}`;
  if (isHere) return same ? 'Already here' : `Already here as ${here}`;
  return same ? 'Not here yet' : `Not here yet. It will be named ${here}`;
}

function PieceGrid({ move: { kind }, versions }: { move: Move; versions: readonly MoveVersion[] }) {
  const [view, setView] = useState<GridView>(defaultGridView);
  const rows = useMemo(
    () =>
      versions.flatMap((version): PieceRow[] =>
        version.pieces.length === 0
          ? [{ id: version.version, version, piece: undefined }]
          : version.pieces.map((piece) => ({ id: piece.id, version, piece })),
      ),
    [versions],
  );
  const columns = useMemo(() => pieceColumns(kind === 'boxes'), [kind]);
  const { piece, pieces } = kindWords[kind];
  return (
    <div className="flex h-[min(60vh,40rem)] min-h-60 flex-col overflow-hidden rounded-control border border-line">
      <DataGrid<PieceRow>
        label={`Versions and ${pieces}`}
        noun={{ one: piece, many: pieces }}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ version, piece: of }) =>
          [version.version, of?.provider, of?.architecture].filter(Boolean).join(' ')
        }
        status="ready"
        sorting={null}
        view={view}
        onViewChange={setView}
        empty={<NoMatches title="No versions to show" action={null} />}
        error={<Failure error={undefined} onRetry={() => undefined} />}
      />
    </div>
  );
}

function pieceColumns(isBoxes: boolean): readonly GridColumn<PieceRow>[] {
  return [
    {
      id: 'version',
      header: 'Version',
      value: ({ version }) => version.version,
      cell: ({ version: { version, status } }) => (
        <span className="flex items-center gap-1.5">
          {version}
          {status !== 'active' && <Badge>{status}</Badge>}
        </span>
      ),
      width: 144,
      isRowHeader: true,
    },
    ...(isBoxes
      ? ([
          {
            id: 'image',
            header: 'Image',
            value: ({ piece }) => [piece?.provider, piece?.architecture].filter(Boolean).join(' '),
            width: 152,
          },
        ] satisfies readonly GridColumn<PieceRow>[])
      : []),
    {
      id: 'state',
      header: 'State',
      value: (row) => rowWords(row).word,
      cell: (row) => {
        const { word, tone, isBusy = false } = rowWords(row);
        return (
          <StatusDot tone={tone} isBusy={isBusy}>
            {word}
          </StatusDot>
        );
      },
      width: 128,
    },
    {
      id: 'size',
      header: 'Size',
      value: ({ piece }) => piece?.size ?? null,
      cell: ({ piece }) =>
        piece === undefined
          ? ''
          : piece.size === null
            ? 'Unknown'
            : piece.state === 'copying'
              ? `${byteSize(piece.copied)} of ${byteSize(piece.size)}`
              : byteSize(piece.size),
      width: 136,
      align: 'end',
    },
    {
      id: 'why',
      header: 'Reason',
      value: ({ version, piece }) =>
        [
          piece?.detail ?? '',
          version.differs.length > 0 ? `The version differs here: ${version.differs.join(', ')}.` : '',
        ]
          .filter(Boolean)
          .join(' '),
      width: 360,
    },
    {
      id: 'checksum',
      header: 'Checksum',
      value: ({ piece }) =>
        piece === undefined
          ? ''
          : piece.checksum === ''
            ? piece.sha256 === ''
              ? 'None at the source'
              : `sha256 ${piece.sha256}`
            : `${piece.checksum_type} ${piece.checksum}`,
      width: 320,
      isMono: true,
    },
  ];
}

function rowWords({ version, piece }: PieceRow): (typeof pieceStateWords)['missing'] {
  if (piece === undefined)
    return version.chosen ? { word: 'Nothing to copy', tone: 'neutral' } : pieceStateWords['left-out'];
  return pieceStateWords[piece.state];
}
