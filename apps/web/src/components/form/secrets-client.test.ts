import { describe, expect, test } from 'vitest';
import { codeFor, commandFor, variablesFor } from './secrets-client.ts';

const inTeam = { command: 'bao', namespace: 'team/app' } as const;
const inRoot = { command: 'vault', namespace: null } as const;

describe('a command', () => {
  test.each([
    ['vault kv put -mount=secret app/db', 'bao kv put -namespace=team/app -mount=secret app/db'],
    ['vault kv metadata patch \\\n  x', 'bao kv metadata patch -namespace=team/app \\\n  x'],
    ['vault write secret/config \\\n  a=1', 'bao write -namespace=team/app secret/config \\\n  a=1'],
    ['vault secrets enable -path=secret kv', 'bao secrets enable -namespace=team/app -path=secret kv'],
    // These exist only in the root namespace.
    ['vault plugin register -sha256=x secret mine', 'bao plugin register -sha256=x secret mine'],
    ['vault read sys/replication/performance/status', 'bao read sys/replication/performance/status'],
    ['vault write -f sys/replication/performance/x', 'bao write -f sys/replication/performance/x'],
    // A secret may have the same path as these.
    ['vault kv get -mount=a sys/plugins/x', 'bao kv get -namespace=team/app -mount=a sys/plugins/x'],
    ['boundary targets list', 'boundary targets list'],
  ])('%j names the client and the namespace', (text, named) => {
    expect(commandFor(text, inTeam)).toBe(named);
    expect(commandFor(text, inRoot)).toBe(text);
  });

  test('quotes a namespace for the shell', () => {
    expect(commandFor('vault kv get x', { command: 'vault', namespace: "a b'c" })).toBe(
      String.raw`vault kv get -namespace='a b'\''c' x`,
    );
  });
});

test("a note names the client's variables", () => {
  const note = "Set VAULT_ADDR to the secrets server's address and VAULT_TOKEN to your token.";
  expect(variablesFor(note, inTeam)).toBe(
    "Set BAO_ADDR to the secrets server's address and BAO_TOKEN to your token.",
  );
  expect(variablesFor(note, inRoot)).toBe(note);
});

describe('the equivalent request and Terraform block', () => {
  const code = {
    cli: 'vault kv put x',
    http: 'curl --fail-with-body \\\n  --header "Authorization: Bearer $VAULT_TOKEN" \\\n  --data x',
    terraform: 'resource "vault_kv_secret_v2" "x" {\n  mount = "secret"\n}',
  };

  test('name the namespace', () => {
    expect(codeFor(code, inTeam)).toEqual({
      cli: 'bao kv put -namespace=team/app x',
      http: 'curl --fail-with-body \\\n  --header "Authorization: Bearer $BAO_TOKEN" \\\n  --header \'X-Vault-Namespace: team/app\' \\\n  --data x',
      terraform: 'resource "vault_kv_secret_v2" "x" {\n  namespace = "team/app"\n\n  mount = "secret"\n}',
    });
    expect(codeFor(code, inRoot)).toEqual(code);
  });

  test('name it for a secret with the path of a root-only operation', () => {
    const request = (path: string) =>
      `curl \\\n  --request GET "$VAULT_ADDR/v1/${path}" \\\n  --header "Authorization: Bearer $VAULT_TOKEN" \\\n  --data x`;
    expect(codeFor({ http: request('kv/data/sys/plugins') }, inTeam).http).toContain('X-Vault-Namespace');
    expect(codeFor({ http: request('sys/plugins/catalog') }, inTeam).http).not.toContain('X-Vault-Namespace');
  });

  test('keep fields that are named like the variables', () => {
    const http = (variables: string) =>
      `curl \\\n  --request POST "$${variables}_ADDR/v1/kv/data/VAULT_ADDR" \\\n  --header "Authorization: Bearer $${variables}_TOKEN" \\\n  --data '{ "VAULT_TOKEN": "$VAULT_TOKEN" }'`;
    const openbao = { command: 'bao', namespace: null } as const;
    expect(codeFor({ http: http('VAULT') }, openbao).http).toBe(http('BAO'));
  });

  test('of other services stay unchanged', () => {
    const other = { http: 'curl --header "Authorization: Bearer $BOUNDARY_TOKEN" \\\n  --data x' };
    expect(codeFor(other, inTeam)).toEqual(other);
  });
});
