/** SHA-256 and HMAC for pages on plain http, to which browsers do not offer their own: `crypto.subtle` as far as a draw needs it. */

const YIELD_EVERY = 2000;
const BLOCK_BYTES = 64;

// FIPS 180-4: the fractions of the square and cube roots of the first primes.
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (number) => ((number % 1) * 2 ** 32) | 0;
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));
const w = new Int32Array(64);

function sha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, bytes.length / 2 ** 29);
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const sum = START.slice();
  for (let at = 0; at < padded.byteLength; at += BLOCK_BYTES) addBlock(sum, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) digest.setInt32(i * 4, sum[i]);
  return new Uint8Array(digest.buffer);
}

// Plain assignments: taking the words apart as lists makes it four times slower.
function addBlock(sum, padded, at) {
  for (let i = 0; i < 16; i++) w[i] = padded.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let a = sum[0];
  let b = sum[1];
  let c = sum[2];
  let d = sum[3];
  let e = sum[4];
  let f = sum[5];
  let g = sum[6];
  let h = sum[7];
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
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
  sum[0] += a;
  sum[1] += b;
  sum[2] += c;
  sum[3] += d;
  sum[4] += e;
  sum[5] += f;
  sum[6] += g;
  sum[7] += h;
}

/** RFC 2104, for keys that are not longer than a block. */
function hmac(key, message) {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key);
  const inner = sha256(joined(block, 0x36, message));
  return sha256(joined(block, 0x5c, inner));
}

function joined(block, pad, rest) {
  const bytes = new Uint8Array(BLOCK_BYTES + rest.length);
  for (let i = 0; i < BLOCK_BYTES; i++) bytes[i] = block[i] ^ pad;
  bytes.set(rest, BLOCK_BYTES);
  return bytes;
}

let signed = 0;

export const subtle = {
  digest: async (_algorithm, bytes) => sha256(bytes).buffer,
  importKey: async (_format, bytes) => bytes,
  sign: async (_algorithm, key, bytes) => {
    signed += 1;
    // So that the page stays alive: the browser's own would work beside it.
    if (signed % YIELD_EVERY === 0) await new Promise((resolve) => setTimeout(resolve));
    return hmac(key, bytes).buffer;
  },
};
