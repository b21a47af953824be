// Programs that the build bundles into one string (scripts/bundle-text.ts).
declare module '*?bundle=guest' {
  const code: string;
  export default code;
}
declare module '*?bundle=worker' {
  const code: string;
  export default code;
}
declare module '*?bundle=bytes' {
  const base64: string;
  export default base64;
}
declare module '*?bundle=value' {
  const value: string;
  export default value;
}
