import { Neighbours } from './Neighbours.tsx';

/** Navigation through the list page from which a record was opened; nothing if it isn't on it. */
export function PageNeighbours<Row>({
  noun,
  rows,
  isThis,
  go,
}: {
  /** `box` */
  noun: string;
  rows: readonly Row[];
  isThis: (row: Row) => boolean;
  go: (row: Row) => void;
}) {
  const at = rows.findIndex(isThis);
  const goTo = (index: number): (() => void) | undefined => {
    const row = rows[index];
    if (at === -1 || row === undefined) return undefined;
    return () => {
      go(row);
    };
  };
  return (
    <Neighbours
      group={noun.charAt(0).toUpperCase() + noun.slice(1)}
      position={`${(at + 1).toLocaleString('en')} of ${rows.length.toLocaleString('en')}`}
      before={{
        label: `Previous ${noun} in the list`,
        noneReason: `This is the first ${noun} on the page.`,
        go: goTo(at - 1),
      }}
      after={{
        label: `Next ${noun} in the list`,
        noneReason: `This is the last ${noun} on the page.`,
        go: goTo(at + 1),
      }}
    />
  );
}
