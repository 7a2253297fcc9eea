import { useRouter } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import type { TargetsSearch } from './targets-search.ts';

/** Where targets are shown, so that one comes back to the list as one left it. */
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
