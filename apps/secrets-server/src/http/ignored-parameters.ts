import type { Match, Request } from '../core/backend.ts';

/** Warnings about members of the body that the path does not accept, or whose values it already contains. */
export function ignoredParameters({ body }: Request, { route, params }: Match): string[] {
  const { fields } = route;
  if (fields === undefined) return [];
  let unknown: string[] | undefined;
  let replaced: string[] | undefined;
  for (const name of Object.keys(body.values)) {
    if (Object.hasOwn(params, name)) (replaced ??= []).push(name);
    else if (!fields.includes(name)) (unknown ??= []).push(name);
  }
  const warnings: string[] = [];
  if (unknown !== undefined) {
    warnings.push(`Endpoint ignored these unrecognized parameters: [${unknown.toSorted().join(' ')}]`);
  }
  if (replaced !== undefined) {
    warnings.push(
      `Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [${replaced.toSorted().join(' ')}]`,
    );
  }
  return warnings;
}
