import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { pluginHref } from '#components/places/plugins.ts';
import { shortHash, sourceWords } from '#components/plugins/plugin-words.ts';
import { wordsOf } from '#lib/error-words.ts';
import { rowsOf, type Catalog, type PluginRow } from '../-catalog/catalog.ts';

/** The registrations of one plugin: its versions, and which one shadows the built-in plugin. */
export function VersionsCard({
  plugin,
  catalog,
  create,
}: {
  plugin: Plugin;
  catalog: UseQueryResult<Catalog>;
  create: { readonly href: string; readonly reason: string | undefined };
}) {
  const environment = useEnvironment();
  const versions =
    catalog.data &&
    rowsOf(catalog.data).filter(({ type, name }) => type === plugin.type && name === plugin.name);
  return (
    <Card title="Versions" isFlush actions={<RegisterAnother {...create} />}>
      {catalog.isPending && (
        <div className="p-4">
          <SkeletonList label="Loading the other versions" lines={2} />
        </div>
      )}
      {catalog.isError && versions === undefined && (
        <p className="p-4 text-body text-danger">
          The other versions couldn't be loaded. {wordsOf(catalog.error).detail}
        </p>
      )}
      <ul aria-label="Versions">
        {versions?.map((version) => (
          <li
            key={version.id}
            className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 last:border-b-0"
          >
            {version.id === plugin.id ? (
              <span className="font-medium text-ink-1" aria-current="page">
                {versionWords(version)}
              </span>
            ) : (
              <Link href={pluginHref(environment.id, version.id)}>{versionWords(version)}</Link>
            )}
            {version.sha256 !== '' && (
              <span className="font-mono text-meta text-ink-3">{shortHash(version.sha256)}</span>
            )}
            <span className="ms-auto flex flex-wrap items-center gap-1">
              <VersionBadges version={version} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RegisterAnother({ href, reason }: { href: string; reason: string | undefined }) {
  return reason === undefined ? (
    <LinkButton href={href} variant="ghost" size={28}>
      Register another version
    </LinkButton>
  ) : (
    <Button variant="ghost" size={28} disabledReason={reason}>
      Register another version
    </Button>
  );
}

function versionWords({ version }: PluginRow): string {
  return version === '' ? 'Without a version' : version;
}

function VersionBadges({ version: { isPinned, shadowed, shadows, source } }: { version: PluginRow }) {
  return (
    <>
      {isPinned && <Badge tone="accent">Pinned</Badge>}
      {shadows && <Badge tone="warn">Shadows the built-in</Badge>}
      {shadowed && <Badge tone="warn">Shadowed</Badge>}
      <Badge>{sourceWords[source]}</Badge>
    </>
  );
}
