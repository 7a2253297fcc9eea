import type { Target } from '@gatehouse/api-types/console/targets';
import { Badge } from '@gatehouse/ui/badge';
import { Link } from '@gatehouse/ui/link';
import { credentialSourceHref } from '#components/places/credential-sources.ts';
import { nameOrId } from '#components/record/record-kind.ts';
import { whatItReads, type ReadByLibrary } from '#components/source/what-it-reads.ts';
import { misfitOf } from './misfit.ts';

interface Source {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** Only for a library. */
  readonly read?: ReadByLibrary | undefined;
  /** Why it is no use for the target, if that is likely. */
  readonly misfit?: string | undefined;
}

/** Credential sources of a target, each marked if it has nothing to do with the target's protocol; empty for none. */
export function credentialNames(
  environment: string,
  target: Target,
  sources: Target['brokered_credential_sources'],
) {
  return sourceNames(
    sources.map((source) => ({
      id: source.id,
      name: nameOrId(source),
      href: credentialSourceHref(environment, source.credential_store_id, source.id),
      read: whatItReads(environment, source),
      misfit: misfitOf(target, source),
    })),
  );
}

/** Sources with names, IDs and links; empty for none. */
export function sourceNames(sources: readonly Source[]) {
  if (sources.length === 0) return '';
  return (
    <ul className="flex flex-col gap-0.5">
      {sources.map(({ id, name, href, read, misfit }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <Link href={href}>{name}</Link>
          {name !== id && <span className="font-mono text-meta text-ink-3">{id}</span>}
          {read && (
            <span className="text-meta text-ink-2">
              reads <Link href={read.href}>{read.name}</Link>
            </span>
          )}
          {misfit !== undefined && <Badge tone="warn">{misfit}</Badge>}
        </li>
      ))}
    </ul>
  );
}
