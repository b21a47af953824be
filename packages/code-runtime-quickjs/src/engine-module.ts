// The engine: its module, read and compiled once in a process, and the guest image that goes with it; shared by all runtimes and
// threads.
import { engineBytes, engineHash } from './engine-file.ts';
import type { PackedGuestImage } from './worker/guest-image-file.ts';

/** What a thread needs to make VMs. */
export interface EngineParts {
  readonly module: WebAssembly.Module;
  /** Absent where the engine's file is not the one that the package's image was made with: each thread then builds its own. */
  readonly guestImage: PackedGuestImage | undefined;
}

let loaded: Promise<EngineParts> | undefined;

/** The compiled engine and its image. */
export function engineParts(): Promise<EngineParts> {
  loaded ??= loadEngine();
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

async function loadEngine(): Promise<EngineParts> {
  const bytes = await engineBytes(import.meta.url);
  const [module, { shippedGuestImage }] = await Promise.all([
    WebAssembly.compile(bytes),
    import('./shipped-guest-image.ts'),
  ]);
  const fits = shippedGuestImage.engine === engineHash(bytes);
  return { module, guestImage: fits ? shippedGuestImage : undefined };
}
