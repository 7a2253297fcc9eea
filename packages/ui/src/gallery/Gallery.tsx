import { useEffect, useState } from 'react';
import { SegmentedControl } from '../segmented-control/SegmentedControl.tsx';
import { ToastRegion } from '../toast/ToastRegion.tsx';
import { Actions } from './Actions.tsx';
import { Feedback } from './Feedback.tsx';
import { Fields } from './Fields.tsx';
import { Foundations } from './Foundations.tsx';
import { Grid } from './Grid.tsx';
import { Overlays } from './Overlays.tsx';
import { Structure } from './Structure.tsx';

type Shown = 'both' | 'light' | 'dark';

export interface GalleryProps {
  /** False if the page already has a region for toasts. */
  hasToastRegion?: boolean;
}

function Everything({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <div data-theme={theme} role="group" aria-label={`${theme} theme`} className="min-w-0 flex-1">
      <Foundations />
      <Actions />
      <Fields />
      <Feedback />
      <Overlays />
      <Structure theme={theme} />
      <Grid />
    </div>
  );
}

/** Every component in every state, in both themes side by side. Overlays use the document's theme. */
export function Gallery({ hasToastRegion = false }: GalleryProps) {
  const [shown, setShown] = useState<Shown>('both');

  useEffect(() => {
    if (shown === 'both') return undefined;
    const before = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = shown;
    return () => {
      if (before === undefined) delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = before;
    };
  }, [shown]);

  return (
    <div className="flex min-w-0 flex-col bg-page text-body text-ink-1">
      <div className="sticky top-0 z-10 flex h-12 items-center gap-4 border-b border-line bg-page px-6">
        <h1 className="text-title font-semibold">Gallery</h1>
        <SegmentedControl<Shown>
          label="Theme"
          value={shown}
          onChange={setShown}
          segments={[
            { value: 'both', label: 'Both' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
      <div className="flex min-w-0 flex-col wide:flex-row">
        {shown !== 'dark' && <Everything theme="light" />}
        {shown !== 'light' && <Everything theme="dark" />}
      </div>
      {hasToastRegion && <ToastRegion />}
    </div>
  );
}
