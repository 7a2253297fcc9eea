/** How clients find a registry and its token. */
import { quoted } from './hcl-value.ts';

/** The block of `~/.terraformrc` (`~/.tofurc`) for a registry that clients can't discover. */
export function hostBlock(host: string, servicesUrl: string): string {
  return `host ${quoted(host)} {\n  services = {\n    "modules.v1" = ${quoted(servicesUrl)}\n  }\n}`;
}

/** The block with the token for a host. */
export function credentialsBlock(host: string, token = 'YOUR_TOKEN'): string {
  return `credentials ${quoted(host)} {\n  token = ${quoted(token)}\n}`;
}

/** The equivalent variable; undefined if no variable can name the host, for example with a port. */
export function tokenVariable(host: string): string | undefined {
  if (!/^[A-Za-z0-9.-]+$/.test(host)) return undefined;
  return `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`;
}
