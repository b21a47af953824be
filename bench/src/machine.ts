// Names the machine that figures were measured on.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]!.toFixed(1);
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, ${process.platform}, Node ${process.version}, load at the start ${load}`;
}
