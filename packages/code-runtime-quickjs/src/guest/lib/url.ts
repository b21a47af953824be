// URL and URLSearchParams (URL Standard, with IDNA), which a guest gets at their first use.
export { URL, URLSearchParams } from 'whatwg-url-minimum';
