import { CodeBlock } from '@gatehouse/ui/code';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { useState } from 'react';
import type { CodeForms } from './as-code.ts';
import { codeFor, useSecretsClient, variablesFor } from './secrets-client.ts';

const segments = [
  { value: 'cli', label: 'Command' },
  { value: 'http', label: 'API' },
  { value: 'terraform', label: 'Terraform' },
] as const satisfies readonly { value: keyof CodeForms; label: string }[];

/** The form's action as a command, a request or a Terraform block. */
export function AsCode({ code: usual, note }: { code: CodeForms; note: string }) {
  const client = useSecretsClient();
  const code = codeFor(usual, client);
  const [form, setForm] = useState<keyof CodeForms>('cli');
  const offered = segments.filter(({ value }) => code[value] !== undefined);
  const shown = offered.find(({ value }) => value === form) ?? offered[0] ?? segments[1];
  return (
    <section aria-label="As code" className="flex flex-col gap-3 wide:sticky wide:top-0">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-1.5">
        <h2 className="text-heading font-semibold text-ink-1">As code</h2>
        {offered.length > 1 && (
          <SegmentedControl label="Format" segments={offered} value={shown.value} onChange={setForm} />
        )}
      </div>
      <CodeBlock label={shown.label} code={code[shown.value] ?? code.http} />
      <p className="text-meta text-ink-2">{variablesFor(note, client)}</p>
    </section>
  );
}
