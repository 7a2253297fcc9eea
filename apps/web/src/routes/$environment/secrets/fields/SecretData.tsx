import type { SecretTabProps } from '../secret-tabs.ts';
import { namesIn } from './structure.ts';

/** The fields of a secret, masked. */
export function SecretData({ secret }: SecretTabProps) {
  const names = namesIn(secret.version?.structure ?? null);
  return (
    <ul aria-label="Fields">
      {names?.map((name) => (
        <li key={name} className="font-mono">
          {name}
        </li>
      ))}
    </ul>
  );
}
