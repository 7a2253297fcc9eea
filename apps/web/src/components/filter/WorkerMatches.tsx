import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import { explainFilter } from '@gatehouse/filter-expression/explain';
import { Button } from '@gatehouse/ui/button';
import { Icon } from '@gatehouse/ui/icon';
import { Check, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useEnvironment } from '../environment/use-environment.ts';
import { ExplanationTree } from './ExplanationTree.tsx';
import { readFilter, tryFilter } from './read-filter.ts';
import { useWorkers } from './use-workers.ts';
import { WorkerDialog } from './WorkerDialog.tsx';
import { tagsText, withWorkers, type Worker } from './workers.ts';

export interface WorkerMatchesProps {
  /** A worker filter, possibly empty or unfinished. */
  filter: string;
  /** The filter's accessible name. */
  label: string;
}

/** Which of the workers that the user entered match a filter, and why. */
export function WorkerMatches({ filter, label }: WorkerMatchesProps) {
  const environment = useEnvironment();
  const [workers, setWorkers] = useWorkers(environment.id);
  const [opened, setOpened] = useState<string>();
  const [editing, setEditing] = useState<Worker | 'new'>();
  const detailsId = useId();
  const read = readFilter(filter);
  if (read === undefined) return null;
  const { expression } = read;
  const shown = workers.find(({ name }) => name === opened);
  const matching =
    expression && tryFilter(() => workers.filter((worker) => matchesFilter(expression, worker)));
  const explanation = expression && shown && tryFilter(() => explainFilter(expression, shown));
  return (
    <section
      aria-label={`Workers that match ${label}`}
      className="flex flex-col gap-2 rounded-control border border-line bg-sunken px-3 py-2"
    >
      <p role="status" className="text-meta text-ink-2">
        {matching === undefined
          ? expression === undefined
            ? 'Fix the expression to see which workers match.'
            : 'This expression is too complex to evaluate here. Use fewer "any" and "all" clauses, or shorter patterns.'
          : workers.length === 0
            ? "Add a worker to see whether it matches. The console doesn't read the controller's workers."
            : `${String(matching.length)} of ${String(workers.length)} ${workers.length === 1 ? 'worker matches' : 'workers match'}. Select one to see why.`}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {matching !== undefined &&
          workers.map((worker) => {
            const isMatching = matching.includes(worker);
            const isOpen = worker.name === opened;
            return (
              <button
                key={worker.name}
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? detailsId : undefined}
                aria-label={`${worker.name} ${isMatching ? 'matches' : 'does not match'}`}
                onClick={() => {
                  setOpened(isOpen ? undefined : worker.name);
                }}
                className={`inline-flex h-7 max-w-full cursor-default items-center gap-1.5 rounded-control border px-2 text-body ${isOpen ? 'border-accent bg-selected' : 'border-control-line bg-raised hover:bg-hover'} ${isMatching ? 'text-ink-1' : 'text-ink-2'}`}
              >
                <Icon
                  icon={isMatching ? Check : X}
                  size={14}
                  className={isMatching ? 'text-ok' : 'text-danger'}
                />
                <span className="truncate">{worker.name}</span>
              </button>
            );
          })}
        <Button
          size={28}
          variant="ghost"
          icon={Plus}
          onPress={() => {
            setEditing('new');
          }}
        >
          Add a worker
        </Button>
      </div>
      {shown && matching && (
        <div id={detailsId} className="flex flex-col gap-2 border-t border-line pt-2">
          <p className="font-mono text-meta/5 wrap-anywhere whitespace-pre-wrap text-ink-2">
            {tagsText(shown) === '' ? 'no tags' : tagsText(shown)}
          </p>
          {explanation === undefined ? (
            <p className="text-meta text-ink-2">The explanation is too long to show.</p>
          ) : (
            <ExplanationTree
              label={`Why ${shown.name} ${matching.includes(shown) ? 'matches' : 'does not match'}`}
              text={filter}
              explanation={explanation}
            />
          )}
          <div className="flex gap-2">
            <Button
              size={28}
              onPress={() => {
                setEditing(shown);
              }}
            >
              Edit tags
            </Button>
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                setOpened(undefined);
                setWorkers(workers.filter((worker) => worker !== shown));
              }}
            >
              Forget {shown.name}
            </Button>
          </div>
        </div>
      )}
      {editing !== undefined && (
        <WorkerDialog
          worker={editing === 'new' ? undefined : editing}
          onSave={(added) => {
            setEditing(undefined);
            setWorkers(
              withWorkers(
                workers.filter((worker) => worker !== editing),
                added,
              ),
            );
            if (added.length === 1) setOpened(added[0]?.name);
          }}
          onClose={() => {
            setEditing(undefined);
          }}
        />
      )}
    </section>
  );
}
