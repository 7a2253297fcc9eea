import { expect, test } from 'vitest';
import { testMove } from '#components/moves/test-move.ts';
import { clientLines } from './client-lines.ts';

test("gives Vagrant the address, and module blocks the host and the namespace's name here", () => {
  expect(clientLines(testMove({ server_url: 'https://boxes.example.com' }))?.code).toBe(
    'export VAGRANT_SERVER_URL=https://boxes.example.com',
  );
  const { choice } = testMove({});
  const modules = testMove({
    kind: 'modules',
    server_url: 'https://modules.example.com',
    source: { address: 'https://registry.terraform.io', has_token: false, used_token: false },
    choice: { ...choice, owners: [{ from: 'acme', to: 'acme-corp' }] },
  });
  expect(clientLines(modules)?.code).toContain('source = "modules.example.com/acme-corp/NAME/PROVIDER"');
  expect(clientLines(modules)?.code).toContain('# was registry.terraform.io/acme/NAME/PROVIDER');
  expect(clientLines(testMove({}))).toBeUndefined();
});
