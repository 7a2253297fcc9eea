/** Code for the secrets server that the environment has: the name of its client, and its namespace. */
import { useConnection } from '#queries/session.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { hclString, shellWord, type CodeForms } from './as-code.ts';

/** What commands and requests have to name. */
export interface SecretsClient {
  /** The command: OpenBao's is `bao`. */
  readonly command: 'vault' | 'bao';
  /** Null for the root one. */
  readonly namespace: string | null;
}

const usual: SecretsClient = { command: 'vault', namespace: null };

/** Whether numbers come back rounded from the environment's secrets server: from every one but the built-in. */
export function useRoundsNumbers(): boolean {
  const server = useConnection(useEnvironment().id, 'secrets');
  return server !== undefined && server.product !== 'built-in';
}

/** The client of the environment's secrets server, as far as it is known. */
export function useSecretsClient(): SecretsClient {
  const found = useConnection(useEnvironment().id, 'secrets');
  if (found === undefined) return usual;
  return { command: found.product === 'openbao' ? 'bao' : 'vault', namespace: found.namespace };
}

/** Commands and requests about what is there in the root namespace alone. A secret may have the same path in its engine. */
const inRoot =
  /^vault (?:plugin|[a-z]+ (?:-\S+ )*sys\/(?:replication|plugins)\b)|\$VAULT_ADDR\/v1\/sys\/(?:replication|plugins)\b/;

/** A command of the server's client, which the console writes as `vault …`. */
export function commandFor(text: string, { command, namespace }: SecretsClient): string {
  const words = /^vault( (?:kv metadata|kv|plugin|secrets)? ?[a-z-]+)/.exec(text);
  if (words === null) return text;
  const [before, subcommand = ''] = words;
  const option = namespace === null || inRoot.test(text) ? '' : ` -namespace=${shellWord(namespace)}`;
  return `${command}${subcommand}${option}${text.slice(before.length)}`;
}

/** The command for the environment's secrets server. @param text as the console writes it: `vault …` */
export function useSecretsCommand(text: string): string {
  return commandFor(text, useSecretsClient());
}

/** Names the variables that the server's client reads, in a text that names Vault's. */
export function variablesFor(text: string, { command }: Pick<SecretsClient, 'command'>): string {
  return command === 'bao' ? text.replaceAll(/\bVAULT_(?=ADDR\b|TOKEN\b)/g, 'BAO_') : text;
}

/** Where a request names the variables. Fields that it sends, and secrets, may have names like theirs. */
const addressAndToken = /^ {2}--(?:request \w+|header) "(?:Authorization: Bearer )?\$\w+/gm;

/** The same of all forms: a request names the namespace in a header, a block of Terraform in an argument. */
export function codeFor(code: CodeForms, client: SecretsClient): CodeForms {
  const { cli, http, terraform } = code;
  const { namespace } = client;
  const isNamed = namespace !== null && !inRoot.test(http);
  return {
    ...(cli !== undefined && { cli: commandFor(cli, client) }),
    http: (isNamed
      ? http.replace(
          /^(.*\$VAULT_TOKEN.*)$/m,
          (line) => `${line}\n  --header ${shellWord(`X-Vault-Namespace: ${namespace}`)} \\`,
        )
      : http
    ).replaceAll(addressAndToken, (start) => variablesFor(start, client)),
    ...(terraform !== undefined && {
      terraform: isNamed
        ? terraform.replace(
            /^resource "vault_.*\{$/m,
            (line) => `${line}\n  namespace = ${hclString(namespace)}\n`,
          )
        : terraform,
    }),
  };
}
