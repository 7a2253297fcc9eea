import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Neighbours } from '#components/list/Neighbours.tsx';
import { boxSearchQuery, type BoxPlace } from '#queries/boxes.ts';
import type { BoxesSearch } from '#routes/$environment/boxes/boxes-search.ts';
import type { BoxSearch } from './box-search.ts';

const noBoxes: readonly BoxSummary[] = [];

/** The way through the page of the search that led to a box; nothing where none did. */
export function BoxNeighbours({
  place,
  search,
  listed,
}: {
  place: BoxPlace;
  search: BoxSearch;
  /** The search of the list alone. */
  listed: BoxesSearch;
}) {
  const navigate = useNavigate();
  const { environment } = place;
  // The list as it was looked at: it is not asked for again.
  const { data, isPlaceholderData } = useQuery({ ...boxSearchQuery(environment, listed), enabled: false });
  const boxes = isPlaceholderData ? noBoxes : (data?.boxes ?? noBoxes);
  const at = boxes.findIndex(({ username, name }) => username === place.username && name === place.name);
  const goTo = (index: number): (() => void) | undefined => {
    const box = boxes[index];
    if (at === -1 || box === undefined) return undefined;
    const { username, name } = box;
    return () =>
      void navigate({
        to: '/$environment/boxes/owners/$username/$name',
        params: { environment, username, name },
        search,
        replace: true,
      });
  };
  return (
    <Neighbours
      group="Box"
      position={`${(at + 1).toLocaleString('en')} of ${boxes.length.toLocaleString('en')}`}
      before={{
        label: 'Previous box of the list',
        noneReason: 'This is the first of its page.',
        go: goTo(at - 1),
      }}
      after={{
        label: 'Next box of the list',
        noneReason: 'This is the last of its page.',
        go: goTo(at + 1),
      }}
    />
  );
}
