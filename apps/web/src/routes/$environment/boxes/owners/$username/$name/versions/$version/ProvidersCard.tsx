import {
  architectureOf,
  hasImage,
  providerLabel,
  unknownArchitecture,
} from '@gatehouse/api-types/console/box-values';
import type { BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { ExternalLink, LinkButton } from '@gatehouse/ui/link';
import { MenuButton } from '@gatehouse/ui/menu';
import { toasts } from '@gatehouse/ui/toast';
import { Download, PencilLine, Trash2, Upload } from 'lucide-react';
import { Time } from '#components/environment/Time.tsx';
import { newProviderHref, providerHref, publishHref } from '#components/places/boxes.ts';
import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { usePrepareDownload } from '#queries/box-changes.ts';
import { addressOf, type ProviderPlace, type VersionPlace } from '#queries/boxes.ts';

/** A version's providers: where each image is, its size and its checksum. */
export function ProvidersCard({
  place,
  version,
  cannotChange,
  onDelete,
}: {
  place: VersionPlace;
  version: BoxVersion;
  cannotChange: string | undefined;
  onDelete: (provider: Provider) => void;
}) {
  return (
    <Card
      title={`Providers (${version.providers.length.toLocaleString('en')})`}
      isFlush
      actions={
        cannotChange === undefined ? (
          <LinkButton href={newProviderHref(place)} size={28} variant="ghost">
            New provider
          </LinkButton>
        ) : (
          <Button size={28} variant="ghost" disabledReason={cannotChange}>
            New provider
          </Button>
        )
      }
    >
      {version.providers.length === 0 ? (
        <p className="p-4 text-body text-ink-2">
          No providers yet. Each is an image of the same machine for one virtualization provider and
          architecture.
        </p>
      ) : (
        <ul aria-label="Providers">
          {version.providers.map((provider) => (
            <ProviderItem
              key={`${provider.name} ${provider.architecture ?? ''}`}
              place={{ ...place, ...addressOf(provider) }}
              provider={provider}
              isOneOfMany={version.providers.filter(({ name }) => name === provider.name).length > 1}
              cannotChange={cannotChange}
              onDelete={() => {
                onDelete(provider);
              }}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ProviderItem({
  place,
  provider,
  isOneOfMany,
  cannotChange,
  onDelete,
}: {
  place: ProviderPlace;
  provider: Provider;
  /** Whether the version has other architectures of this provider. */
  isOneOfMany: boolean;
  cannotChange: string | undefined;
  onDelete: () => void;
}) {
  const prepare = usePrepareDownload(place);
  const architecture = architectureOf(provider);
  const called = providerLabel(provider);
  const { name, hosted, size, url, checksum, checksum_type, downloads } = provider;
  const download = (): void => {
    prepare.mutate(undefined, {
      onSuccess: ({ path, filename }) => {
        const link = document.createElement('a');
        link.href = path;
        link.download = filename;
        link.click();
        toasts.ok({ title: `Downloading ${filename}`, detail: 'The browser shows the progress.' });
      },
      onError: (error) => {
        const { title, detail } = wordsOf(error);
        toasts.danger({ title: `Not downloaded: ${title}`, detail });
      },
    });
  };
  return (
    <li className="flex items-start gap-3 border-b border-line py-2.5 ps-4 pe-2 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere text-ink-1">{name}</span>
          {(isOneOfMany || architecture !== unknownArchitecture) && <Badge>{architecture}</Badge>}
          {isOneOfMany && provider.is_default === true && (
            <span className="text-meta text-ink-2">Default architecture</span>
          )}
          {hosted && !hasImage(provider) && <Badge tone="warn">No image yet</Badge>}
        </div>
        <p className="flex flex-wrap gap-x-3 text-meta text-ink-2 tabular-nums">
          {size !== null && <span className="text-ink-1">{byteSize(size)}</span>}
          {!hosted && <span>Stored elsewhere</span>}
          {hasImage(provider) && <span>Stored in the registry</span>}
          {downloads !== null && <span>{counted(downloads, 'download')}</span>}
          <span>
            Updated <Time value={provider.updated_time} isRelative />
          </span>
        </p>
        {!hosted && url !== '' && (
          <p className="text-meta wrap-anywhere">
            <ExternalLink href={url}>{url}</ExternalLink>
          </p>
        )}
        {checksum === '' ? (
          <p className="text-meta text-ink-3">No checksum, so clients can't verify the image.</p>
        ) : (
          <div className="flex min-w-0 items-center gap-1 text-meta text-ink-2">
            <span className="shrink-0">{(checksum_type ?? 'checksum').toUpperCase()}</span>
            <span className="min-w-0 truncate font-mono">{checksum}</span>
            <span className="-my-1 flex">
              <CopyButton text={checksum} label={`Copy checksum of ${called}`} />
            </span>
          </div>
        )}
      </div>
      <MenuButton
        label={`Actions for ${called}`}
        isOverflow
        size={28}
        placement="bottom end"
        items={[
          {
            id: 'download',
            label: 'Download the image',
            icon: Download,
            disabledReason: reasonAgainstDownload(provider, prepare.isPending),
            onAction: download,
          },
          {
            id: 'upload',
            label: 'Upload an image',
            icon: Upload,
            disabledReason:
              cannotChange ??
              (hosted ? undefined : 'Its image is stored elsewhere. Clear its address first.'),
            href: publishHref(place.environment, place, place),
          },
          'separator',
          {
            id: 'edit',
            label: 'Edit',
            icon: PencilLine,
            disabledReason: cannotChange,
            href: `${providerHref(place)}/edit`,
          },
          {
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            isDanger: true,
            disabledReason: cannotChange ?? reasonAgainstDeleting(provider, isOneOfMany),
            onAction: onDelete,
          },
        ]}
      />
    </li>
  );
}

/** The default is deleted last: clients that don't request an architecture would find none. */
function reasonAgainstDeleting({ name, is_default }: Provider, isOneOfMany: boolean): string | undefined {
  return isOneOfMany && is_default === true
    ? `It is the default architecture of ${name}. First make another one the default.`
    : undefined;
}

function reasonAgainstDownload({ hosted, available }: Provider, isPending: boolean): string | undefined {
  if (!hosted) return 'Its image is stored elsewhere. Use its address.';
  if (available === false) return 'No image yet.';
  return isPending ? 'The download is being prepared.' : undefined;
}
