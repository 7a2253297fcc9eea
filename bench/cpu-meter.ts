/** Loaded before a server's code (`node --import`): reports what the process has used whenever its parent asks. */
import type { Used } from './harness.ts';

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  const used: Used = { cpu: user + system, memory: process.memoryUsage.rss(), mostMemory: maxRSS * 1024 };
  process.send?.(used);
});
// The listener must not keep the server alive.
process.channel?.unref();
// The server must not outlive an interrupted benchmark.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
