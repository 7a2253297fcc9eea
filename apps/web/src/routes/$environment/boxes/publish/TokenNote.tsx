import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { useNow } from '@gatehouse/ui/time';
import { useRef } from 'react';
import { roughTime } from '#components/publish/transfer-words.ts';
import { formatSpan } from '#components/sessions/outlive.ts';
import { useSendings } from '#lib/uploads/sending.ts';
import { useConnection } from '#queries/session.ts';
import { tokenForecast } from './token-forecast.ts';

/** "Will it outlive me?": says beforehand when the token ends before the images are at the registry. */
export function TokenNote({ run }: { run: PublishRun }) {
  const now = useNow();
  const isShown = useRef(false);
  const sendings = useSendings();
  const ends = useConnection(run.environment, 'boxes')?.expires_at;
  if (ends == null) return null;
  const leftMs = Date.parse(ends) - now;
  // A rate that wavers must not have the note come and go.
  const forecast = tokenForecast(run.providers, sendings, isShown.current ? leftMs * 0.8 : leftMs);
  isShown.current = forecast !== undefined;
  if (forecast === undefined) return null;
  return (
    <Banner
      tone="warn"
      title="Your token in the box registry expires before these images arrive"
      actions={
        <LinkButton size={28} href={`/${run.environment}/connections`}>
          Renew it
        </LinkButton>
      }
    >
      They need about {roughTime(forecast.neededMs)} more; the token lasts {formatSpan(leftMs)}. Reconnect
      first. Sent data is kept.
    </Banner>
  );
}
