// The guest image that the package brings along; a chunk of its own, read while the engine is compiled.
import { type PackedGuestImage, readGuestImage } from './worker/guest-image-file.ts';
import text from './worker/packed-guest-image.ts?bundle=value';

export const shippedGuestImage: PackedGuestImage = readGuestImage(text);
