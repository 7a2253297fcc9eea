import * as wire from '@gatehouse/api-types/services/module-registry';
import { archive } from '@gatehouse/module-archive/testing/archives';
import { expect, test } from 'vitest';
import { startServer } from '../testing/server.ts';

test('sends every answer in the form that the console parses, without losing a field', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator', 'ci');
  const published = await admin.publish(
    'acme/net/aws/1.0.0',
    archive({
      'main.tf': 'variable "a" {\n  default = 1\n}\nmodule "dns" {\n  source = "acme/dns/aws"\n}\n',
      'bad.tf': '{',
      'modules/x/main.tf': 'output "x" {\n  value = 1\n}\n',
      'examples/y/main.tf': 'resource "z" "y" {}\n',
    }),
  );
  await admin.put('/v1/modules/acme/net/aws/1.0.0/deprecation', { state: 'deprecated', message: 'old' });
  const { headers } = await admin.get('/v1/modules/acme/net/aws/1.0.0/download');
  await fetch(server.url + (headers.get('x-terraform-get') ?? '')).then((answer) => answer.arrayBuffer());
  const daily = '/v2/modules/acme/net/aws/downloads/daily';
  await expect.poll(async () => (await admin.get(daily)).body['data']).toHaveLength(1);
  const same = (schema: { parse(value: unknown): unknown }, body: unknown): void =>
    expect(schema.parse(body)).toMatchObject(body as object);
  same(wire.moduleDetail, published.body);
  for (const [path, schema] of [
    ['/.well-known/terraform.json', wire.discovery],
    ['/v1/modules', wire.modulePage],
    ['/v1/modules?limit=1&offset=1', wire.modulePage],
    ['/v1/modules/acme/net', wire.modulePage],
    ['/v1/modules/search?q=net', wire.modulePage],
    ['/v1/modules/acme/net/aws', wire.moduleDetail],
    ['/v1/modules/acme/net/aws/versions', wire.versionChoices],
    ['/v1/modules/acme/net/aws/consumers', wire.consumers],
    ['/v2/modules/acme/net/aws/downloads/summary', wire.downloadSummary],
    [daily, wire.dailyDownloads],
    ['/v1/tokens', wire.tokens],
    ['/v1/tokens/self', wire.ownToken],
    ['/v1/modules/none/none', wire.errors],
  ] as const)
    same(schema, (await admin.get(path)).body);
});
