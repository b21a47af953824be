// CODESEAM_DEBUG: what goes to the model, for people who look for a reason.
import type { Presentation, ToolRegistry } from '@codeseam/tools';

const MAX_PAYLOAD_CHARS = 4_000;
/** What looks like a secret is not worth a look at. */
const SECRETS =
  /((?:api[_-]?key|token|secret|password|authorization)["'\s:=\\]+(?:bearer\s+)?)[^"'\s,}\\]+|\b(?:sk|ghp|xox[bp])[-_][A-Za-z0-9_-]{8,}/gi;

/**
 * `CODESEAM_DEBUG=code-mode` logs the names on the wire; `payload` beside it logs a bounded, redacted payload as well.
 *
 * @returns the undo.
 */
export function watchWire(
  tools: ToolRegistry,
  environment = process.env,
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): () => void {
  const asked = new Set((environment['CODESEAM_DEBUG'] ?? '').split(/[\s,]+/));
  if (!asked.has('code-mode')) return () => {};
  if (asked.has('payload'))
    write('code-mode: CODESEAM_DEBUG has payload: prompts and tool descriptions may show below');
  return tools.on('tools/presented', (presentation) => {
    if (presentation.mode === 'native' || presentation.transport !== 'exec') return;
    write(`code-mode: on the wire: ${presentation.tools.map(({ name }) => name).join(', ')}`);
    if (asked.has('payload')) write(`code-mode: payload: ${redacted(presentation)}`);
  });
}

function redacted({ tools, tokens }: Presentation): string {
  const text = JSON.stringify({ tokens, tools }).replace(SECRETS, (_, head: string | undefined) =>
    head ? `${head}[redacted]` : '[redacted]',
  );
  return text.length > MAX_PAYLOAD_CHARS ? `${text.slice(0, MAX_PAYLOAD_CHARS)}… (${text.length} characters)` : text;
}
