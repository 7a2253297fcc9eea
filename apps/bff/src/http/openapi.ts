import { decisions } from '@gatehouse/api-types/console/decisions';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { mayAskForPassword } from '@gatehouse/api-types/console/harm';
import { problem, problemStatus, type ProblemCode } from '@gatehouse/api-types/console/problem';
import {
  consoleHeader,
  decisionsHeader,
  personHeader,
  type EndpointDefinition,
} from '@gatehouse/api-types/contract';
import type { Express, Request, Response } from 'express';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';
import type { Guards } from './guards.ts';
import { endInPieces } from './pieces.ts';

type Json = Record<string, unknown>;

/** What the document needs from the application. */
interface OpenApiOptions {
  /** The console's. */
  readonly version: string;
  readonly guards: Pick<Guards, 'checkOrigin'>;
  readonly turnFor: (req: Request, res: Response) => Promise<void>;
}

/** Adds the path of the document, which is created on the first request. */
export function addOpenApi(app: Express, { version, guards, turnFor }: OpenApiOptions): void {
  let made: Buffer | undefined;
  app.all('/api/openapi.json', async (req, res) => {
    guards.checkOrigin(req);
    if (req.method !== 'GET')
      throw new ProblemError('method-not-allowed', 'This path only supports GET.', { allow: ['GET'] });
    await turnFor(req, res);
    made ??= Buffer.from(JSON.stringify(openApiDocument(version)));
    res.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': made.length,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await endInPieces(res, made);
  });
}

/** Problems that all operations may answer besides their own. */
const common: readonly ProblemCode[] = ['invalid-request', 'origin-refused', 'host-refused', 'internal'];

/**
 * The console's own API as an OpenAPI 3.1 document with exactly the contract's operations.
 * @param version of the console
 */
function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of allEndpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Gatehouse console API',
      version,
      description:
        'The API between the page and its backend. Errors are problem details (RFC 9457) with a `code`.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [], console: [] }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gatehouse',
          description: 'Session cookie, set at sign-in. Over http, its name is gatehouse-<port>.',
        },
        console: {
          type: 'apiKey',
          in: 'header',
          name: consoleHeader.name,
          description: `Always "${consoleHeader.value}".`,
        },
      },
      schemas: { Problem: jsonSchema(problem, 'output') },
      responses: Object.fromEntries(
        [...new Set(Object.values(problemStatus))].map((status) => [
          `Problem${status}`,
          {
            description: codesOf(status).join(', '),
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  };
}

function operation(endpoint: EndpointDefinition): Json {
  const codes = [
    ...common,
    ...endpoint.errors,
    ...(endpoint.bodyLimitBytes === undefined ? [] : (['rate-limited', 'service-unavailable'] as const)),
    ...(mayAskForPassword(endpoint.harm) ? (['confirmation-required'] as const) : []),
  ];
  const statuses = [...new Set(codes.map((code) => problemStatus[code]))].sort((a, b) => a - b);
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [tagOf(endpoint.path)],
    ...(endpoint.anonymous === true && { security: [{ console: [] }] }),
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...(endpoint.guarded === true
        ? [
            {
              name: 'If-Match',
              in: 'header',
              required: true,
              description: 'The revision you read, in double quotes.',
              schema: { type: 'string' },
            },
          ]
        : []),
      ...(endpoint.anonymous === true
        ? []
        : [
            {
              name: personHeader,
              in: 'header',
              required: false,
              description:
                "ID of the user you expect to be signed in, encoded with encodeURI. Requests in another user's session are refused.",
              schema: { type: 'string' },
            },
          ]),
      ...(typeof endpoint.audit === 'string'
        ? [
            {
              name: decisionsHeader,
              in: 'header',
              required: false,
              description: 'How you resolved earlier conflicts, for the audit trail. ASCII-only JSON.',
              content: { 'application/json': { schema: jsonSchema(decisions, 'input') } },
            },
          ]
        : []),
    ],
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } },
      },
    }),
    responses: {
      ...(endpoint.response === undefined
        ? { 204: { description: 'Done' } }
        : {
            200: {
              description: 'OK',
              content: {
                [endpoint.stream === true ? 'application/x-ndjson' : 'application/json']: {
                  schema: jsonSchema(endpoint.response, 'output'),
                },
              },
            },
          }),
      ...Object.fromEntries(
        statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  };
}

/** The part of an environment that an operation is about, such as `boxes`; `session` for all else. */
function tagOf(path: string): string {
  const part = path.split('/environments/:environment/')[1]?.split('/')[0] ?? 'session';
  return part === 'connections' ? 'session' : part;
}

function parameters(place: 'path' | 'query', schema: z.ZodMiniType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  });
  return rest;
}

function codesOf(status: number): string[] {
  return Object.entries(problemStatus)
    .filter(([, of]) => of === status)
    .map(([code]) => code);
}
