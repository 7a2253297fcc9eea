/** JSON in the box registry's wire form. */
export interface Wire {
  readonly [name: string]: unknown;
}

/**
 * A small client of the box registry's API, with or without a token. Paths begin with a slash, and are encoded by the
 * caller.
 */
export interface BoxesClient {
  read(path: string): Promise<Wire>;
  /** Like `read`; undefined if there is nothing that the token may read. */
  find(path: string): Promise<Wire | undefined>;
  post(path: string, body: Wire): Promise<Wire>;
  put(path: string, body: Wire): Promise<Wire>;
  remove(path: string): Promise<void>;
  /** Uploads a provider's image. @param path the provider's path */
  sendImage(path: string, image: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Begins a download, which counts as one, and reads the first byte. @param path the image's path */
  beginDownload(path: string): Promise<void>;
  /** A client of the same registry with another token. */
  as(token: string | undefined): BoxesClient;
}

/**
 * Signs in with a password.
 * @param origin where the box registry listens
 * @throws Error naming the request and the answer if a request is refused
 */
export async function signInToBoxes(
  origin: string,
  loginName: string,
  password: string,
): Promise<BoxesClient> {
  const user = { login: loginName, password };
  const { token } = await boxesClient(origin, undefined).post('/api/v1/authenticate', { user });
  if (typeof token !== 'string') throw new Error('the box registry returned no token');
  return boxesClient(origin, token);
}

/** A client with a token, or without one. */
export function boxesClient(origin: string, token: string | undefined): BoxesClient {
  const must = async (method: string, path: string, body?: Wire): Promise<Wire> => {
    const { status, text } = await ask(origin, method, path, token, body);
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
    return wireOf(text);
  };
  return {
    read: (path) => must('GET', path),
    find: async (path) => {
      const { status, text } = await ask(origin, 'GET', path, token);
      if (status === 404) return undefined;
      if (status >= 300) throw new Error(`GET ${path} returned ${status}: ${text}`);
      return wireOf(text);
    },
    post: (path, body) => must('POST', path, body),
    put: (path, body) => must('PUT', path, body),
    async remove(path) {
      await must('DELETE', path);
    },
    async sendImage(path, image) {
      const { upload_path: address } = await must('GET', `${path}/upload`);
      if (typeof address !== 'string') throw new Error(`there is no address to upload ${path} to`);
      const { status } = await fetch(address, { method: 'PUT', body: image });
      if (status !== 200) throw new Error(`the image of ${path} returned ${status}`);
    },
    async beginDownload(path) {
      const response = await fetch(`${origin}${path}`, {
        headers: { range: 'bytes=0-0', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`GET ${path} returned ${response.status}`);
    },
    as: (other) => boxesClient(origin, other),
  };
}

async function ask(
  origin: string,
  method: string,
  path: string,
  token: string | undefined,
  body?: Wire,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

function wireOf(text: string): Wire {
  const answer: unknown = text === '' ? {} : JSON.parse(text);
  return typeof answer === 'object' && answer !== null ? (answer as Wire) : {};
}
