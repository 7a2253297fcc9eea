import type { Move } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { Download } from 'lucide-react';
import { hostOf } from '#components/moves/move-state.ts';
import { saveFile } from '#lib/save-file.ts';
import { readReport } from '#queries/move.ts';
import { RegistryHost } from '#routes/$environment/-modules/RegistryHost.tsx';
import { useSomeModule } from '#routes/$environment/-modules/use-some-module.ts';
import { clientLines } from './client-lines.ts';
import { reportFile, type ReportForm } from './report-files.ts';
import type { MoveAction } from './use-move-action.ts';

/** The result for every image or archive as a file, and the lines that point clients here. */
export function ReportCard({
  environment,
  move,
  action,
}: {
  environment: string;
  move: Move;
  action: MoveAction;
}) {
  const save = (form: ReportForm): void => {
    action.run(form, async () => {
      const file = await reportFile(readReport({ environment, move: move.id }), form);
      saveFile(file, `gatehouse-move-${hostOf(move.source.address).replaceAll(':', '-')}-${move.id}.${form}`);
    });
  };
  const lines = clientLines(move);
  return (
    <Card title="Report and client setup">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <Button
            icon={Download}
            size={28}
            isPending={action.pending === 'csv'}
            onPress={() => {
              save('csv');
            }}
          >
            Download report as CSV
          </Button>
          <Button
            icon={Download}
            size={28}
            isPending={action.pending === 'json'}
            onPress={() => {
              save('json');
            }}
          >
            Download report as JSON
          </Button>
        </div>
        {lines !== undefined && (
          <>
            <p className="text-body text-ink-2">{lines.about}</p>
            <CodeBlock label={lines.label} code={lines.code} isWrapped />
            {move.kind === 'modules' && <HostOfModules key={move.state} environment={environment} />}
          </>
        )}
      </div>
    </Card>
  );
}

function HostOfModules({ environment }: { environment: string }) {
  const module = useSomeModule(environment);
  return module && <RegistryHost {...module} />;
}
