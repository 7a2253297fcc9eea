import { SourceError } from '#sources/source-error.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** The status of a registry's answer; undefined without an answer. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ServiceError) return error.serviceStatus;
  return error instanceof SourceError ? error.sourceStatus : undefined;
}
