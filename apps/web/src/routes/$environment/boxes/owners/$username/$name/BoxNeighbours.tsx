import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PageNeighbours } from '#components/list/PageNeighbours.tsx';
import { boxSearchQuery, type BoxPlace } from '#queries/boxes.ts';
import type { BoxesSearch } from '#routes/$environment/boxes/boxes-search.ts';
import type { BoxSearch } from './box-search.ts';

const noBoxes: readonly BoxSummary[] = [];

/** Links to the previous and next box of the search you came from; nothing if you came from elsewhere. */
export function BoxNeighbours({
  place,
  search,
  listed,
}: {
  place: BoxPlace;
  search: BoxSearch;
  /** The search parameters of the list. */
  listed: BoxesSearch;
}) {
  const navigate = useNavigate();
  const { environment } = place;
  // The list as you saw it, without a new request.
  const { data, isPlaceholderData } = useQuery({ ...boxSearchQuery(environment, listed), enabled: false });
  const boxes = isPlaceholderData ? noBoxes : (data?.boxes ?? noBoxes);
  return (
    <PageNeighbours
      noun="box"
      rows={boxes}
      isThis={({ username, name }) => username === place.username && name === place.name}
      go={({ username, name }) =>
        void navigate({
          to: '/$environment/boxes/owners/$username/$name',
          params: { environment, username, name },
          search,
          replace: true,
        })
      }
    />
  );
}
