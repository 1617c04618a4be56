/** SHA-256 and HMAC for pages on plain http, to which browsers do not offer their own: `crypto.subtle` as far as a draw needs it. */

const BLOCK_BYTES = 64;
const ROUND_COUNT = 64;

// FIPS 180-4: the fractions of the square and cube roots of the first primes.
const primes: number[] = [];
for (let n = 2; primes.length < ROUND_COUNT; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (value: number) => ((value % 1) * 2 ** 32) | 0;
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));
const w = new Int32Array(ROUND_COUNT);
/** Of an array that is known to have it. */
const at = (words: Int32Array, index: number) => words[index] as number;

function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, bytes.length / 2 ** 29);
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const sum = START.slice();
  for (let offset = 0; offset < padded.byteLength; offset += BLOCK_BYTES) addBlock(sum, padded, offset);
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) digest.setInt32(i * 4, at(sum, i));
  return new Uint8Array(digest.buffer);
}

function spread(padded: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = padded.getInt32(offset + i * 4);
  for (let i = 16; i < ROUND_COUNT; i++) {
    const s0 = turn(at(w, i - 15), 7) ^ turn(at(w, i - 15), 18) ^ (at(w, i - 15) >>> 3);
    const s1 = turn(at(w, i - 2), 17) ^ turn(at(w, i - 2), 19) ^ (at(w, i - 2) >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
}

// Plain assignments: taking the words apart as lists makes it four times slower.
function addBlock(sum: Int32Array, padded: DataView, offset: number): void {
  spread(padded, offset);
  let a = at(sum, 0);
  let b = at(sum, 1);
  let c = at(sum, 2);
  let d = at(sum, 3);
  let e = at(sum, 4);
  let f = at(sum, 5);
  let g = at(sum, 6);
  let h = at(sum, 7);
  for (let i = 0; i < ROUND_COUNT; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(ROUNDS, i) + at(w, i)) | 0;
    const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const words = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) sum[i] = at(sum, i) + (words[i] as number);
}

/** RFC 2104, for keys that are not longer than a block. */
function hmac(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  return sha256(joined(block, 0x5c, sha256(joined(block, 0x36, message))));
}

function joined(block: Uint8Array, pad: number, rest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(BLOCK_BYTES + rest.length);
  for (let i = 0; i < BLOCK_BYTES; i++) bytes[i] = (block[i] as number) ^ pad;
  bytes.set(rest, BLOCK_BYTES);
  return bytes;
}

export const subtle = {
  digest: async (_algorithm: unknown, bytes: Uint8Array): Promise<ArrayBuffer> => sha256(bytes).buffer,
  importKey: async (_format: unknown, bytes: Uint8Array): Promise<Uint8Array> => bytes,
  sign: async (_algorithm: unknown, key: Uint8Array, bytes: Uint8Array): Promise<ArrayBuffer> =>
    hmac(key, bytes).buffer,
};
