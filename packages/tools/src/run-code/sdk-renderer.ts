// What it takes to offer run_code in one language.
import type { Tool } from '../types.ts';

export interface SdkRenderer {
  /** As people write it. */
  readonly languageName: string;
  /** A call of this tool, as one line of a program. */
  example(tool: Tool, argumentsText: string): string;
  /** How to write a program; the same for all sets of tools. */
  instructions(bounds: { maxParallelSubCalls: number }): string;
  /** The declarations of these tools, as a fenced block. */
  declarations(tools: readonly Tool[]): string;
}
