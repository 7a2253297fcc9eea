/** How clients get the token for a registry. */
import { quoted } from './hcl-value.ts';

/** The block of `~/.terraformrc` (`~/.tofurc`). */
export function credentialsBlock(host: string, token = 'YOUR_TOKEN'): string {
  return `credentials ${quoted(host)} {\n  token = ${quoted(token)}\n}`;
}

/** The variable that does the same; undefined where no variable can name the host, as with a port. */
export function tokenVariable(host: string): string | undefined {
  if (!/^[A-Za-z0-9.-]+$/.test(host)) return undefined;
  return `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`;
}
