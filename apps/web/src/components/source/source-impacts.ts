import type { Target } from '@gatehouse/api-types/console/targets';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import type { SourceKind } from '#queries/target-sources.ts';

/** Limit of names in one line. */
const namedLimit = 8;

/** What targets lose if the sources are deleted. */
export function sourceImpacts(
  targets: readonly Target[],
  ids: readonly string[],
  kinds: readonly SourceKind[],
): readonly Impact[] {
  const gone = new Set(ids);
  const loses = (target: Target, kind: SourceKind): boolean => target[kind].some((id) => gone.has(id));
  const isLeftWithout = (target: Target, kind: SourceKind): boolean =>
    loses(target, kind) && target[kind].every((id) => gone.has(id));
  const hostless = kinds.includes('host_source_ids')
    ? targets.filter((target) => isLeftWithout(target, 'host_source_ids'))
    : [];
  const isHostless = new Set(hostless);
  const credentials = kinds.filter((kind) => kind !== 'host_source_ids');
  const bare = targets.filter(
    (target) =>
      credentials.some((kind) => loses(target, kind)) &&
      credentials.every((kind) => target[kind].every((id) => gone.has(id))),
  );
  const isBare = new Set(bare);
  const others = targets.filter((target) => !isHostless.has(target) && !isBare.has(target));
  const impacts: Impact[] = [];
  if (hostless.length > 0)
    impacts.push({
      kind: 'breaks',
      text: `${namesOf(hostless)} ${hostless.length === 1 ? 'is' : 'are'} left without a host, so no session can be opened.`,
    });
  if (bare.length > 0)
    impacts.push({
      kind: 'breaks',
      text: `${namesOf(bare)} ${bare.length === 1 ? 'is' : 'are'} left without credentials.`,
    });
  if (others.length > 0)
    impacts.push({
      kind: 'worth-knowing',
      text: `${namesOf(others)} ${others.length === 1 ? 'loses' : 'lose'} it and ${others.length === 1 ? 'keeps its' : 'keep their'} other sources.`,
    });
  if (targets.length === 0) impacts.push({ kind: 'worth-knowing', text: 'No target you can see uses it.' });
  return impacts;
}

function namesOf(targets: readonly Target[]): string {
  const names = targets.slice(0, namedLimit).map(({ name }) => name);
  const rest = targets.length - names.length;
  const what = targets.length === 1 ? 'Target' : `${targets.length.toLocaleString('en')} targets:`;
  return `${what} ${names.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}`;
}
