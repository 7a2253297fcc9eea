/** Workers under the console's security policy, which lets scripts come from addresses of one named policy alone. */

interface ScriptPolicy {
  createScriptURL: (address: string) => string;
}

interface PolicyFactory {
  createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** Answers with the address itself where it is a built file of this page. @throws TypeError for any other */
function ownFile(address: string): string {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin) throw new TypeError('A worker is a file of the console.');
  return url.href;
}

/**
 * Starts a worker from a file that was imported with `?worker&url`.
 * @throws TypeError for an address elsewhere
 */
export function startWorker(address: string): Worker {
  const factory: PolicyFactory | undefined =
    'trustedTypes' in window ? factoryOf(window.trustedTypes) : undefined;
  // A name can be given once.
  policy ??= factory?.createPolicy('gatehouse', { createScriptURL: ownFile }) ?? { createScriptURL: ownFile };
  return new Worker(policy.createScriptURL(address), { type: 'module' });
}

function factoryOf(value: unknown): PolicyFactory | undefined {
  return isFactory(value) ? value : undefined;
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}
