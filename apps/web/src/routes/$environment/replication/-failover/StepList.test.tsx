import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { orderedSteps } from './step.ts';
import { StepList } from './StepList.tsx';

afterEach(cleanup);

const step = (id: string, isDone: boolean) => ({
  id,
  title: `Step ${id}`,
  act: { kind: 'confirm' as const },
  data: 'Nothing changes.',
  verified: 'You say so.',
  commands: [],
  isDone,
});
const nothing = (): void => undefined;

test("keeps the server's warnings at a step once it is done", () => {
  render(
    <StepList
      steps={orderedSteps([step('promote', true), step('follow', false)])}
      clusters={[]}
      said={new Map([['promote', ['What it wrote after that is lost.']]])}
      onVerify={nothing}
      onCompared={nothing}
      onConfirm={nothing}
      onSaid={nothing}
    />,
  );
  const [done, next] = screen.getAllByRole('listitem');
  if (done === undefined || next === undefined) throw new Error('There are two steps.');
  expect(within(done).getByText('Done')).toBeDefined();
  expect(within(done).getByText('What it wrote after that is lost.')).toBeDefined();
  expect(within(next).queryByText('What it wrote after that is lost.')).toBeNull();
});
