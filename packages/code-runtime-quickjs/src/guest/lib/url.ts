// URL and URLSearchParams (URL Standard, with IDNA), which a guest gets at their first use.
import { getterOf, uncurry } from '@codeseam/code-runtime/guest';
import { URL, URLSearchParams } from 'whatwg-url-minimum';
import { nameClass } from './name-class.ts';

nameClass(URL, 'URL');
nameClass(URLSearchParams, 'URLSearchParams');

const { getOwnPropertyDescriptor } = Reflect;
const hrefOf = getterOf(URL.prototype, 'href');
const queryOf = uncurry(URLSearchParams.prototype.toString) as (value: object) => string;

/** How the console shows an instance; undefined for everything else. */
export function describeUrl(value: object): string | undefined {
  if (isInstance(value, urlMark)) return `URL { ${JSON.stringify(hrefOf(value))} }`;
  return isInstance(value, searchMark) ? `URLSearchParams { ${JSON.stringify(queryOf(value))} }` : undefined;
}

/** The symbol under which an instance keeps its parts. */
function markOf(instance: object): symbol {
  const [mark] = Object.getOwnPropertySymbols(instance);
  if (mark === undefined) throw new Error('this build of the URL library keeps its parts elsewhere');
  return mark;
}

const urlMark = markOf(new URL('about:blank'));
const searchMark = markOf(new URLSearchParams());

function isInstance(value: object, mark: symbol): boolean {
  return typeof getOwnPropertyDescriptor(value, mark)?.value === 'object';
}

export { URL, URLSearchParams };
