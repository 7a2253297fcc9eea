/** The words for a plan in the conflict view. */
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { planProvider, type PlanBox, type PublishPlan } from '@gatehouse/api-types/console/publish';
import { absent } from '@gatehouse/record-merge/absent';
import type { ConflictWords } from '#components/conflict/conflict-words.ts';

/** The prefix of IDs for providers that aren't saved yet. */
const pageId = 'new-';

export function newProviderId(): string {
  return `${pageId}${crypto.randomUUID()}`;
}

export function isNewProviderId(id: string): boolean {
  return id.startsWith(pageId);
}

/** The plan to send: unsaved providers have no ID. */
export function sentPlan(plan: PublishPlan): PublishPlan {
  return {
    ...plan,
    providers: plan.providers.map(({ id, ...provider }) =>
      id === undefined || isNewProviderId(id) ? provider : { ...provider, id },
    ),
  };
}

const fieldLabels: Readonly<Record<string, string>> = {
  box: 'Box',
  'version.version': 'Version number',
  'version.description': "What's new",
  version: 'Version',
  name: 'name',
  architecture: 'architecture',
  is_default: 'default architecture',
  source: 'image',
  checksum: 'checksum',
  checksum_type: 'checksum type',
};

/** @param plans both sides, for the providers' names */
export function planConflictWords(plans: readonly PublishPlan[]): ConflictWords {
  const providerName = (id: string): string => {
    const found = plans.flatMap(({ providers }) => providers).find((provider) => provider.id === id);
    return found === undefined ? 'a provider' : providerLabel(found);
  };
  return {
    noun: 'plan',
    labelOf: ({ path }) => {
      const [part, id, field] = path;
      if (part !== 'providers' || id === undefined) return fieldLabels[path.join('.')] ?? path.join(' ');
      const name = `Provider ${providerName(id)}`;
      return field === undefined ? name : `${name}: ${fieldLabels[field] ?? field}`;
    },
    show: (path, value) => {
      if (value === absent || value === null || value === undefined || value === '') return '';
      if (path[0] === 'box') return boxWords(value);
      if (path[0] === 'providers') return providerWords(value);
      return typeof value === 'string' ? value : JSON.stringify(value);
    },
  };
}

function boxWords(value: unknown): string {
  if (!isPlanBox(value)) return '';
  const { username, name, create } = value;
  if (create === null) return `${username}/${name}, existing`;
  const visible = create.is_private ? 'private' : 'public';
  return [`${username}/${name}, new and ${visible}`, create.short_description, create.description]
    .filter((line) => line !== '')
    .join('\n');
}

function isPlanBox(value: unknown): value is PlanBox {
  return typeof value === 'object' && value !== null && 'username' in value && 'create' in value;
}

function providerWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const whole = planProvider.safeParse(value);
  if (whole.success) return `${providerLabel(whole.data)}: ${sourceWords(whole.data.source)}`;
  const source = planProvider.shape.source.safeParse(value);
  return source.success ? sourceWords(source.data) : '';
}

function sourceWords(source: PublishPlan['providers'][number]['source']): string {
  return source.kind === 'url' ? source.url : 'Uploaded file';
}
