// What a run counts for its telemetry: numbers and tool ids, never inputs or outputs.
import type { CodeModeTelemetry } from '../types.ts';

const MOST_CALLED_TOOLS = 50;

export class RunCounters {
  searches = 0;
  describes = 0;
  calls = 0;
  execs = 0;
  waits = 0;
  snapshotBytes: number | undefined;
  readonly #calledTools = new Set<string>();

  called(toolId: string): void {
    this.calls++;
    if (this.#calledTools.size < MOST_CALLED_TOOLS) this.#calledTools.add(toolId);
  }

  telemetry(of: Pick<CodeModeTelemetry, 'catalogSize' | 'sources' | 'visibleTools' | 'computeMs'>): CodeModeTelemetry {
    return {
      ...of,
      searchCount: this.searches,
      describeCount: this.describes,
      callCount: this.calls,
      execCount: this.execs,
      waitCount: this.waits,
      calledTools: [...this.#calledTools],
      ...(this.snapshotBytes === undefined ? {} : { snapshotBytes: this.snapshotBytes }),
    };
  }
}
