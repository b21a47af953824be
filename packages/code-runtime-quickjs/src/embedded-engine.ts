// A copy of the engine's file, loaded only where the package that ships it is not beside ours.
import { inflateRawSync } from 'node:zlib';
import packed from '../node_modules/quickjs-wasi/quickjs.wasm?bundle=bytes';

export function embeddedEngine(): Uint8Array {
  return inflateRawSync(Buffer.from(packed, 'base64'));
}
