// The sentences of the pipeline: one for each way a call can fail, with what to do.
import { ToolCallError } from '../errors.ts';
import { lineOf, type Violation } from '../schema/describe-violations.ts';

const quote = (name: string) => JSON.stringify(name);
const because = (reason: string | undefined) => (reason === undefined || reason === '' ? '' : `: ${reason}`);

/** Listed violations; the rest is counted. */
const MAX_VIOLATIONS = 20;

export function unknownTool(ref: string, suggestions: readonly string[]): ToolCallError {
  const near = suggestions.map(quote).join(', ');
  return new ToolCallError(
    'UNKNOWN_TOOL',
    `unknown tool ${quote(ref)}${near === '' ? '' : `; did you mean ${near}?`}`,
    { toolName: ref },
  );
}

export function notCalledDirectly(name: string, example: string): ToolCallError {
  return new ToolCallError(
    'UNKNOWN_TOOL',
    `${quote(name)} is not called directly here; call it inside a program: ${example}`,
    {
      toolName: name,
    },
  );
}

export function toolGone(name: string): ToolCallError {
  return new ToolCallError('UNKNOWN_TOOL', `tool ${quote(name)} is no longer available`, { toolName: name });
}

export function invalidArguments(name: string, violations: readonly Violation[]): ToolCallError {
  const hints = violations.flatMap((violation) => (violation.hint ? [violation.hint] : []));
  return new ToolCallError('INVALID_ARGS', `invalid arguments for ${quote(name)}: ${listed(violations)}`, {
    toolName: name,
    ...(hints.length > 0 ? { hint: [...new Set(hints)].slice(0, 3).join('; ') } : {}),
  });
}

export function unreadableArguments(name: string, reason: string): ToolCallError {
  return new ToolCallError('INVALID_ARGS', `invalid arguments for ${quote(name)}: ${reason}`, { toolName: name });
}

export function invalidOutput(name: string, problems: string): ToolCallError {
  return new ToolCallError(
    'INVALID_TOOL_OUTPUT',
    `tool ${quote(name)} ran, but its result is not what it declares: ${problems}. Its effects may have happened`,
    { toolName: name, hint: 'look at the state before calling it again' },
  );
}

export function violatingOutput(name: string, violations: readonly Violation[]): ToolCallError {
  return invalidOutput(
    name,
    listed(violations.map((violation) => ({ ...violation, path: violation.path || 'the value' }))),
  );
}

export function unsupportedSchema(name: string, what: string, reason: string, ran: boolean): ToolCallError {
  return new ToolCallError(
    'UNSUPPORTED_SCHEMA',
    `the ${what} of tool ${quote(name)} could not be checked against its schema: ${reason}${ran ? '. Its effects may have happened' : ''}`,
    { toolName: name },
  );
}

export function denied(name: string, reason: string | undefined): ToolCallError {
  return new ToolCallError('DENIED', `the call of ${quote(name)} was denied${because(reason)}`, { toolName: name });
}

export function policyFailed(name: string, stage: string, reason: string): ToolCallError {
  return new ToolCallError(
    'DENIED',
    `the call of ${quote(name)} was denied: ${stage === 'around' ? 'an' : 'a'} ${stage} hook failed: ${reason}`,
    {
      toolName: name,
    },
  );
}

export function resultWithheld(name: string, reason: string): ToolCallError {
  return new ToolCallError('DENIED', `tool ${quote(name)} ran, but its result is withheld: ${reason}`, {
    toolName: name,
  });
}

export function approvalRequired(name: string, reason: string | undefined): ToolCallError {
  return new ToolCallError(
    'APPROVAL_REQUIRED',
    `the call of ${quote(name)} needs an approval${because(reason)}, and there is nobody to ask`,
    {
      toolName: name,
      hint: 'mount an approval service, or let the policy allow the tool',
    },
  );
}

export function timedOut(name: string, ms: number): ToolCallError {
  return new ToolCallError(
    'TOOL_TIMEOUT',
    `tool ${quote(name)} took longer than ${ms} ms and was aborted; its effects may have happened`,
    {
      toolName: name,
    },
  );
}

export function aborted(name: string, reason: string | undefined): ToolCallError {
  return new ToolCallError(
    'ABORTED',
    `the call of ${quote(name)} was aborted while it ran${because(reason)}; its effects may have happened`,
    {
      toolName: name,
    },
  );
}

export function abortedBeforeDispatch(name: string, reason: string | undefined): ToolCallError {
  return new ToolCallError(
    'ABORTED_BEFORE_DISPATCH',
    `the call of ${quote(name)} was aborted before it started${because(reason)}`,
    {
      toolName: name,
    },
  );
}

export function outcomeUnknown(name: string, reason: string): ToolCallError {
  return new ToolCallError(
    'ABORTED',
    `the outcome of ${quote(name)} is unknown: ${reason}; its effects may have happened`,
    { toolName: name },
  );
}

export function toolFailed(name: string, message: string): ToolCallError {
  return new ToolCallError('TOOL_FAILED', message, { toolName: name });
}

function listed(violations: readonly Violation[]): string {
  const lines = violations.slice(0, MAX_VIOLATIONS).map(lineOf);
  const more = violations.length - lines.length;
  return lines.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
