// Runs before the page's code: sends the first requests, and applies the theme that was last chosen in this
// browser. The document names the requests of its address (apps/web/src/first-requests.ts). The page's calls
// use their answers (apps/web/src/lib/begun.ts).
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
  // Search parameters change which rows are shown.
  for (const request of `${always} ${location.search === '' ? rows : ''}`.split(' ').filter(Boolean)) {
    // The engine's root folder has no path, so its request differs.
    if ([...request.matchAll(/\$(\w+)/g)].some(([, name]) => !values.get(name))) continue;
    // Encoded like the page does it (apps/web/src/lib/api-url.ts), or the answer would never be used.
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
    // The body is read even if no call uses it, because an unread answer keeps its connection busy. A failure
    // is reported by the call that uses it.
    answer.catch(() => undefined);
    begun.set(url, { answer, at: performance.now() });
  }
} catch {
  // The page sends its own requests.
}
try {
  const theme = localStorage.getItem('gatehouse.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's preference applies.
}
