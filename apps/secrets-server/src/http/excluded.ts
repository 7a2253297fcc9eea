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
  const about = route.about?.(request, params);
  if (about === undefined || receives(about)) return;
  throw new Refusal(403, [
    `a paths filter excludes ${about.namespace}${about.mount ?? ''} from this cluster. Change it at the primary.`,
  ]);
}
