import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, useState, type ReactNode } from 'react';
import type { SaveGuard } from './SaveQuestion.tsx';

// Loaded on demand, because few saves ask.
const SaveQuestion = lazy(async () => ({ default: (await import('./SaveQuestion.tsx')).SaveQuestion }));

/** Confirms a save that can do harm: `ask` resolves to whether to continue, `question` is rendered. */
export function useSaveQuestion(): {
  readonly ask: (guard: SaveGuard | undefined) => Promise<boolean>;
  readonly question: ReactNode;
} {
  const [asked, setAsked] = useState<{ guard: SaveGuard; answer: (isConfirmed: boolean) => void }>();
  return {
    ask: async (guard) => {
      if (guard === undefined) return true;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setAsked({ guard, answer: resolve });
      const isConfirmed = await promise;
      setAsked(undefined);
      return isConfirmed;
    },
    question: asked && (
      <Suspense fallback={null}>
        <SaveQuestion guard={asked.guard} onAnswer={asked.answer} />
      </Suspense>
    ),
  };
}
