import type { PlannedCredential } from './plan-form.ts';
import type { Random } from './random.ts';

/** A credential of the sample estate, in the access controller's wire form. */
export interface SampleCredential {
  readonly name: string;
  readonly description: string;
  readonly type: PlannedCredential['type'];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * A credential whose values are recognizable as samples: a reader who finds one in a log or a screenshot knows that
 * it opens nothing.
 * @param random the same seed gives the same values
 */
export function sampleCredential(random: Random, planned: PlannedCredential): SampleCredential {
  const { name, what: description, type } = planned;
  return { name, description, type, attributes: attributesOf(random, planned) };
}

function attributesOf(random: Random, planned: PlannedCredential): SampleCredential['attributes'] {
  switch (planned.type) {
    case 'username_password':
      return { username: planned.username, password: madeUp(random) };
    case 'username_password_domain':
      return { username: planned.username, domain: planned.domain, password: madeUp(random) };
    case 'password':
      return { password: madeUp(random) };
    case 'ssh_private_key':
      return { username: planned.username, private_key: madeUpKey(random) };
    case 'json':
      return { object: Object.fromEntries(planned.keys.map((key) => [key, madeUp(random)])) };
  }
}

/** A password or token that is recognizable as a sample. */
export function madeUp(random: Random): string {
  const group = () => String(random.between(0, 9999)).padStart(4, '0');
  return `sample-${group()}-${group()}-${group()}`;
}

/** A private key in form only; its content is a sentence. */
export function madeUpKey(random: Random): string {
  const sentence = `This is not a key but sample data of the Gatehouse demo: ${madeUp(random)}.`;
  const lines = Buffer.from(sentence).toString('base64').replaceAll(/.{70}/g, '$&\n').trim();
  const label = 'OPENSSH PRIVATE KEY';
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
