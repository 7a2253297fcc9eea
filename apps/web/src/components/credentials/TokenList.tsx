import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Time } from '#components/environment/Time.tsx';

interface ListedToken {
  /** May be empty. */
  readonly description: string;
  /** Empty if unknown. */
  readonly created_time: string;
  /** Empty if the token was never used. */
  readonly last_used_time: string;
}

interface TokenListProps<Token> {
  tokens: readonly Token[];
  /** A token's ID in the list. */
  idOf: (token: Token) => string;
  /** Whether the console uses the token for this session. */
  isOwn: (token: Token) => boolean;
  /** Part of the token's hash, to recognize it. */
  hashOf?: (token: Token) => string;
  verb: 'Delete' | 'Revoke';
  onPress: (token: Token) => void;
}

/** A user's tokens at a registry, each with a button that deletes or revokes it. */
export function TokenList<Token extends ListedToken>(props: TokenListProps<Token>) {
  const { tokens, idOf, isOwn, hashOf, verb, onPress } = props;
  return (
    <ul aria-label="Tokens">
      {tokens.map((token) => (
        <li
          key={idOf(token)}
          className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2 last:border-b-0"
        >
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium wrap-anywhere text-ink-1">
                {token.description || 'Without a description'}
              </span>
              {isOwn(token) && <Badge tone="accent">This session</Badge>}
            </p>
            <p className="flex flex-wrap gap-x-3 text-meta text-ink-2">
              {token.created_time !== '' && (
                <span>
                  Created <Time value={token.created_time} isRelative />
                </span>
              )}
              <span>
                {token.last_used_time === '' ? (
                  'Never used'
                ) : (
                  <>
                    Used <Time value={token.last_used_time} isRelative />
                  </>
                )}
              </span>
              {hashOf !== undefined && <span className="font-mono">{hashOf(token)}</span>}
            </p>
          </div>
          <Button
            size={28}
            variant="ghost"
            aria-label={`${verb} token ${token.description || 'without a description'}`}
            disabledReason={
              isOwn(token)
                ? 'The console uses this token for your session. Disconnect in Connections instead.'
                : undefined
            }
            onPress={() => {
              onPress(token);
            }}
          >
            {verb}
          </Button>
        </li>
      ))}
    </ul>
  );
}
