/**
 * The upper limit of Node's HTTP server: it reads the request and answers the same bytes every time, with the headers
 * of the secrets server. Arguments: port to listen on, file with the body.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);
const body = readFileSync(file ?? '', 'utf8');
const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(body),
};
createServer({ noDelay: true }, (req, res) => {
  const answer = (): void => {
    res.writeHead(200, headers);
    res.end(body);
  };
  if (req.method === 'GET') answer();
  else {
    req.resume();
    req.once('end', answer);
  }
}).listen(Number(port), '127.0.0.1');
