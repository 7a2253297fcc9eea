import { useRouter } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import type { TargetsSearch } from './targets-search.ts';

/** Links to targets that keep the list's search, so that you return to the same list. */
export function useTargetPlaces(search: TargetsSearch) {
  const environment = useEnvironment();
  const router = useRouter();
  const params = { environment: environment.id };
  const listHref = router.buildLocation({ to: '/$environment/targets', params, search }).href;
  return {
    listHref,
    ancestors: [{ id: 'targets', label: 'Targets', href: listHref }],
    hrefOf: ({ id }: { readonly id: string }): string =>
      router.buildLocation({ to: '/$environment/targets/$id', params: { ...params, id }, search }).href,
    editHrefOf: ({ id }: { readonly id: string }): string =>
      router.buildLocation({ to: '/$environment/targets/$id/edit', params: { ...params, id }, search }).href,
  };
}
