import type { CloudRoot } from '@gatehouse/api-types/console/cloud-engines';
import { Time } from '#components/environment/Time.tsx';
import { DetailCard } from '#components/record/DetailCard.tsx';

/** The source of the root credentials, and their age as far as the console knows. */
export function RootSource({ root }: { root: CloudRoot }) {
  const { access_key: key, changed } = root;
  return (
    <DetailCard
      title="Current source"
      items={[
        {
          label: 'Source',
          value: key === '' ? sourceWithout(root) : 'Keys configured here',
        },
        ...(key === '' ? [] : [{ label: 'Access key', value: key, isMono: true, copyText: key }]),
        {
          label: 'Last changed',
          value:
            changed === null ? (
              'Never by this console'
            ) : (
              <span className="flex flex-col">
                <Time value={changed.time} isRelative />
                <span className="text-ink-2">by {changed.by}</span>
              </span>
            ),
        },
      ]}
    />
  );
}

function sourceWithout({ configured }: CloudRoot): string {
  const order =
    "The server uses the first credentials it finds: in its environment, in a shared credentials file, or from its machine's role.";
  return configured ? `No keys are configured. ${order}` : `Nothing is configured. ${order}`;
}
