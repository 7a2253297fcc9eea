import { Icon } from '@gatehouse/ui/icon';
import { CircleCheck } from 'lucide-react';
import { durationInWords } from '#lib/duration.ts';
import { ttlLadder, usualTtl, type TtlRequest, type TtlRung } from './ttl-ladder.ts';

const labels: Readonly<Record<TtlRung['id'], string>> = {
  requested: 'Requested',
  default: 'Role default',
  maximum: 'Role maximum',
  provider: 'Provider limit',
};

/** How long temporary credentials last: all values that apply, and the one that decides. */
export function TtlLadder(request: TtlRequest) {
  const ladder = ttlLadder(request);
  if (ladder === undefined) {
    return (
      <p className="text-body text-ink-2">
        An IAM user lasts as long as its lease, as set in the engine's lease settings.
      </p>
    );
  }
  const { rungs, seconds, isTooShort } = ladder;
  const longest = Math.max(...rungs.map((rung) => rung.seconds ?? 0));
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label="Lifetime limits" className="flex flex-col gap-1">
        {rungs.map((rung) => (
          <Rung key={rung.id} rung={rung} longest={longest} isUsual={isUsual(rung, request)} />
        ))}
      </ol>
      <p aria-live="polite" className="text-meta text-ink-2">
        {isTooShort
          ? `The credentials would last ${durationInWords(seconds)}. The provider's minimum is 15 minutes.`
          : `The credentials last ${durationInWords(seconds)}.`}
        {request.type === 'assumed_role' &&
          seconds > usualTtl &&
          ' A session of a role assumed from another role lasts at most 1 hour, and each role has its own limit at the provider.'}
      </p>
    </div>
  );
}

/** Whether a rung shows the server's default, because the role sets none. */
function isUsual({ id, seconds }: TtlRung, { defaultTtl }: TtlRequest): boolean {
  return id === 'default' && seconds !== undefined && defaultTtl === 0;
}

function Rung({
  rung: { id, seconds, wins },
  longest,
  isUsual: isUnset,
}: {
  rung: TtlRung;
  longest: number;
  isUsual: boolean;
}) {
  return (
    <li
      className={`flex flex-col gap-1 rounded-control border px-3 py-1.5 ${wins ? 'border-accent bg-selected' : 'border-line bg-surface'}`}
    >
      <span className="flex items-center gap-2 text-body">
        <span className={`min-w-0 flex-1 ${wins ? 'font-medium text-ink-1' : 'text-ink-2'}`}>
          {labels[id]}
        </span>
        <span className={seconds === undefined ? 'text-ink-3' : 'text-ink-1'}>
          {seconds === undefined ? 'Not set' : durationInWords(seconds)}
          {isUnset && ' (not set in the role)'}
        </span>
        {wins && (
          <span className="flex items-center gap-1 text-meta font-medium text-accent">
            <Icon icon={CircleCheck} size={14} />
            Applies
          </span>
        )}
      </span>
      <span aria-hidden className="h-1 rounded-tag bg-sunken">
        <span
          className={`block h-full rounded-tag ${wins ? 'bg-accent' : 'bg-control-line'}`}
          style={{ width: `${String(((seconds ?? 0) / longest) * 100)}%` }}
        />
      </span>
    </li>
  );
}
