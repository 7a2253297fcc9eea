import { Banner } from '@gatehouse/ui/banner';

/** Shown above the form of a released version: the effect of a change on clients. */
export function ReleasedNote({ children }: { children: string }) {
  return (
    <Banner tone="warn" title="This version is released" announce="none">
      {children}
    </Banner>
  );
}
