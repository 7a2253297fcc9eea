import { Card } from '@gatehouse/ui/card';
import { useQuery } from '@tanstack/react-query';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { counted } from '#lib/counted.ts';
import { personTokensQuery } from '#queries/people.ts';

/** Most tokens in the card. */
const shown = 5;

/** A person's tokens at the secrets server; left out if you can't list them. */
export function SecretTokens({ id }: { id: string }) {
  const { id: environment, services } = useEnvironment();
  const hasSecrets = services.some(({ service }) => service === 'secrets');
  const { data } = useQuery({ ...personTokensQuery(environment, id), enabled: hasSecrets });
  if (data?.tokens == null) return null;
  const { tokens, unread } = data;
  const more = [
    ...(tokens.length > shown ? [`${counted(tokens.length - shown, 'more token')} not shown.`] : []),
    ...(unread > 0
      ? [`${counted(unread, 'other token')} of the server not looked up, which may include more.`]
      : []),
  ];
  return (
    <Card title="Tokens at the secrets server">
      {tokens.length === 0 ? (
        <p className="text-body text-ink-2">None from sign-ins with this login name.</p>
      ) : (
        <ul className="-my-2">
          {tokens.slice(0, shown).map((token) => (
            <li
              key={token.accessor}
              className="flex flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0"
            >
              <span className="font-mono text-meta wrap-anywhere">{token.accessor}</span>
              <span className="text-meta text-ink-2">
                created <Time value={token.created_time} isRelative />
                {token.expire_time !== '' && (
                  <>
                    , expires <Time value={token.expire_time} isRelative />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {more.length > 0 && <p className="mt-3 text-meta text-ink-2">{more.join(' ')}</p>}
    </Card>
  );
}
