const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chromium', /\bChromium\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)(?:\.[^ ]*)? .*Safari\//],
  ['curl', /^curl\/(\d+)/],
];
const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Characters of a header that are read. It can have 32 KiB, and a pattern of two words takes quadratic time. */
const mostRead = 512;

/** Browser and system, such as `Chromium 156 on Linux`, as far as a User-Agent header names them. */
export function clientName(header: string): string {
  const userAgent = header.slice(0, mostRead);
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined)
      return system === undefined ? `${name} ${version}` : `${name} ${version} on ${system}`;
  }
  return system === undefined ? 'Unknown client' : `Unknown client on ${system}`;
}
