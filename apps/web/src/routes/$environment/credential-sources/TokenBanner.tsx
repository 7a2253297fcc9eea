import type { VaultAttributes } from '@gatehouse/api-types/console/vault-store';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { storeHref } from '#components/places/credential-sources.ts';

/** Whether a store's token can't issue credentials any more. */
export function isTokenDead({ token_status: status }: Pick<VaultAttributes, 'token_status'>): boolean {
  return status === 'revoked' || status === 'expired';
}

/** What to do about a token that needs attention; nothing if it is fine. */
export function TokenBanner({
  store,
  attributes,
  cannotRotate,
}: {
  store: string;
  attributes: VaultAttributes;
  cannotRotate: string | undefined;
}) {
  const environment = useEnvironment();
  if (isTokenDead(attributes)) {
    return (
      <Banner
        tone="danger"
        title={attributes.token_status === 'expired' ? 'The token has expired' : 'The token was revoked'}
        {...(cannotRotate === undefined && {
          actions: (
            <LinkButton href={`${storeHref(environment.id, store)}/token`} size={28}>
              Rotate token
            </LinkButton>
          ),
        })}
      >
        Sessions on targets that use this store's libraries can't be authorized until it has a new token.{' '}
        {cannotRotate}
      </Banner>
    );
  }
  if (attributes.token_status !== 'renewing') return null;
  return (
    <Banner tone="warn" title="The token is being renewed">
      The secrets server didn't renew the token. The controller retries until the token is renewed or expires.
    </Banner>
  );
}
