import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { uploadOf } from './test-upload.ts';
import { TransferBars } from './TransferBars.tsx';

afterEach(cleanup);

test('says that a stage is done once all bytes are there', () => {
  const { rerender, container } = render(
    <TransferBars upload={uploadOf({ received: 400 })} sending={undefined} />,
  );

  expect(container.textContent).toContain('Sending to the console');
  rerender(<TransferBars upload={uploadOf({ state: 'delivering', received: 1000 })} sending={undefined} />);
  expect(container.textContent).toContain('Sent to the console');
  expect(container.textContent).toContain('Delivering to the registry');
  rerender(
    <TransferBars
      upload={uploadOf({ state: 'done', received: 1000, delivered: 1000 })}
      sending={undefined}
    />,
  );
  expect(container.textContent).not.toMatch(/Sending|Delivering/);
});
