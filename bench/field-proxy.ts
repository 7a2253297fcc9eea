/**
 * A general reverse proxy from npm, with keep-alive connections. Arguments: port to listen on, origin to forward to.
 */
import { Agent, createServer } from 'node:http';
import { createProxyServer } from 'httpxy';

const [port, origin] = process.argv.slice(2);
const proxy = createProxyServer({ target: origin ?? '', agent: new Agent({ keepAlive: true }) });
createServer((req, res) => void proxy.web(req, res)).listen(Number(port), '127.0.0.1');
