// The nested calls of a program as they happen: one live line on a terminal, plain lines elsewhere.
import type { DispatchEvent, DispatchStartEvent, ToolRegistry } from '@codeseam/tools';
import { type CliIo, isLively, painter, say } from './io.ts';

const REDRAW_MS = 120;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Shows calls until the undo is called; the live line gives way while a person is being asked something. */
export function showLiveCalls(tools: Pick<ToolRegistry, 'on'>, io: CliIo, isAsking: () => boolean): () => void {
  return isLively(io) ? drawCalls(tools, io, isAsking) : listCalls(tools, io);
}

function listCalls(tools: Pick<ToolRegistry, 'on'>, io: CliIo): () => void {
  return tools.on('tools/dispatch', (event) => say(io, callLine(event)));
}

function callLine({ toolId, isError, code, durationMs }: DispatchEvent): string {
  return `call ${toolId} ${isError ? `failed${code ? ` ${code}` : ''}` : 'ok'} ${Math.round(durationMs)} ms`;
}

function drawCalls(tools: Pick<ToolRegistry, 'on'>, io: CliIo, isAsking: () => boolean): () => void {
  const paint = painter(true);
  const pending = new Map<string, DispatchStartEvent>();
  let frame = 0;
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) io.stderr.write('\r\x1b[2K');
    isDrawn = false;
  };
  const draw = () => {
    if (isAsking()) return;
    clear();
    if (pending.size === 0) return;
    const calls = [...pending.values()].map((call) => `${call.toolId} ${seconds(Date.now() - call.startedAt)}`);
    const text = `${SPINNER[frame++ % SPINNER.length]} ${pending.size} pending: ${calls.join(', ')}`;
    const width = Math.max(20, (io.stderr.columns || 80) - 1);
    isDrawn = true;
    io.stderr.write(paint(text.length > width ? `${text.slice(0, width - 1)}…` : text, 'cyan'));
  };
  const timer = setInterval(draw, REDRAW_MS);
  const undo = [
    tools.on('tools/dispatch-start', (event) => {
      pending.set(event.callId, event);
    }),
    tools.on('tools/dispatch', (event) => {
      pending.delete(event.callId);
      clear();
      say(io, paint(callLine(event), event.isError ? 'red' : 'dim'));
    }),
  ];
  return () => {
    clearInterval(timer);
    clear();
    for (const stop of undo) stop();
  };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)}s`;
