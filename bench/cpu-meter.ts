/** Loaded before a server's own code (`node --import`): tells its parent, whenever asked, what it took so far. */
import type { Spent } from './processes.ts';

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  const spent: Spent = { cpu: user + system, memory: process.memoryUsage.rss(), mostMemory: maxRSS * 1024 };
  process.send?.(spent);
});
// Being asked must not keep the server alive.
process.channel?.unref();
// Nor may it outlive a benchmark that was broken off.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
