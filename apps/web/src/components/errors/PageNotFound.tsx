import { buttonClass } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';

/** For unknown addresses. */
export function PageNotFound() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <ErrorState
        icon={SearchX}
        title="This page doesn't exist"
        why="The address has a typo, or the record was moved or deleted."
        action={
          <Link to="/" className={buttonClass()}>
            Go to the overview
          </Link>
        }
      />
    </>
  );
}
