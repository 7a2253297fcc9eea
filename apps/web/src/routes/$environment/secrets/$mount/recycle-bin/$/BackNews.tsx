import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { counted } from '#lib/counted.ts';
import type { useBringBack } from '#routes/$environment/secrets/-deleted/use-bring-back.ts';

/** The progress of undeleting, and failures. */
export function BackNews({
  isRunning,
  failed,
  progress,
  cancel,
}: Pick<ReturnType<typeof useBringBack>, 'isRunning' | 'failed' | 'progress' | 'cancel'>) {
  if (!isRunning && failed.length === 0) return null;
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line px-4 py-2">
      {isRunning && (
        <div className="flex items-end gap-3">
          <ProgressBar
            label="Undeleting"
            value={progress.done / Math.max(1, progress.total)}
            valueLabel={`${progress.done.toLocaleString('en')} of ${counted(progress.total, 'secret')}`}
          />
          <Button size={28} onPress={cancel}>
            Stop
          </Button>
        </div>
      )}
      {failed.length > 0 && (
        <Banner tone="danger" title={`${counted(failed.length, 'secret')} couldn't be undeleted`}>
          <ul className="max-h-32 overflow-y-auto">
            {failed.map(({ path, reason }) => (
              <li key={path}>
                <span className="font-mono text-meta">{path}</span>: {reason}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  );
}
