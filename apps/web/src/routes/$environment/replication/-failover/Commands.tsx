import { CodeBlock } from '@gatehouse/ui/code';
import type { Command } from './commands.ts';

/** Commands that do the same, one block for each cluster that they are for. */
export function Commands({ commands }: { commands: readonly Command[] }) {
  const groups: { where: string; lines: string[] }[] = [];
  for (const { where, command } of commands) {
    const last = groups.at(-1);
    if (last?.where === where) last.lines.push(command);
    else groups.push({ where, lines: [command] });
  }
  return groups.map(({ where, lines }, index) => (
    <CodeBlock key={index} label={`At ${where}`} code={lines.join('\n')} />
  ));
}
