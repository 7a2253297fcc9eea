import type { Target } from '@gatehouse/api-types/console/targets';

/** A target as the controller's filters see it: under `/item`, with its version as the number that it is there. */
export function targetDatum({ revision, ...target }: Target): {
  readonly item: Readonly<Record<string, unknown>>;
} {
  return { item: { ...target, version: Number(revision) } };
}
