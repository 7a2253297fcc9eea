import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { BoxAlreadyThere, VersionAlreadyThere } from './AlreadyThere.tsx';

afterEach(cleanup);

const place = { environment: 'local', username: 'acme', name: 'base' };

test('says that a box of the entered name exists, and links to it', () => {
  const boxes = [{ name: 'base' }, { name: 'other' }];
  const { rerender, container } = render(<BoxAlreadyThere place={place} name="bas" boxes={boxes} />);
  expect(container.textContent).toBe('');
  rerender(<BoxAlreadyThere place={place} name="Base " boxes={boxes} />);
  expect(screen.getByText('acme/base already exists')).toBeTruthy();
  expect(container.textContent).toContain('you add a version to acme/base.');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/local/boxes/owners/acme/base');
});

test('says that a version of the entered number exists, and what it has', () => {
  const provider = { name: 'libvirt', architecture: 'amd64' };
  const versions = [
    { version: '1.0.0', status: 'active', providers: [provider] },
    { version: '1.1.0', status: 'unreleased', providers: [] },
  ];
  const { rerender, container } = render(
    <VersionAlreadyThere place={place} number="1.0" versions={versions} />,
  );
  expect(container.textContent).toBe('');
  rerender(<VersionAlreadyThere place={place} number="1.0.0" versions={versions} />);
  expect(container.textContent).toContain('Version 1.0.0 already exists');
  expect(container.textContent).toMatch(
    /It is released\. .*add providers to 1\.0\.0, which has libvirt.*amd64/,
  );
  expect(screen.getByRole('link').getAttribute('href')).toBe('/local/boxes/owners/acme/base/versions/1.0.0');
  rerender(<VersionAlreadyThere place={place} number="1.1.0" versions={versions} />);
  expect(container.textContent).toContain('1.1.0, which has none yet.');
});
