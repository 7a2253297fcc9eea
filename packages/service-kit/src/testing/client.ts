/** Any JSON value in a response. */
export interface Wire {
  readonly [name: string]: unknown;
}

/** An answer of a service. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty if the response has no JSON body. */
  readonly body: Wire;
}

/** Sends requests with one token or none. Paths begin with a slash and are encoded by the caller. */
export interface Client {
  readonly token: string | undefined;
  /** @param body a value to serialize, or text or bytes that are sent unchanged */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer>;
  get(path: string): Promise<WireAnswer>;
  post(path: string, body?: unknown): Promise<WireAnswer>;
  put(path: string, body?: unknown): Promise<WireAnswer>;
  delete(path: string, body?: unknown): Promise<WireAnswer>;
}

/** Creates a client that sends `token`, valid or not. */
export function clientOf(url: string, token: string | undefined): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? (JSON.parse(text) as Wire) : {},
    };
  };
  return {
    token,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path, body) => send('DELETE', path, body),
  };
}
