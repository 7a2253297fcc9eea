/** Workers under the console's content security policy, which allows only script URLs of one named policy. */

interface ScriptPolicy {
  createScriptURL: (address: string) => string;
}

interface PolicyFactory {
  createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** Returns the address if it is a built file of this page. @throws TypeError for any other */
function ownFile(address: string): string {
  const url = new URL(address, window.location.href);
  if (url.origin !== window.location.origin) throw new TypeError('A worker is a file of the console.');
  return url.href;
}

/** Starts a worker from a file that was imported with `?worker&url`. @throws TypeError for other origins */
export function startWorker(address: string): Worker {
  const factory: PolicyFactory | undefined =
    'trustedTypes' in window ? factoryOf(window.trustedTypes) : undefined;
  // A policy's name can be used only once.
  policy ??= factory?.createPolicy('gatehouse', { createScriptURL: ownFile }) ?? { createScriptURL: ownFile };
  return new Worker(policy.createScriptURL(address), { type: 'module' });
}

function factoryOf(value: unknown): PolicyFactory | undefined {
  return isFactory(value) ? value : undefined;
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}
