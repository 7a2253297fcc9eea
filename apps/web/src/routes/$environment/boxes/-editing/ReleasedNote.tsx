import { Banner } from '@gatehouse/ui/banner';

/** Above the form of something that clients have already: what a change does to them. */
export function ReleasedNote({ children }: { children: string }) {
  return (
    <Banner tone="warn" title="This version is released" announce="none">
      {children}
    </Banner>
  );
}
