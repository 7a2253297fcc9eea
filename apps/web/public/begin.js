// Before the page's code is there: the first requests are sent, and the theme that was last chosen in this browser is set.
// The document says which requests its address begins with (apps/web/src/first-requests.ts); the page's calls take their
// answers (apps/web/src/lib/begun.ts).
globalThis.begun = new Map();
try {
  const { route = '', always = '', rows = '' } = document.currentScript.dataset;
  const parts = location.pathname.split('/');
  const values = new Map(
    route
      .split('/')
      .map((name, index) => [
        name === '$' ? '_splat' : name.slice(1),
        (name === '$' ? parts.slice(index) : parts.slice(index, index + 1)).map(decodeURIComponent).join('/'),
      ]),
  );
  // What is searched for changes what is asked for.
  for (const request of `${always} ${location.search === '' ? rows : ''}`.split(' ').filter(Boolean)) {
    // A folder without a path is asked for without it.
    if ([...request.matchAll(/\$(\w+)/g)].some(([, name]) => !values.get(name))) continue;
    // Encoded as the page encodes it (apps/web/src/lib/api-url.ts), or its answer is never taken.
    const [path, query] = request.split('?');
    const url =
      path.replace(/\$(\w+)/g, (_, name) => encodeURIComponent(values.get(name))) +
      (query === undefined
        ? ''
        : `?${new URLSearchParams(query.replace(/\$(\w+)/g, (_, name) => encodeURIComponent(values.get(name))))}`);
    const answer = fetch(url, {
      headers: { 'x-gatehouse': 'console', accept: 'application/json' },
      credentials: 'same-origin',
      redirect: 'error',
    }).then(async (response) => new Response(await response.arrayBuffer(), response));
    // It is read even if nobody takes it: an answer that is not read keeps its connection.
    // Whoever takes it hears of a failure.
    answer.catch(() => undefined);
    begun.set(url, { answer, at: performance.now() });
  }
} catch {
  // The page asks for itself.
}
try {
  const theme = localStorage.getItem('gatehouse.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's preference decides.
}
