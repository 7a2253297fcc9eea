/** Code for the environment's secrets server: the name of its client, and its namespace. */
import { useConnection } from '#queries/session.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { hclString, shellWord, type CodeForms } from './as-code.ts';

/** What commands and requests must name. */
export interface SecretsClient {
  /** The command; OpenBao's is `bao`. */
  readonly command: 'vault' | 'bao';
  /** Null for the root namespace. */
  readonly namespace: string | null;
}

const usual: SecretsClient = { command: 'vault', namespace: null };

/** Whether the environment's secrets server may return rounded numbers: all but the built-in one do. */
export function useRoundsNumbers(): boolean {
  const server = useConnection(useEnvironment().id, 'secrets');
  return server !== undefined && server.product !== 'built-in';
}

/** The client of the environment's secrets server; the usual one while unknown. */
export function useSecretsClient(): SecretsClient {
  const found = useConnection(useEnvironment().id, 'secrets');
  if (found === undefined) return usual;
  return { command: found.product === 'openbao' ? 'bao' : 'vault', namespace: found.namespace };
}

/**
 * Commands and requests that exist only in the root namespace. A secret may have the same path in its engine.
 */
const inRoot =
  /^vault (?:plugin|[a-z]+ (?:-\S+ )*sys\/(?:replication|plugins)\b)|\$VAULT_ADDR\/v1\/sys\/(?:replication|plugins)\b/;

/** A `vault …` command, as the console writes it, for the server's client. */
export function commandFor(text: string, { command, namespace }: SecretsClient): string {
  const words = /^vault( (?:kv metadata|kv|plugin|secrets)? ?[a-z-]+)/.exec(text);
  if (words === null) return text;
  const [before, subcommand = ''] = words;
  const option = namespace === null || inRoot.test(text) ? '' : ` -namespace=${shellWord(namespace)}`;
  return `${command}${subcommand}${option}${text.slice(before.length)}`;
}

/** The command for the environment's secrets server. @param text in the console's notation, `vault …` */
export function useSecretsCommand(text: string): string {
  return commandFor(text, useSecretsClient());
}

/** Replaces Vault's variables in a text by those of the server's client. */
export function variablesFor(text: string, { command }: Pick<SecretsClient, 'command'>): string {
  return command === 'bao' ? text.replaceAll(/\bVAULT_(?=ADDR\b|TOKEN\b)/g, 'BAO_') : text;
}

/** Where a request names the variables: fields and secrets in its body may have the same names. */
const addressAndToken = /^ {2}--(?:request \w+|header) "(?:Authorization: Bearer )?\$\w+/gm;

/** Adapts all forms of code. Requests name the namespace in a header, Terraform blocks in an argument. */
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
