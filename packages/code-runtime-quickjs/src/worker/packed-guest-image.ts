// Run while the package is built: its value is the guest image of the engine that the package depends on, as text.
import { engineBytes, engineHash } from '../engine-file.ts';
import { buildGuestImage } from './guest-image.ts';
import { writeGuestImage } from './guest-image-file.ts';

const bytes = await engineBytes(import.meta.url);
const module = new WebAssembly.Module(bytes);

export default writeGuestImage(buildGuestImage(module), engineHash(bytes));
