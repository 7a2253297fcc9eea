/** Loaded before a server's own code (`node --import`): tells its parent the CPU time it took so far, whenever asked. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// Being asked must not keep the server alive.
process.channel?.unref();
// Nor may it outlive a benchmark that was broken off.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
