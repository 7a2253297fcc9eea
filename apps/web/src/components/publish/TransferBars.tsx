import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { useEffect, useState } from 'react';
import { byteSize } from '../../lib/byte-size.ts';
import type { Sending } from '../../lib/uploads/sending.ts';
import { addSample, rateOf, timeLeft, type RateSamples } from '../../lib/uploads/transfer-rate.ts';
import { roughTime } from './transfer-words.ts';

/** The two ways of an image: from this browser to the console, and from there to the registry. */
export function TransferBars({ upload, sending }: { upload: Upload; sending: Sending | undefined }) {
  const { size } = upload.file;
  const isHere = sending?.state === 'sending' || sending?.state === 'paused';
  const sent = Math.max(upload.received, isHere ? sending.sent : 0);
  const delivering = useSamples(upload.delivered, upload.state === 'delivering');
  const isDone = upload.state === 'done' || upload.state === 'verifying';
  const delivered = isDone ? size : upload.delivered;
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-3 narrow:grid-cols-2">
      <ProgressBar
        label="Sending to the console"
        value={sent / size}
        valueLabel={progressWords(
          sent,
          size,
          sending?.state === 'sending' ? rateOf(sending.samples) : undefined,
        )}
      />
      <ProgressBar
        label="Delivering to the registry"
        value={delivered / size}
        valueLabel={
          upload.state === 'verifying'
            ? 'Verifying the checksum'
            : progressWords(delivered, size, upload.state === 'delivering' ? rateOf(delivering) : undefined)
        }
      />
    </div>
  );
}

function progressWords(bytes: number, size: number, rate: number | undefined): string {
  const left = timeLeft(size - bytes, rate);
  const amount = bytes >= size ? byteSize(size) : `${byteSize(bytes)} of ${byteSize(size)}`;
  if (rate === undefined || left === undefined || bytes >= size) return amount;
  return `${amount}, ${byteSize(rate)}/s, ${roughTime(left)} left`;
}

/** What is known of a count that the server tells now and then. */
function useSamples(bytes: number, isMoving: boolean): RateSamples {
  const [samples, setSamples] = useState<RateSamples>([]);
  useEffect(() => {
    setSamples((before) => (isMoving ? addSample(before, performance.now(), bytes) : []));
  }, [bytes, isMoving]);
  return samples;
}
