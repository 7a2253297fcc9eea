import type { ModuleContent, ModuleFolder } from '@gatehouse/api-types/console/modules';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { TextArea } from '@gatehouse/ui/text-area';
import { useState } from 'react';
import { usageBlock } from '../-usage/usage-block.ts';
import { constraintOf } from '../-usage/version-constraint.ts';
import type { ContentComparison } from './compare-content.ts';
import { rewriteUsage } from './rewrite-usage.ts';

export interface UpgradedUsage {
  /** The block's label. */
  readonly label: string;
  readonly address: string;
  /** A folder within the archive; empty for the root module. */
  readonly submodule: string;
  readonly fromVersion: string;
  readonly toVersion: string;
}

/** A block that uses the old version, pasted or generated, rewritten for the new one. */
export function RewrittenBlock({
  from,
  to,
  compared,
  usage: { label, address, submodule, fromVersion, toVersion },
}: {
  from: ModuleContent;
  to: ModuleContent;
  compared: ContentComparison;
  usage: UpgradedUsage;
}) {
  const used = folderOf(from, submodule);
  const [text, setText] = useState(() =>
    usageBlock({
      label,
      address,
      submodule,
      version: constraintOf(fromVersion, 'compatible'),
      inputs: (used?.inputs ?? [])
        .filter((input) => input.required)
        .map(({ name }) => ({ name, value: { kind: 'expression', text: `var.${name}` } })),
      folder: used,
    }),
  );
  const types = new Map(folderOf(to, submodule)?.inputs.map(({ name, type }) => [name, type]));
  const rewritten = rewriteUsage(
    text,
    constraintOf(toVersion, 'compatible'),
    compared.folders.find(({ path }) => path === submodule)?.changes ?? [],
    (name) => types.get(name) ?? '',
  );
  const isRead = typeof rewritten !== 'string';
  return (
    <Card title="Your block, rewritten">
      <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
        <TextArea
          label={`The block for ${fromVersion}`}
          description="Paste your block. The text stays in your browser."
          isMono
          rows={6}
          maxRows={30}
          spellCheck={false}
          value={text}
          onChange={setText}
          {...(!isRead && { error: rewritten })}
        />
        {isRead && (
          <div className="flex min-w-0 flex-col gap-2">
            <CodeBlock label={`For ${toVersion}`} code={rewritten.block} />
            <div role="status" className="text-body text-ink-2">
              {rewritten.notes.map((note) => (
                <p key={note}>{note}</p>
              ))}
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

function folderOf({ root, submodules, examples }: ModuleContent, path: string): ModuleFolder | null {
  if (path === '') return root;
  return [...submodules, ...examples].find((folder) => folder.path === path) ?? null;
}
