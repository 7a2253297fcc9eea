import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { StatusDot } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Pause, Play, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { forgetImage, pickImage, pickedImage, usePickedImages } from '#lib/uploads/picked-files.ts';
import { pauseSending, resumeSending, stopSending, useSendings } from '#lib/uploads/sending.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { FilePicker } from '../form/FilePicker.tsx';
import { beginSending } from './begin-sending.ts';
import { isUnderWay, transferWords } from './transfer-words.ts';
import { TransferBars } from './TransferBars.tsx';

/** The transfer of an image: its progress and actions. */
export function TransferCard({
  run,
  provider,
  title,
}: {
  run: Pick<PublishRunSummary, 'id' | 'environment' | 'state'>;
  provider: PublishRunSummary['providers'][number];
  title: string;
}) {
  const writes = usePublishWrites(run.environment);
  const { upload } = provider;
  const sending = useSendings().find(({ id }) => id === upload?.id);
  const image = usePickedImages().find(({ key }) => key === provider.id);
  const [isAsking, setAsking] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [other, setOther] = useState<File>();

  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  };
  const send = () => attempt(() => beginSending(writes, run.id, provider.id));
  const pick = (file: File, inPlaceOfOther: boolean): Promise<void> =>
    attempt(async () => {
      const fingerprint = await pickImage(provider.id, file);
      const begun = upload !== null && upload.state === 'receiving' && upload.received > 0;
      if (begun && fingerprint !== upload.file.fingerprint && !inPlaceOfOther) {
        forgetImage(provider.id);
        setOther(file);
        return;
      }
      setOther(undefined);
      if (begun && fingerprint !== upload.file.fingerprint) {
        stopSending(upload.id);
        await writes.cancelUpload(run.id, provider.id);
      }
      await beginSending(writes, run.id, provider.id);
    });
  const drop = (): Promise<void> =>
    attempt(async () => {
      if (upload !== null) stopSending(upload.id);
      await writes.cancelUpload(run.id, provider.id);
      forgetImage(provider.id);
      setAsking(false);
    });

  const words = upload === null ? undefined : transferWords(upload, sending);
  const isEnded = upload === null || ['cancelled', 'expired'].includes(upload.state);
  const mustSend = isEnded || (upload.state === 'failed' && upload.retry !== 'deliver');
  const isForgotten = upload?.state === 'receiving' && (sending === undefined || sending.state === 'refused');
  const differs = upload?.sha256 != null && image?.sha256 !== undefined && upload.sha256 !== image.sha256;
  return (
    <section
      aria-label={title}
      className="flex flex-col gap-4 rounded-control border border-line bg-surface p-4"
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="truncate text-body font-semibold text-ink-1">{title}</h3>
          {upload !== null && <p className="truncate font-mono text-meta text-ink-2">{upload.file.name}</p>}
        </div>
        {provider.ready && upload?.state !== 'done' ? (
          <StatusDot tone="ok">Has an image</StatusDot>
        ) : (
          words !== undefined && (
            <span role="status">
              <StatusDot tone={words.tone} isBusy={words.isBusy}>
                {words.word}
              </StatusDot>
            </span>
          )
        )}
        {run.state === 'open' && (
          <div className="flex flex-wrap items-center gap-2 empty:hidden">
            {upload !== null && sending?.state === 'sending' && upload.state === 'receiving' && (
              <Button
                size={28}
                icon={Pause}
                onPress={() => {
                  pauseSending(upload.id);
                }}
              >
                Pause
              </Button>
            )}
            {upload !== null && (sending?.state === 'paused' || sending?.state === 'broken') && (
              <Button
                size={28}
                icon={Play}
                onPress={() => {
                  resumeSending(upload.id);
                }}
              >
                {sending.state === 'paused' ? 'Resume' : 'Retry now'}
              </Button>
            )}
            {upload?.state === 'failed' && upload.retry === 'deliver' && (
              <Button
                size={28}
                icon={RotateCw}
                isPending={isPending}
                onPress={() => void attempt(() => writes.deliver(run.id, provider.id))}
              >
                Retry delivery
              </Button>
            )}
            {upload?.state === 'received' && upload.attempts === 0 && (
              <Button
                size={28}
                icon={RotateCw}
                isPending={isPending}
                onPress={() => void attempt(() => writes.deliver(run.id, provider.id))}
              >
                Deliver now
              </Button>
            )}
            {upload !== null && isUnderWay(upload) && (
              <Button
                size={28}
                variant="ghost"
                icon={X}
                onPress={() => {
                  setAsking(true);
                }}
              >
                Cancel<span className="sr-only"> the upload for {title}</span>
              </Button>
            )}
          </div>
        )}
      </div>
      {upload !== null && !isEnded && <TransferBars upload={upload} sending={sending} />}
      {sending?.reason !== undefined && (
        <Banner tone={sending.state === 'broken' ? 'warn' : 'danger'} title={sending.reason}>
          {sending.state === 'broken'
            ? 'The uploaded part is kept. The upload resumes automatically.'
            : 'The console keeps the uploaded part for a while. Choose the file again to continue.'}
        </Banner>
      )}
      {upload?.problem != null &&
        (upload.state === 'failed' ? (
          <Banner tone="danger" title="The delivery failed">
            {upload.problem.detail}{' '}
            {upload.retry === 'deliver'
              ? 'The console has the whole file. You can deliver it again without another upload.'
              : 'Send the file again.'}
          </Banner>
        ) : (
          <Banner tone="warn" title="The delivery was interrupted">
            {upload.problem.detail} The console has the whole file and will retry in a moment.
          </Banner>
        ))}
      {isEnded && upload !== null && upload.sha256 !== null && (
        <Banner tone="warn" title="The registry may have this image">
          Its last bytes had already been sent when the upload ended. Check the provider in the registry.
        </Banner>
      )}
      {differs && (
        <Banner tone="danger" title="The checksums differ">
          This page computed {image.sha256}; the console computed {upload.sha256}. The file may have changed.
          Send it again.
        </Banner>
      )}
      {run.state === 'open' &&
        !provider.ready &&
        (mustSend || isForgotten) &&
        (pickedImage(provider.id) !== undefined && !isForgotten ? (
          <div>
            <Button isPending={isPending} icon={Play} onPress={() => void send()}>
              Send {pickedImage(provider.id)?.file.name}
            </Button>
          </div>
        ) : (
          <FilePicker
            label={`Image for ${title}`}
            buttonLabel={isForgotten ? 'Choose the file again' : 'Choose the image'}
            onPick={([file]) => {
              if (file !== undefined) void pick(file, false);
            }}
          >
            {isForgotten ? `or drop ${upload.file.name} here. Only the rest is sent.` : 'or drop it here.'}
          </FilePicker>
        ))}
      {other !== undefined && upload !== null && (
        <Banner
          tone="warn"
          title="This is a different file"
          actions={
            <Button size={28} isPending={isPending} onPress={() => void pick(other, true)}>
              Send this file instead
            </Button>
          }
        >
          {other.name} differs in size or content from {upload.file.name}, whose upload was interrupted.
        </Banner>
      )}
      {failure !== undefined && failure !== null && (
        <Banner tone="danger" title={wordsOf(failure).title}>
          {wordsOf(failure).detail} {wordsOf(failure).mend}
        </Banner>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Cancel the upload for ${title}?`}
        confirmLabel="Cancel the upload"
        cancelLabel="Keep it"
        isPending={isPending}
        onConfirm={() => void drop()}
      >
        The uploaded part is discarded and any delivery stops. The provider stays in the registry
        {upload?.sha256 == null
          ? ' without this image.'
          : '. The last bytes were already sent, so it may have this image.'}
      </ConfirmDialog>
    </section>
  );
}
