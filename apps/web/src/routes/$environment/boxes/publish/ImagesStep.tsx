import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { StatusDot } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { useNow } from '@gatehouse/ui/time';
import { useRef } from 'react';
import { runHref } from '#components/publish/run-href.ts';
import { roughTime } from '#components/publish/transfer-words.ts';
import { TransferCard } from '#components/publish/TransferCard.tsx';
import { formatSpan } from '#components/sessions/outlive.ts';
import { useSendings } from '#lib/uploads/sending.ts';
import { useConnection } from '#queries/session.ts';
import { tokenForecast } from './token-forecast.ts';

const whileOnTheirWay =
  'Keep this tab open while files are sent. You can use other screens. Files that have reached the console are delivered to the registry automatically, even if you close the page.';

/** The images being uploaded to the registry. */
export function ImagesStep({ run }: { run: PublishRun }) {
  const waiting = run.providers.filter(({ ready }) => !ready);
  return (
    <section aria-label="Images" className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-1">
        <h2 className="text-heading font-semibold text-ink-1">
          {waiting.length === 0 ? 'All images are ready' : 'Images in transit'}
        </h2>
        <p className="max-w-160 text-body text-ink-2">
          {waiting.length === 0
            ? 'The checksums of uploaded images were verified. Next, review the version and release it.'
            : whileOnTheirWay}
        </p>
      </div>
      <TokenNote run={run} />
      <div className="flex flex-col gap-4">
        {run.providers.map((provider) =>
          provider.source.kind === 'image' ? (
            <TransferCard key={provider.id} run={run} provider={provider} title={providerLabel(provider)} />
          ) : (
            <div
              key={provider.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-surface p-4"
            >
              <h3 className="text-body font-semibold text-ink-1">{providerLabel(provider)}</h3>
              <span className="min-w-0 flex-1 basis-48 font-mono text-meta text-ink-2 wrap-anywhere">
                {provider.source.url}
              </span>
              <StatusDot tone="ok">Nothing to upload</StatusDot>
            </div>
          ),
        )}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-3 border-t border-line pt-4">
        {waiting.length > 0 && (
          <p className="me-auto text-body text-ink-2">
            {waiting.length === 1 ? '1 image is' : `${String(waiting.length)} images are`} not in the registry
            yet.
          </p>
        )}
        <LinkButton variant="primary" href={runHref(run.environment, run.id, 'review')}>
          Review
        </LinkButton>
      </div>
    </section>
  );
}

/** Warns if the token will expire before the images are in the registry. */
function TokenNote({ run }: { run: PublishRun }) {
  const now = useNow();
  const isShown = useRef(false);
  const sendings = useSendings();
  const ends = useConnection(run.environment, 'boxes')?.expires_at;
  if (ends == null) return null;
  const leftMs = Date.parse(ends) - now;
  // With a margin, so that a varying rate doesn't make the note flicker.
  const forecast = tokenForecast(run.providers, sendings, isShown.current ? leftMs * 0.8 : leftMs);
  isShown.current = forecast !== undefined;
  if (forecast === undefined) return null;
  return (
    <Banner
      tone="warn"
      title="Your token for the box registry will expire before these images are delivered"
      actions={
        <LinkButton size={28} href={`/${run.environment}/connections`}>
          Reconnect
        </LinkButton>
      }
    >
      The images need about {roughTime(forecast.neededMs)} more; the token lasts {formatSpan(leftMs)}.
      Reconnect first. Data already sent is kept.
    </Banner>
  );
}
