// The calls that a program did not wait for: still open when its body settled.
import type { CodeRun } from '@codeseam/code-runtime';

/** Calls beyond these are counted, not named. */
const MOST_NAMED = 3;

export class OpenCalls {
  #open: { id: string; name: string }[] = [];

  /** Notes what is open at the moment when the program's body settles. */
  watch(codeRun: Pick<CodeRun, 'onState' | 'pending'>): void {
    codeRun.onState((state) => {
      if (state !== 'draining') return;
      this.#open = codeRun
        .pending()
        .filter(({ kind }) => kind === 'call')
        .map(({ id, path }) => ({ id, name: path.join('.') }));
    });
  }

  /**
   * What to tell of them once the run has ended; undefined where there were none.
   *
   * @param failureOf the code of a call that failed.
   */
  note(failureOf: (callId: string) => string | undefined): string | undefined {
    const { length } = this.#open;
    if (length === 0) return undefined;
    const names = [...new Set(this.#open.map(({ name }) => name))];
    const named = `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`;
    const codes = this.#open.map(({ id }) => failureOf(id)).filter((code) => !!code);
    const whichFailed = length === 1 ? 'it' : `${codes.length} of them`;
    const failed = codes.length === 0 ? '' : `; ${whichFailed} failed (${[...new Set(codes)].join(', ')})`;
    return (
      `${length === 1 ? '1 call was' : `${length} calls were`} not awaited when the program ended (${named})${failed}: ` +
      'what comes after such a call in a callback may not run; await each call (for…of, Promise.all)'
    );
  }
}
