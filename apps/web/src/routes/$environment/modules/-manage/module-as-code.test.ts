import { expect, test } from 'vitest';
import { deprecateAsCode, publishAsCode } from './module-as-code.ts';

const place = { namespace: 'acme', name: 'network', provider: 'aws', version: '1.2.0' };

test('writes publishing as a request with the entered values, or with placeholders', () => {
  const { http } = publishAsCode(place, { description: 'Net & "more"!rm', source: '' });
  expect(http).toContain(
    '"$MODULE_REGISTRY/v1/modules/acme/network/aws/1.2.0?description=Net%20%26%20%22more%22%21rm"',
  );
  expect(http).toContain('--data-binary @module.tar.gz');
  const empty = { namespace: '', name: '', provider: '', version: '' };
  expect(publishAsCode(empty, { description: ' ', source: '' }).http).toContain(
    '/NAMESPACE/NAME/PROVIDER/1.0.0"',
  );
});

test('sends a deprecation with its message', () => {
  const code = deprecateAsCode(place, { state: 'revoked', message: "It's broken", replacement: '1.2.1' });
  expect(code).toContain('--request PUT "$MODULE_REGISTRY/v1/modules/acme/network/aws/1.2.0/deprecation"');
  expect(code).toContain(String.raw`"message": "It'\''s broken"`);
});
