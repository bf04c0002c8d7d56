// testing.ts - what the tests use without a browser.
export { readContacts } from './blocks';
export { BlockCutter, crc32, StreamDecoder } from './decoder';
export { plain, quantity } from './format';
export { pivot, zeroLine } from './patch';
export { contactKey, Recording } from './recording';
export { kindsOf } from './shapes3d';
