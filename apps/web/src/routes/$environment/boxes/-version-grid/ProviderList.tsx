import { hasImage, providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';

type Provider = BoxVersion['providers'][number];

/** A version's providers, each with the location of its image, and the checksum that clients verify. */
export function ProviderList({
  label,
  isTitled = false,
  providers,
  remarkOn,
}: {
  label: string;
  /** Shows the label above the list. */
  isTitled?: boolean;
  providers: readonly Provider[];
  /** A remark on a provider; undefined if none. */
  remarkOn?: (provider: Provider) => string | undefined;
}) {
  return (
    <div className="flex flex-col gap-2 text-meta text-ink-2">
      {isTitled && <p aria-hidden>{label}:</p>}
      <ul aria-label={label} className="flex flex-col gap-2">
        {providers.map((provider) => {
          const { url, hosted, checksum, checksum_type: type } = provider;
          const name = providerLabel(provider);
          const kept = hasImage(provider) ? 'Stored in the registry' : 'No image yet';
          const remark = remarkOn?.(provider);
          return (
            <li key={name} className="flex min-w-0 flex-col wrap-anywhere">
              <span className="text-body text-ink-1">{name}</span>
              <span>{hosted || url === '' ? kept : url}</span>
              <span className="font-mono">
                {checksum === '' ? 'No checksum' : `${(type ?? 'checksum').toUpperCase()} ${checksum}`}
              </span>
              {remark !== undefined && <strong className="text-warn">{remark}</strong>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
