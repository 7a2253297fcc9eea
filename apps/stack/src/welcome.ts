import type { Stack } from './stack.ts';

/** The parts of a stack that the welcome text needs. */
interface Welcomed extends Pick<Stack, 'consoleUrl' | 'admin'> {
  readonly environments: readonly {
    readonly id: string;
    readonly access: Located;
    readonly secrets: Located;
    readonly boxes: Located;
    readonly modules: Located;
  }[];
}

interface Located {
  readonly url: string;
}

/**
 * The text that is printed when the console is ready: all addresses, and how to sign in.
 * @param ms since the process began, in milliseconds
 */
export function welcome(stack: Welcomed, mode: 'start' | 'dev' | 'demo', ms: number): string {
  const rows = [
    ['Console', stack.consoleUrl],
    ...stack.environments.flatMap(({ id, access, secrets, boxes, modules }) => {
      const where = stack.environments.length === 1 ? '' : `, ${id}`;
      return [
        [`Access API${where}`, access.url],
        [`Secrets API${where}`, secrets.url],
        [`Boxes API${where}`, boxes.url],
        [`Modules API${where}`, modules.url],
      ];
    }),
  ];
  // With a configuration file, users sign in with the accounts of its services.
  if (stack.admin !== undefined) {
    const { loginName, password, passwordFile } = stack.admin;
    rows.push(['Sign in as', loginName]);
    if (passwordFile === undefined) rows.push(['Password', 'the one you chose']);
    else if (password === undefined) rows.push(['Password', `in ${passwordFile}`]);
    else if (mode === 'demo') rows.push(['Password', password]);
    else rows.push(['Password', `${password} (kept in ${passwordFile})`]);
  }
  const width = Math.max(...rows.map(([label]) => label?.length ?? 0)) + 3;
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(width)}${value}`);
  const note = mode === 'demo' ? '\n  Everything here is sample data and is deleted at the end.' : '';
  return `\nGatehouse is ready (${(ms / 1000).toFixed(1)} s).\n\n${lines.join('\n')}\n${note}\n  Ctrl+C stops it.\n\n`;
}
