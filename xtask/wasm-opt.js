// wasm-opt of npm's binaryen, over many files: `node wasm-opt.js PROGRAM FLAGS…`, the files one a line on standard input,
// each of which it replaces. A process of its own for each file spends most of its time on compiling wasm-opt itself, which
// is wasm: here it is compiled once, and all cores run it. It goes by two hooks of Emscripten, `instantiateWasm` and
// `postRun`.

const { Worker, isMainThread, parentPort, workerData } = require("node:worker_threads");
const fs = require("node:fs");
const os = require("node:os");
const vm = require("node:vm");

// Starts the program anew each time it is called.
function starter(program) {
  const source = fs.readFileSync(program, "utf8").replace(/^#!.*/, "");
  const start = vm.runInThisContext(`(function (Module, require, __filename, __dirname) {${source}\n})`);
  return (hooks) => start(hooks, require, program, ".");
}

// Only the program knows where its wasm is: calls back with it, compiled.
function compiled(program, done) {
  WebAssembly.instantiate = (binary) => {
    WebAssembly.compile(binary).then(done);
    return new Promise(() => {});
  };
  starter(program)({ arguments: [] });
}

function main([program, ...flags]) {
  const size = (file) => fs.statSync(file).size;
  const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
  files.sort((a, b) => size(b) - size(a));
  compiled(program, (module) => {
    for (let core = 0; core < Math.min(os.availableParallelism(), files.length); core++) {
      const worker = new Worker(__filename, { workerData: { program, flags, module } });
      worker.on("message", () => worker.postMessage(files.shift() ?? null));
      worker.on("error", (error) => {
        console.error(error);
        process.exit(1);
      });
    }
  });
}

function work({ program, flags, module }) {
  const start = starter(program);
  const next = () => parentPort.postMessage("next");
  parentPort.on("message", (file) => {
    if (file === null) return parentPort.close();
    const errors = [];
    start({
      arguments: [...flags, file, "-o", file],
      instantiateWasm: (imports, done) => void WebAssembly.instantiate(module, imports).then(done),
      printErr: (line) => errors.push(line),
      postRun: () => {
        if (process.exitCode) throw new Error(`wasm-opt on ${file}:\n${errors.join("\n")}`);
        next();
      },
    });
  });
  next();
}

if (isMainThread) {
  main(process.argv.slice(2));
} else {
  work(workerData);
}
