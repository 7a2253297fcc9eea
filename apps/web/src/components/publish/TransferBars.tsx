import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { useEffect, useState } from 'react';
import { byteSize } from '#lib/byte-size.ts';
import type { Sending } from '#lib/uploads/sending.ts';
import { addSample, rateOf, timeLeft, type RateSamples } from '#lib/uploads/transfer-rate.ts';
import { roughTime } from './transfer-words.ts';

/** The two stages of an image: from this browser to the console, and from there to the registry. */
export function TransferBars({ upload, sending }: { upload: Upload; sending: Sending | undefined }) {
  const { size } = upload.file;
  const isHere = sending?.state === 'sending' || sending?.state === 'paused';
  const sent = Math.max(upload.received, isHere ? sending.sent : 0);
  const delivering = useSamples(upload.delivered, upload.state === 'delivering');
  const isDone = upload.state === 'done' || upload.state === 'verifying';
  const delivered = isDone ? size : upload.delivered;
  const sendingRate = sending?.state === 'sending' ? rateOf(sending.samples) : undefined;
  const deliveringRate = upload.state === 'delivering' ? rateOf(delivering) : undefined;
  const rest = upload.state === 'done' ? undefined : '';
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-2 narrow:grid-cols-2">
      <Way label={sent >= size ? 'Sent to the console' : 'Sending to the console'} bytes={sent} size={size}>
        {upload.state === 'receiving' ? restWords(size - sent, sendingRate) : rest}
      </Way>
      <Way
        label={isDone ? 'Delivered to the registry' : 'Delivering to the registry'}
        bytes={delivered}
        size={size}
      >
        {upload.state === 'verifying'
          ? 'Verifying the checksum'
          : upload.state === 'delivering'
            ? restWords(size - delivered, deliveringRate)
            : rest}
      </Way>
    </div>
  );
}

function Way({
  label,
  bytes,
  size,
  children,
}: {
  label: string;
  bytes: number;
  size: number;
  /** The line is reserved while a rate may follow, so that the layout doesn't shift. */
  children: string | undefined;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <ProgressBar
        label={label}
        value={bytes / size}
        valueLabel={bytes >= size ? byteSize(size) : `${byteSize(bytes)} of ${byteSize(size)}`}
      />
      {children !== undefined && (
        <p className="min-h-4 text-end text-meta text-ink-2 tabular-nums">{children}</p>
      )}
    </div>
  );
}

/** `43 MB/s, 15 s left`; rates are rounded. */
function restWords(rest: number, rate: number | undefined): string {
  const left = timeLeft(rest, rate);
  if (rate === undefined || left === undefined) return '';
  const speed = byteSize(Number(rate.toPrecision(2))).replace(/^(\d{2,})\.0/, '$1');
  return `${speed}/s, ${roughTime(left)} left`;
}

/** Samples of a count that the server reports occasionally. */
function useSamples(bytes: number, isMoving: boolean): RateSamples {
  const [samples, setSamples] = useState<RateSamples>([]);
  useEffect(() => {
    setSamples((before) => (isMoving ? addSample(before, performance.now(), bytes) : []));
  }, [bytes, isMoving]);
  return samples;
}
