/** How clients find a registry, and get the token for it. */
import { quoted } from './hcl-value.ts';

/** The block of `~/.terraformrc` (`~/.tofurc`) for a registry that clients can't discover. */
export function hostBlock(host: string, servicesUrl: string): string {
  return `host ${quoted(host)} {\n  services = {\n    "modules.v1" = ${quoted(servicesUrl)}\n  }\n}`;
}

/** The block with the token. */
export function credentialsBlock(host: string, token = 'YOUR_TOKEN'): string {
  return `credentials ${quoted(host)} {\n  token = ${quoted(token)}\n}`;
}

/** The variable that does the same; undefined where no variable can name the host, as with a port. */
export function tokenVariable(host: string): string | undefined {
  if (!/^[A-Za-z0-9.-]+$/.test(host)) return undefined;
  return `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`;
}
