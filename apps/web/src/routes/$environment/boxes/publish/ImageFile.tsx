import type { findUpload } from '@gatehouse/api-types/console/publish-uploads';
import type { ResponseOf } from '@gatehouse/api-types/contract';
import { Banner } from '@gatehouse/ui/banner';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { X } from 'lucide-react';
import { runHref } from '../../../../components/publish/run-href.ts';
import { byteSize } from '../../../../lib/byte-size.ts';
import type { PickedImage } from '../../../../lib/uploads/picked-files.ts';

export type FoundUpload = ResponseOf<typeof findUpload>['uploads'][number];

/** A file that was picked: its size, its checksum as it is computed, and where the console has seen it before. */
export function ImageFile({
  environment,
  run,
  image,
  found,
  onRemove,
}: {
  environment: string;
  /** The run that it is picked for. */
  run: string;
  image: PickedImage;
  found: readonly FoundUpload[];
  onRemove?: () => void;
}) {
  const { file, hashed, sha256, failure } = image;
  const elsewhere = found.filter((item) => item.run !== run);
  const unfinished = elsewhere.find(
    ({ run_state, upload }) =>
      run_state === 'open' && !['done', 'cancelled', 'expired'].includes(upload.state),
  );
  const published = elsewhere.find(({ upload }) => upload.state === 'done');
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2 rounded-control border border-line bg-sunken ps-3 pe-1 py-1">
        <span className="min-w-0 flex-1 text-body wrap-anywhere">
          <span className="font-mono text-meta text-ink-1">{file.name}</span>
          <span className="text-ink-2">, {byteSize(file.size)}</span>
        </span>
        {onRemove !== undefined && (
          <IconButton icon={X} label={`Take ${file.name} away`} onPress={onRemove} />
        )}
      </div>
      {failure !== undefined ? (
        <p role="alert" className="text-meta text-danger">
          Its checksum could not be computed: {failure} Pick the file again.
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
          title="This file is on its way already"
          actions={
            <LinkButton size={28} href={runHref(environment, unfinished.run, 'images')}>
              Go on there
            </LinkButton>
          }
        >
          For {unfinished.box ?? 'a box'} {unfinished.version}, provider {unfinished.provider_name}:{' '}
          {byteSize(unfinished.upload.received)} of {byteSize(unfinished.upload.file.size)} are at the
          console.
        </Banner>
      )}
      {published !== undefined && (
        <Banner tone="info" title="This file was published before">
          {published.box ?? 'A box'} {published.version} has it for {published.provider_name}.
        </Banner>
      )}
    </div>
  );
}
