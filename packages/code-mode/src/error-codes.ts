// The table of error codes: where each is documented, and whether trying again can help.
import type { CodeModeErrorCode } from './types.ts';

export interface CodeModeErrorInfo {
  /** Whether the same program may succeed when it is sent again. */
  retry: boolean;
  /** What to do, where the failure itself does not say. */
  hint?: string;
}

export const CODE_MODE_ERRORS: Readonly<Record<CodeModeErrorCode, CodeModeErrorInfo>> = {
  runtime_unavailable: {
    retry: true,
    hint: 'the sandbox is busy or not there; try again, and tell the operator if it stays so',
  },
  invalid_config: { retry: false },
  invalid_input: { retry: false },
  unsupported_language: { retry: false },
  syntax_error: { retry: false },
  typescript_transform_failed: { retry: false },
  type_check_failed: { retry: false },
  module_access_denied: {
    retry: false,
    hint: 'there are no modules here; await tools.search("what you need") finds tools that read files, fetch pages and so on',
  },
  timeout: { retry: false, hint: 'the program was busy computing at the deadline; do less in one program' },
  memory_limit_exceeded: { retry: false, hint: 'work on smaller parts, and keep only what is needed' },
  stack_overflow: { retry: false, hint: 'use a loop in place of deep recursion' },
  output_limit_exceeded: { retry: false, hint: 'print and return less: filter, count or summarise inside the program' },
  snapshot_limit_exceeded: {
    retry: false,
    hint: 'hold less data while waiting for tools: keep only what later steps need',
  },
  snapshot_expired: {
    retry: false,
    hint: 'the run waited too long and is gone; what its calls did stays done; start a new exec',
  },
  snapshot_restore_failed: { retry: false, hint: 'start a new exec; calls made before may have had effects' },
  too_many_pending_tool_calls: { retry: false, hint: 'start fewer calls at once: work in batches of about a hundred' },
  too_many_suspended_runs: { retry: true, hint: 'wait for, or cancel, runs that are waiting, then try again' },
  nested_tool_failed: { retry: false, hint: 'catch the error in the program to go on without this call' },
  guest_error: { retry: false },
  denied: { retry: false },
  aborted: { retry: false },
  internal_error: { retry: false, hint: 'a fault on our side, not in the program' },
};

/** Where a code is explained, in the repository. */
export function docsOf(code: CodeModeErrorCode): string {
  return `docs/errors.md#${code}`;
}
