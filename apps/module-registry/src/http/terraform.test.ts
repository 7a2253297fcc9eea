import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { archive } from '@gatehouse/module-archive/testing/archives';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

/**
 * Terraform and OpenTofu, if installed. They require TLS for discovery, so the host's services are configured
 * instead.
 */
const clients = ['terraform', 'tofu'].map((program) => ({
  program,
  isThere: spawnSync(program, ['version']).status === 0,
}));
const host = 'registry.example';

async function init(program: string, server: TestServer, token: string, configuration: string) {
  using folder = temporaryFolder();
  fs.writeFileSync(
    folder.file('cli.rc'),
    [
      `host "${host}" { services = { "modules.v1" = "${server.url}/v1/modules/" } }`,
      `credentials "${host}" { token = "${token}" }`,
    ].join('\n'),
  );
  const root = folder.file('root');
  fs.mkdirSync(root);
  fs.writeFileSync(`${root}/main.tf`, configuration);
  const env = {
    ...process.env,
    TF_CLI_CONFIG_FILE: folder.file('cli.rc'),
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
  };
  const run = await promisify(execFile)(program, ['init', '-input=false', '-no-color'], {
    cwd: root,
    env,
  }).then(
    ({ stdout }) => ({ ok: true, said: stdout }),
    (error: { readonly stdout: string; readonly stderr: string }) => ({
      ok: false,
      said: (error.stdout + error.stderr).replaceAll(/[\s│╷╵]+/g, ' '),
    }),
  );
  const manifest = `${root}/.terraform/modules/modules.json`;
  const installed = run.ok
    ? (
        JSON.parse(fs.readFileSync(manifest, 'utf8')) as {
          Modules: { Key: string; Version?: string; Dir: string }[];
        }
      ).Modules
    : [];
  return {
    ...run,
    modules: installed
      .filter(({ Key }) => Key !== '')
      .map(({ Key, Version, Dir }) => ({
        key: Key,
        version: Version,
        main: fs.readFileSync(`${root}/${Dir}/main.tf`, 'utf8'),
      })),
  };
}

async function publish(operator: Client, ...versions: readonly string[]): Promise<void> {
  for (const version of versions) {
    const files = { 'main.tf': `# ${version}\n`, 'modules/subnet/main.tf': `# subnet of ${version}\n` };
    expect((await operator.publish(`acme/net/aws/${version}`, archive(files))).status).toBe(201);
  }
}

describe.each(clients)('$program', ({ program, isThere }) => {
  test.skipIf(!isThere)(
    'resolves constraints, downloads the module with its submodules, and has its token counted',
    async () => {
      await using server = await startServer();
      const operator = await server.as('operator', 'pipeline');
      await publish(operator, '1.0.0', '1.2.0', '1.2.3+build.5', '2.0.0', '3.0.0-beta.1');
      const configuration = `
      module "old" {
        source  = "${host}/acme/net/aws"
        version = "~> 1.2.0"
      }
      module "exact" {
        source  = "${host}/acme/net/aws"
        version = "1.2.3+build.5"
      }
      module "newest" { source = "${host}/acme/net/aws" }
      module "subnet" {
        source  = "${host}/acme/net/aws//modules/subnet"
        version = ">= 1.0.0, < 1.2.0"
      }`;
      const { said, modules } = await init(program, server, operator.token ?? '', configuration);
      expect(modules, said).toEqual([
        { key: 'exact', version: '1.2.3+build.5', main: '# 1.2.3+build.5\n' },
        { key: 'newest', version: '2.0.0', main: '# 2.0.0\n' },
        { key: 'old', version: '1.2.3+build.5', main: '# 1.2.3+build.5\n' },
        { key: 'subnet', version: '1.0.0', main: '# subnet of 1.0.0\n' },
      ]);
      // A download is counted when it is complete; the client doesn't wait for that.
      const fetched = async () => {
        const { body } = await operator.get('/v1/modules/acme/net/aws/consumers');
        const { consumers } = body as { consumers: { token: string; version: string }[] };
        return consumers.map(({ token, version }) => `${token} ${version}`).toSorted();
      };
      await expect.poll(fetched).toEqual(['pipeline 1.0.0', 'pipeline 1.2.3+build.5', 'pipeline 2.0.0']);
    },
  );

  test.skipIf(!isThere)('reports an unknown module and an unmet constraint', async () => {
    await using server = await startServer();
    const operator = await server.as('operator');
    await publish(operator, '1.0.0');
    const asked = async (name: string, version: string) => {
      const block = `module "a" {\n source = "${host}/acme/${name}/aws"\n version = "${version}"\n}`;
      return (await init(program, server, operator.token ?? '', block)).said;
    };
    expect(await asked('net', '~> 4.0')).toContain('no available version');
    expect(await asked('none', '1.0.0')).toContain('Module not found');
  });

  test.skipIf(!isThere)('downloads a revoked version if its number is given', async () => {
    await using server = await startServer();
    const operator = await server.as('operator');
    await publish(operator, '1.0.0', '1.1.0');
    await operator.put('/v1/modules/acme/net/aws/1.1.0/deprecation', {
      state: 'revoked',
      message: 'It opens the firewall.',
    });
    const block = `module "net" {\n source = "${host}/acme/net/aws"\n version = "1.1.0"\n}`;
    const { said, modules } = await init(program, server, operator.token ?? '', block);
    expect(modules, said).toEqual([{ key: 'net', version: '1.1.0', main: '# 1.1.0\n' }]);
  });
});
