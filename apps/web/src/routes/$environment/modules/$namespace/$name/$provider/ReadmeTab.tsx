import type { ModuleFolder, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { ExternalLink, Link, LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { Markdown } from '#components/markdown/Markdown.tsx';
import { moduleHref } from '#components/places/modules.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { byteSize } from '#lib/byte-size.ts';
import { takeLostFocus } from '#lib/focus.ts';
import { moduleLocationQuery, type ModulePlace } from '#queries/modules.ts';
import { placeholderOf, usageBlock } from '#routes/$environment/modules/-usage/usage-block.ts';
import { constraintOf } from '#routes/$environment/modules/-usage/version-constraint.ts';
import { NotRead } from './NotRead.tsx';
import { isRootOfSubmodules, readmeLink, type ShownModule } from './shown-module.ts';

/** The README, and the version's details. */
export function ReadmeTab({ shown }: { shown: ShownModule }) {
  const { place, module, version, folder, search } = shown;
  const isRoot = isRootOfSubmodules(version, folder);
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)]">
      <div className="flex min-w-0 flex-col gap-4">
        {folder === null ? (
          <NotRead shown={shown} />
        ) : (
          <Card title={folder.path === '' ? 'Readme' : `Readme of ${folder.path}`}>
            {folder.path === '' && version.description !== '' && (
              <p className="mb-3 text-heading text-balance text-ink-1">{version.description}</p>
            )}
            <Readme shown={shown} folder={folder} label="readme" />
          </Card>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Card
          title="Use this module"
          {...(!isRoot && {
            actions: (
              <LinkButton href={moduleHref(place, { ...search, tab: 'use' })} variant="ghost" size={28}>
                Fill in inputs
              </LinkButton>
            ),
          })}
        >
          {isRoot ? (
            <ChooseSubmodule shown={shown} />
          ) : (
            <CodeBlock
              label="Terraform"
              code={usageBlock({
                label: folder?.name || module.name,
                address: module.address,
                submodule: folder?.path ?? '',
                version: constraintOf(version.version, 'compatible'),
                inputs: (folder?.inputs ?? [])
                  .filter(({ required }) => required)
                  .map((input) => ({ name: input.name, value: placeholderOf(input) })),
                folder,
              })}
              isWrapped
            />
          )}
        </Card>
        <DetailCard title="Details" items={details(shown)} />
        <ArchiveCard key={version.version} place={place} version={version} />
      </div>
    </div>
  );
}

/** A folder's README. */
export function Readme({
  shown: { place, version, search },
  folder: { path, readme },
  label,
}: {
  shown: ShownModule;
  folder: ModuleFolder;
  label: string;
}) {
  const resolve = useCallback(
    (href: string) => readmeLink({ place, version, search }, path, href),
    [place, version, search, path],
  );
  if (readme === '') return <p className="text-body text-ink-2">No README</p>;
  return <Markdown text={readme} label={label} resolve={resolve} />;
}

/** Links to the submodules of a module with an empty root. */
export function ChooseSubmodule({ shown: { place, version, search } }: { shown: ShownModule }) {
  return (
    <div className="text-body">
      <p className="text-ink-2">Nothing is declared at the root of this module. Use one of its submodules:</p>
      <ul className="mt-2 list-disc ps-5">
        {version.content.submodules.map(({ path }) => (
          <li key={path}>
            <Link href={moduleHref(place, { ...search, submodule: path })}>{path}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const notTold = 'Not reported';

function details({ place, module, version }: ShownModule): readonly KeyValue[] {
  const { published_time: published, archive, content } = version;
  return [
    { label: 'Address', value: module.address, isMono: true, copyText: module.address },
    { label: 'Version', value: version.version },
    { label: 'Published', value: published === '' ? notTold : <Time value={published} /> },
    { label: 'Owner', value: version.owner },
    {
      label: 'Source',
      value: <ExternalLink href={version.source}>{version.source}</ExternalLink>,
    },
    { label: 'Verified', value: module.verified ? 'By a registry administrator' : 'No' },
    ...(module.downloads === null
      ? []
      : [{ label: 'Downloads', value: `${module.downloads.toLocaleString('en')}, all versions` }]),
    { label: 'Size', value: archive === null ? notTold : byteSize(archive.size) },
    ...(archive === null
      ? []
      : [{ label: 'SHA-256', value: archive.sha256, isMono: true, copyText: archive.sha256 }]),
    {
      label: 'Content',
      value: {
        registry: 'Read by the registry',
        archive: 'Read from the archive by the console',
        nobody: 'Not read',
      }[content.from],
    },
    ...(module.providers.length < 2
      ? []
      : [
          {
            label: 'Other providers',
            value: (
              <span className="flex flex-wrap gap-x-3">
                {module.providers
                  .filter((provider) => provider !== module.provider)
                  .map((provider) => (
                    <Link key={provider} href={moduleHref({ ...place, provider })}>
                      {provider}
                    </Link>
                  ))}
              </span>
            ),
          },
        ]),
  ];
}

/** The address that clients download from. Fetched only on request, because such addresses expire soon. */
function ArchiveCard({ place, version }: { place: ModulePlace; version: ModuleVersion }) {
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({ ...moduleLocationQuery(place, version.version), enabled: isWanted });
  const { data } = query;
  return (
    <Card title="Archive location">
      {data === undefined ? (
        query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className="flex flex-col items-start gap-2">
            <p className="text-body text-ink-2">
              The registry redirects clients to the archive. Looking up its address isn't counted as a
              download.
            </p>
            <Button
              size={28}
              isPending={query.isFetching}
              onPress={() => {
                setWanted(true);
              }}
            >
              Show location
            </Button>
          </div>
        )
      ) : (
        <div ref={takeLostFocus} tabIndex={-1} className="flex flex-col gap-3">
          <CodeBlock label="Location" code={data.location} isWrapped />
          {data.url !== '' && data.url !== data.location && (
            <CodeBlock label="Address" code={data.url} isWrapped />
          )}
          {data.reason !== '' && <p className="text-body text-ink-2">{data.reason}</p>}
        </div>
      )}
    </Card>
  );
}
