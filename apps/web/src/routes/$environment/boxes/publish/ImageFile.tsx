import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { ResponseOf } from '@gatehouse/api-types/contract';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { X } from 'lucide-react';
import { versionHref } from '#components/places/boxes.ts';
import { runHref } from '#components/publish/run-href.ts';
import { byteSize } from '#lib/byte-size.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { PickedImage } from '#lib/uploads/picked-files.ts';

export type FoundUpload = ResponseOf<Endpoints['publishUploads']['find']>['uploads'][number];

function providerOfUpload({ provider_name: name, architecture }: FoundUpload): string {
  return providerLabel({ name, architecture });
}

/** An upload of the file that can be resumed. */
export function unfinishedOf(found: readonly FoundUpload[]): FoundUpload | undefined {
  return found.find(
    ({ run_state, upload }) =>
      run_state === 'open' && !['done', 'cancelled', 'expired'].includes(upload.state),
  );
}

/** The link to a file that is already in the registry. */
export function publishedHref(environment: string, { box, version, run }: FoundUpload): string {
  const [username, name] = box?.split('/') ?? [];
  return username === undefined || name === undefined || version === null
    ? runHref(environment, run)
    : versionHref({ environment, username, name, version });
}

/** A chosen file: size, checksum with its progress, and its earlier uploads. */
export function ImageFile({
  environment,
  run,
  image,
  found,
  failure: refused,
  onGoOnThere,
  onRemove,
}: {
  environment: string;
  /** The run the file was chosen for. */
  run: string;
  image: PickedImage;
  found: readonly FoundUpload[];
  /** Why resuming the upload failed. */
  failure?: unknown;
  onGoOnThere: (found: FoundUpload) => void;
  onRemove: () => void;
}) {
  const { file, hashed, sha256, failure } = image;
  const elsewhere = found.filter((item) => item.run !== run);
  const unfinished = unfinishedOf(elsewhere);
  const published = elsewhere.find(({ upload }) => upload.state === 'done');
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunken ps-3 pe-1 py-1">
        <span className="min-w-0 flex-1 text-body wrap-anywhere">
          <span className="font-mono text-meta text-ink-1">{file.name}</span>
          <span className="text-ink-2">, {byteSize(file.size)}</span>
        </span>
        <IconButton icon={X} label={`Remove ${file.name}`} onPress={onRemove} />
      </div>
      {failure !== undefined ? (
        <p role="alert" className="text-meta text-danger">
          The checksum couldn't be computed. {failure} Choose the file again.
        </p>
      ) : sha256 === undefined ? (
        <ProgressBar
          label="Computing the checksum"
          value={file.size === 0 ? 0 : hashed / file.size}
          valueLabel={`${byteSize(hashed)} of ${byteSize(file.size)}`}
        />
      ) : (
        <p className="text-meta text-ink-2">
          SHA-256 <span className="font-mono text-ink-1 wrap-anywhere">{sha256}</span>
        </p>
      )}
      {unfinished !== undefined && (
        <Banner
          tone="info"
          title="An upload of this file is unfinished"
          actions={
            <Button
              size={28}
              onPress={() => {
                onGoOnThere(unfinished);
              }}
            >
              Continue that upload
            </Button>
          }
        >
          It is for {unfinished.box ?? 'a box'} {unfinished.version}, provider {providerOfUpload(unfinished)}:{' '}
          {byteSize(unfinished.upload.received)} of {byteSize(unfinished.upload.file.size)} have reached the
          console.
        </Banner>
      )}
      {refused !== undefined && refused !== null && (
        <Banner tone="danger" title={wordsOf(refused).title}>
          {wordsOf(refused).detail} {wordsOf(refused).mend}
        </Banner>
      )}
      {published !== undefined && (
        <Banner
          tone="info"
          title="You already published this file"
          actions={
            <LinkButton size={28} href={publishedHref(environment, published)}>
              Open the version
            </LinkButton>
          }
        >
          It was published as {published.box ?? 'a box'} {published.version}, for{' '}
          {providerOfUpload(published)}. You can still publish it again.
        </Banner>
      )}
    </div>
  );
}
