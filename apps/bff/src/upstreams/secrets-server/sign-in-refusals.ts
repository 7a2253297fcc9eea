import type { ServiceAnswer } from '../transport.ts';
import type { SecretsServer } from './client.ts';
import { refusalTexts } from './errors.ts';

type Server = Pick<SecretsServer, 'namespace' | 'passwordMount'>;

/** A reason why a password isn't accepted. */
interface Reason {
  /** Matches the texts of Vault and OpenBao. */
  readonly says: RegExp;
  readonly means: (server: Server) => string;
}

/** The text for a wrong password, and for every unknown reason. */
export const wrongPassword = 'The login name or the password is wrong.';

const reasons: readonly Reason[] = [
  {
    says: /namespace not found|no namespace/i,
    means: ({ namespace = '' }) =>
      `The secrets server has no namespace "${namespace}". Check the namespace in the configuration.`,
  },
  {
    says: /no handler for route/,
    means: ({ passwordMount, namespace }) =>
      `The secrets server has no auth method at "${passwordMount}"${inNamespace(namespace)}. Check the mount in the configuration.`,
  },
  {
    says: /LDAP Result Code 49|invalid credentials|ldap operation failed: failed to bind as user/i,
    means: () => wrongPassword,
  },
  {
    says: /Network Error|error connecting to host|failed to connect|connection refused|no such host|i\/o timeout|no route to host|LDAP Result Code (?:51|52|81|85|91)\b/i,
    means: () =>
      "The secrets server can't reach the directory that it checks passwords with. Try again later, or contact an operator of the server.",
  },
  {
    says: /LDAP bind \(service\) failed|failed to bind|error(?:s)? (?:binding|searching)/i,
    means: () =>
      'The directory refused the secrets server, so no password can be checked. Contact an operator of the server.',
  },
  {
    says: /(?:user|account|entity).{0,40}(?:locked|disabled)|locked out/i,
    means: () =>
      'The account is locked or disabled on the secrets server. An operator of the server can unlock it.',
  },
  {
    // Both servers answer this to a locked account, but also, without a token, to a missing auth method.
    says: /^permission denied$|\* permission denied\s*$/,
    means: ({ passwordMount, namespace }) =>
      `The secrets server refused without checking the password. Either the account is locked after too many wrong passwords, or there is no auth method at "${passwordMount}"${inNamespace(namespace)}, or the namespace is wrong. Wait a few minutes, then ask an operator of the server.`,
  },
];

/**
 * The reason for a refused sign-in, in the console's words.
 * @returns undefined for a server error without a known text
 */
export function whyRefused(
  answer: Pick<ServiceAnswer, 'status' | 'body'>,
  server: Server,
): string | undefined {
  const text = refusalTexts(answer);
  const why = reasons.find(({ says }) => says.test(text))?.means(server);
  // An impossible login name, a wrong password and an account without a policy are all the same to the user.
  return why ?? (answer.status < 500 ? wrongPassword : undefined);
}

function inNamespace(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` in the namespace "${namespace}"`;
}
