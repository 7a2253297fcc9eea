import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { byteSize } from '#lib/byte-size.ts';
import { PackedFiles } from './PackedFiles.tsx';
import type { ArchiveState } from './use-archive.ts';

/** The chosen folder or archive and its progress: found, packed, read, or refused with the reason. */
export function Chosen({ state, onRetry }: { state: ArchiveState; onRetry: () => void }) {
  if (state.kind === 'none') return null;
  if (state.kind === 'finding') return <ProgressBar label="Finding the files" />;
  const files = state.chosen?.files;
  return (
    <div className="flex flex-col gap-3">
      {state.kind === 'packing' && <ProgressBar label={`Packing ${state.chosen.name}`} value={state.part} />}
      {state.kind === 'reading' && <ProgressBar label={`Checking and reading ${state.chosen.name}`} />}
      {state.kind === 'refused' && (
        <Banner
          tone="danger"
          title={state.title}
          {...(state.canRetry && {
            actions: (
              <Button size={28} onPress={onRetry}>
                Retry
              </Button>
            ),
          })}
        >
          {state.reason} Nothing was published. Your entries are kept.
          {state.requestId !== undefined && (
            <span className="font-mono text-meta"> Request {state.requestId}</span>
          )}
        </Banner>
      )}
      {state.kind === 'read' && (
        <div className="-my-2">
          <span role="status" className="sr-only">
            The console has read {state.chosen.name}.
          </span>
          <KeyValueList
            items={[
              { label: state.chosen.files === null ? 'Archive' : 'Folder', value: state.chosen.name },
              { label: 'Archive size', value: byteSize(state.archive.size) },
              {
                label: 'SHA-256',
                value: state.archive.sha256,
                isMono: true,
                copyText: state.archive.sha256,
              },
            ]}
          />
        </div>
      )}
      {files !== undefined && files !== null && <PackedFiles files={files} />}
    </div>
  );
}
