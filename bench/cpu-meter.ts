/** Loaded before a server's own code (`node --import`): reports to its parent, whenever asked, what the process has used. */
import type { Used } from './harness.ts';

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  const used: Used = { cpu: user + system, memory: process.memoryUsage.rss(), mostMemory: maxRSS * 1024 };
  process.send?.(used);
});
// Being asked must not keep the server alive.
process.channel?.unref();
// Nor may it outlive a benchmark that was interrupted.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
