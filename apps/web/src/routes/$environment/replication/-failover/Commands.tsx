import { CodeBlock } from '@gatehouse/ui/code';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import type { Command } from './commands.ts';

/** Equivalent commands, one block for each cluster. */
export function Commands({ commands }: { commands: readonly Command[] }) {
  const client = useSecretsClient();
  const groups: { where: string; lines: string[] }[] = [];
  for (const { where, command } of commands) {
    const line = commandFor(command, client);
    const last = groups.at(-1);
    if (last?.where === where) last.lines.push(line);
    else groups.push({ where, lines: [line] });
  }
  return groups.map(({ where, lines }, index) => (
    <CodeBlock key={index} label={`On ${where}`} code={lines.join('\n')} />
  ));
}
