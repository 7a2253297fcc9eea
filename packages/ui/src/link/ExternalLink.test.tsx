import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ExternalLink } from './ExternalLink.tsx';

afterEach(cleanup);

test.each([
  ['https://example.com/a', true],
  ['HTTP://example.com', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//example.com', false],
  [' https://example.com', false],
])('%j becomes a link: %j', (href, isLink) => {
  render(<ExternalLink href={href}>shown</ExternalLink>);
  expect(screen.getByText('shown').closest('a') !== null).toBe(isLink);
});
