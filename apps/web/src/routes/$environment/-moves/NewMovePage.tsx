import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { newMove } from '@gatehouse/api-types/console/moves';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { PasswordField } from '@gatehouse/ui/password-field';
import { TextField } from '@gatehouse/ui/text-field';
import { useNavigate } from '@tanstack/react-router';
import { PackageOpen } from 'lucide-react';
import { useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { problemsOf } from '#components/form/field-problems.ts';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { kindWords } from '#components/moves/move-kinds.ts';
import { moveHref, movesHref } from '#components/places/moves.ts';
import { isApiError } from '#lib/api-error.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useMoveWrites } from '#queries/move.ts';
import { readWanted } from './read-wanted.ts';
import { WantedField } from './WantedField.tsx';

const fields = ['address', 'token', 'wanted'] as const;

/** Names a registry, and what to copy from it. Nothing is copied before its plan is shown. */
export function NewMovePage({ kind }: { kind: MoveKind }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { create } = useMoveWrites(environment.id);
  const { problems, form, refuse, refuseAnswer, clear } = useFieldProblems<HTMLFormElement>();
  const [address, setAddress] = useState(kindWords[kind].source);
  const [token, setToken] = useState('');
  const [text, setText] = useState('');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const isMade = useRef(false);
  const { many, registry } = kindWords[kind];
  const title = `Import ${many}`;
  const listHref = movesHref(environment.id, kind);
  usePageTitle(title);

  const submit = async (): Promise<void> => {
    const body = { kind, address, token, wanted: [...readWanted(text, kind).names] };
    const found = ofFields(problemsOf(newMove, body));
    setFailure(undefined);
    if (refuse(found)) return;
    setPending(true);
    try {
      const move = await create(body);
      isMade.current = true;
      setToken('');
      await navigate({ href: moveHref(environment.id, kind, move.id) });
    } catch (error) {
      const refused = isApiError(error, 'invalid-request') ? (error.problem?.fields ?? []) : [];
      const named = ofFields(Object.fromEntries(refused.map(({ path, message }) => [path, message])));
      if (!refuseAnswer(named)) setFailure(error);
    } finally {
      setPending(false);
    }
  };
  const count = [address.trim() !== kindWords[kind].source, token !== '', text.trim() !== ''].filter(
    Boolean,
  ).length;
  return (
    <>
      <PageHeader
        icon={PackageOpen}
        title={title}
        ancestors={[
          { id: kind, label: kind === 'boxes' ? 'Boxes' : 'Modules', href: `/${environment.id}/${kind}` },
          { id: 'moves', label: 'Moves', href: listHref },
        ]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <form
          ref={form}
          noValidate
          aria-label={title}
          className="mx-auto flex w-full max-w-180 flex-col gap-6 p-4 wide:p-6"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending) void submit();
          }}
        >
          <p className="text-body text-ink-2">
            The console reads the other registry and the {registry} of {environment.name}, and shows what it
            would copy. Nothing is copied until you start it, and existing versions are never overwritten.
          </p>
          <TextField
            label="Registry address"
            type="url"
            isMono
            isRequired
            autoComplete="off"
            spellCheck="false"
            value={address}
            onChange={(value) => {
              setAddress(value);
              clear('address');
            }}
            error={problems['address']}
          />
          <PasswordField
            label="Token"
            description={`Needed only for private ${many}. The token is stored encrypted while the move reads or copies, and is deleted when the move stops.`}
            autoComplete="off"
            value={token}
            onChange={(value) => {
              setToken(value);
              clear('token');
            }}
            error={problems['token']}
          />
          <WantedField
            kind={kind}
            value={text}
            onChange={(value) => {
              setText(value);
              clear('wanted');
            }}
            error={problems['wanted']}
          />
          {failure !== undefined && (
            <Banner tone="danger" title={wordsOf(failure).title}>
              {wordsOf(failure).detail} {wordsOf(failure).mend}
            </Banner>
          )}
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" isPending={isPending}>
              Plan the import
            </Button>
            <LinkButton href={listHref}>Cancel</LinkButton>
          </div>
        </form>
      </div>
      <DirtyGuard wouldLose={() => mayAskBeforeLeaving() && !isMade.current && count > 0} count={count} />
    </>
  );
}

/** Problems by form field. A problem with one name is shown for the whole list. */
function ofFields(found: Readonly<Record<string, string>>): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [path, message] of Object.entries(found)) {
    const field = fields.find((name) => path === name || path.startsWith(`${name}.`));
    if (field !== undefined) problems[field] ??= message;
  }
  return problems;
}
