import { Button } from '@gatehouse/ui/button';
import { Code } from '@gatehouse/ui/code';
import { Dialog } from '@gatehouse/ui/dialog';
import { TextArea } from '@gatehouse/ui/text-area';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { readWorkers, tagsText, type Worker } from './workers.ts';

export interface WorkerDialogProps {
  /** The worker to edit; undefined for a new one. */
  worker: Worker | undefined;
  onSave: (workers: readonly Worker[]) => void;
  onClose: () => void;
}

/** Enters a worker: its name and tags, or the client's JSON output for one or several. */
export function WorkerDialog({ worker, onSave, onClose }: WorkerDialogProps) {
  const [name, setName] = useState(worker?.name ?? '');
  const [text, setText] = useState(worker === undefined ? '' : tagsText(worker));
  const [problem, setProblem] = useState<string>();
  const isNameMissing = problem !== undefined && name.trim() === '' && !/^\s*[[{]/.test(text);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={worker === undefined ? 'Add a worker' : `Tags of ${worker.name}`}
      description="Saved for you in this environment. Nothing is sent to the controller."
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog may be inside a form, which must not be submitted.
        event.stopPropagation();
        const read = readWorkers(name, text);
        setProblem(read.problem);
        if (read.workers) onSave(read.workers);
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            {worker === undefined ? 'Add worker' : 'Save tags'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Name"
          description={'Filters refer to the name as "/name".'}
          value={name}
          onChange={setName}
          autoComplete="off"
          spellCheck="false"
          autoFocus={worker === undefined}
          error={isNameMissing ? problem : undefined}
        />
        <TextArea
          label="Tags"
          isMono
          description={
            <>
              One per line, such as <Code>env = prod, eu</Code>; or paste the output of{' '}
              <Code>boundary workers list -format json</Code> for all workers at once.
            </>
          }
          rows={4}
          value={text}
          onChange={setText}
          autoFocus={worker !== undefined}
          spellCheck={false}
          error={isNameMissing ? undefined : problem}
        />
      </div>
    </Dialog>
  );
}
