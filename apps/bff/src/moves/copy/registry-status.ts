import { SourceError } from '#sources/source-error.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** The status that the source, or the registry here, answered with; undefined where it did not answer. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ServiceError) return error.serviceStatus;
  return error instanceof SourceError ? error.sourceStatus : undefined;
}
