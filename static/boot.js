// Starts the page. A release has it within index.html, whose Content-Security-Policy allows it by its hash. Written so
// that browsers can read it which are too old for the rest: they are told.

// What to load; a release also says what the program must be.
const { app, wasm, integrity } = document.querySelector("script[data-app]").dataset;

// No text becomes markup or a script; the only scripts that are started by their address are the page's own workers.
if (window.trustedTypes) {
  trustedTypes.createPolicy("default", {
    createScriptURL: (url) => (/^\.\/([a-z-]+-[0-9a-f]{16}\/start|sw)\.js$/.test(url) ? url : null),
  });
}

// Says in plain words why there is no page, or none any more; the settings are in the address and stay there.
function tell(words, old) {
  const before = document.querySelector(".fault");
  if (before && before.firstChild.textContent === words[0]) return;
  if (before) before.remove();
  const box = document.createElement("div");
  box.className = "fault";
  box.setAttribute("role", "alert");
  const say = (words) => box.appendChild(document.createElement("p")).append(words);
  const press = (words, act) => {
    const button = box.appendChild(document.createElement("button"));
    button.className = "solid";
    button.append(words);
    button.addEventListener("click", act);
  };
  words.forEach(say);
  if (!old) {
    press("Reload", () => location.reload());
    // Without the settings of the address, should these be the reason.
    if (location.hash.length > 1) press("Start afresh", () => location.assign(location.pathname));
  }
  document.body.prepend(box);
}

function absent() {
  tell(["Packscope could not be loaded: a part of it did not come, or came incomplete. Is the connection gone?"]);
}

// What is on screen is not alive any more: it can be read, and no more.
function stopped() {
  const page = document.querySelector("#app .page");
  if (page) page.inert = true;
  tell([
    "Packscope has stopped, by a mistake of its own.",
    "Your settings are in the address, and a reload brings them back; a large file has to be opened once more.",
  ]);
}

// Lanes of four numbers: the newest thing that every part of the page needs.
const LANES = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

function isOld() {
  return typeof WebAssembly !== "object" || !WebAssembly.validate(new Uint8Array(LANES));
}

// Whatever is thrown through the program ends it, a trap or not: what was under way was left as it stood.
function ends(error) {
  const within = !(error instanceof DOMException) && /wasm-function/.test((error && error.stack) || "");
  return within || error instanceof WebAssembly.RuntimeError;
}

// Milliseconds after which it is said that the page is late; when it comes it takes the place of these words.
const PATIENCE = 20000;

// The answer of the opening page stands in the document until the program has it; other settings have another answer.
const opening = document.getElementById("opening");
if (opening && location.hash.length > 1) opening.remove();

function start() {
  addEventListener("error", (event) => ends(event.error) && stopped());
  addEventListener("unhandledrejection", (event) => ends(event.reason) && stopped());
  setTimeout(() => {
    if (!document.querySelector("#app .page, .fault")) tell(["Packscope is still on its way. Is the connection slow, or gone?"]);
  }, PATIENCE);
  // Asked for at once, beside the module that it is for.
  const program = fetch(wasm, { integrity: integrity || "" });
  program.catch(() => {});
  import(app)
    .then((module) => module.default({ module_or_path: program }))
    .catch((error) => {
      console.error(error);
      if (ends(error)) stopped();
      else absent();
    });
}

if (isOld()) {
  tell([
    "This browser cannot show Packscope, which needs WebAssembly with 128-bit SIMD.",
    "Chrome and Edge have it since 91, Firefox since 89, Safari since 16.4, where it is not switched off.",
  ], true);
} else {
  start();
}

// Keeps a release for when there is no connection, once it was looked at for a while; where that is not to be had, it
// works all the same.
if (integrity) setTimeout(() => {
  try {
    navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => {});
  } catch (forbidden) {}
}, 5000);
