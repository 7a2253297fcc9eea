import type { Harm } from '@gatehouse/api-types/console/harm';
import type { SecretPlace } from '#queries/secrets.ts';
import type { MoveForm } from './move-form.ts';

/** What a preview found out. */
export interface Preview {
  /** Secrets that will be written; undefined while that is not known. */
  readonly count: number | undefined;
  /** Why it would be refused. */
  readonly problem: string | undefined;
  /** What it can do; undefined for no harm. */
  readonly harm?: Harm | undefined;
  /** Of a secret: the newest version that was seen. */
  readonly revision?: string;
}

export interface PreviewProps {
  place: SecretPlace;
  form: MoveForm;
  /** The destination is complete, and not just being typed. */
  isValid: boolean;
  onPreview: (preview: Preview) => void;
}
