import type { Resource } from '../../domain/resource.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

/** The common fields of all resources. @param scope the resource's project */
export function wireResource(resource: Resource, scope: WireScopeSummary): Readonly<Record<string, unknown>> {
  return {
    id: resource.id,
    scope,
    name: resource.name,
    description: resource.description,
    created_time: wireTime(resource.createdTime),
    updated_time: wireTime(resource.updatedTime),
    version: resource.version,
  };
}
