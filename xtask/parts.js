// Loads the parts of a program when they are first needed. A release has it in place of the script that the splitting
// writes, after `initSync` of the program and three constants. PARTS: the letter and the hash of each part's file.
// LARGE: the letters of its parts and the hash of each piece that has a file of its own. SMALL: the letters and bytes of
// each other piece, in their order in the files of its parts; the rest of such a file is the part's own code.

const coming = {};
// Failures are not kept, so that what the line lost once can be asked for again.
const once = (key, start) => {
  coming[key] ??= start().catch((error) => {
    delete coming[key];
    throw error;
  });
  return coming[key];
};
const get = (name, hash) => fetch(new URL(`./${name}`, import.meta.url), { integrity: `sha256-${hash}` });
// Instantiates the small pieces in a part's file; returns the part's own code.
const unpack = async (name, hash, letter, imports) => {
  const bytes = new Uint8Array(await (await get(name, hash)).arrayBuffer());
  const pieces = [];
  let at = 0;
  for (const [, parts, size] of SMALL.matchAll(/(\D+)(\d+)/g)) {
    if (parts.includes(letter)) {
      const piece = bytes.subarray(at, (at += Number(size)));
      pieces.push(once(parts, () => WebAssembly.instantiate(piece, imports)));
    }
  }
  await Promise.all(pieces);
  return bytes.subarray(at);
};
const load = async (part) => {
  const [letter, hash] = PARTS[part];
  const imports = { __wasm_split: initSync() };
  const large = Object.entries(LARGE)
    .filter(([, [parts]]) => parts.includes(letter))
    .map(([name, [, hash]]) => once(name, () => WebAssembly.instantiateStreaming(get(name, hash), imports)));
  const [own] = await Promise.all([unpack(`split_${part}.bin`, hash, letter, imports), ...large]);
  return WebAssembly.instantiate(own, imports);
};
// What the program calls for a part: its callback hears whether the part is there.
const loader = (part) => async (callback, data) => {
  const failed = await once(part, () => load(part)).then(() => undefined, (error) => error);
  if (failed) console.error(failed);
  // Not from within this promise: a program that ends there would end unheard.
  queueMicrotask(() => initSync().__indirect_function_table.get(callback)(data, !failed));
};
