import type { Express, Request, RequestHandler, Response } from 'express';
import { HttpError } from './http-error.ts';
import { Slices, type Asker } from './slices.ts';

/** The methods that the services answer. HEAD is answered as GET; the server leaves out the body. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Answers one method of one path; gives other requests a turn with `slices`. */
export type Operation<Context> = (
  context: Context,
  req: Request,
  res: Response,
  slices: Slices,
) => void | Promise<void>;

/** A path of an API and its methods. */
export interface Route<Context> {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<Method, Operation<Context>>>>;
  /** The body is a file of any size, which the operation reads itself. */
  readonly file?: true;
}

/** Options shared by a service's routes. */
export interface RouteOptions {
  /** Reads the bodies that are not files, as `jsonBody` does. */
  readonly readBody: RequestHandler;
  /** Whom a request is processed for. Every request waits for its asker's turn. */
  readonly askerOf: (req: Request) => Asker;
  /** Also accepts the path with a trailing slash. */
  readonly slashAtEnd?: boolean;
}

/**
 * Adds routes to an application in order. Other methods of their paths get HttpError 405 `method_not_allowed` with
 * `Allow`.
 */
export function addRoutes<Context>(
  app: Express,
  context: Context,
  routes: readonly Route<Context>[],
  { readBody, askerOf, slashAtEnd = false }: RouteOptions,
): void {
  for (const { path, methods, file } of routes) {
    const allowed = Object.keys(methods).join(', ');
    const operationOf = ({ method: sent }: Request): Operation<Context> => {
      const method = sent === 'HEAD' ? 'GET' : sent;
      const operation = Object.hasOwn(methods, method) ? methods[method as Method] : undefined;
      if (operation !== undefined) return operation;
      throw new HttpError(405, 'method_not_allowed', 'Method not allowed', { headers: { Allow: allowed } });
    };
    // Before a body is read.
    const checkMethod: RequestHandler = (req, _res, next) => {
      operationOf(req);
      next();
    };
    const handlers: RequestHandler[] = file === true ? [] : [checkMethod, smallBody, readBody];
    app.all(slashAtEnd ? [path, `${path}/`] : path, ...handlers, async (req, res) => {
      const operation = operationOf(req);
      const slices = new Slices(() => res.destroyed, askerOf(req));
      await slices.giveWay();
      await operation(context, req, res, slices);
    });
  }
}

/** Small bodies are always read, so a client that sends `Expect` gets `100 Continue` immediately. */
const smallBody: RequestHandler = (req, res, next) => {
  if (req.headers.expect !== undefined) res.writeContinue();
  next();
};
