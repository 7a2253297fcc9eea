import type { Match, Place, Request } from '../core/backend.ts';
import { Refusal } from '../core/refusal.ts';

export function noRoute(path: string): Refusal {
  return new Refusal(404, [`no handler for route "${path}". route entry not found.`]);
}

/** Applies the paths filter of a secondary to its writes as well as to its reads. @throws Refusal 404, 403 */
export function refuseExcluded(
  receives: (place: Place) => boolean,
  request: Request,
  { route, params }: Match,
): void {
  const { namespace, mount, fullPath } = request;
  // The mounts that every namespace has follow the filter of their namespace.
  if (!receives(mount.id === 0 ? { namespace } : { namespace, mount: mount.path })) throw noRoute(fullPath);
  for (const about of route.about?.(request, params) ?? []) {
    const path = `${about.namespace}${about.mount ?? ''}`;
    if (about.isLocal === true)
      throw new Refusal(403, [
        `${path} is local to the primary, and would be deleted. Delete it there first.`,
      ]);
    if (!receives(about))
      throw new Refusal(403, [
        `a paths filter excludes ${path} from this cluster. Change it at the primary.`,
      ]);
  }
}
