// Keeps the page for when there is no connection. Every version has a cache of its own, and all names but that of the
// page itself change with their contents: a page that is open while another version comes finds its own parts still.
const VERSION = "packscope-VERSION_OF_THE_PAGE";
const FILES = ["FILES_OF_THE_PAGE"];
// Versions that are kept: pages may be open for days.
const KEPT = 3;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(VERSION);
      // Past the browser's own cache only where names do not change: the page itself, and data.
      const request = (file) => new Request(file, /-[0-9a-f]{12,16}[./]/.test(file) ? {} : { cache: "reload" });
      await cache.addAll(FILES.map(request));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const ours = (await caches.keys()).filter((name) => name.startsWith("packscope-"));
      const old = ours.filter((name) => name !== VERSION).slice(0, -(KEPT - 1));
      await Promise.all(old.map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  // Where what is kept cannot be had, the page is as it is without.
  event.respondWith(answer(event.request, url).catch(() => fetch(event.request)));
});

// Milliseconds after which the page that was kept is shown: some connections are there and say nothing.
const PATIENCE = 3000;

async function answer(request, url) {
  const here = await caches.open(VERSION);
  const scope = new URL("./", self.location).pathname;
  if (request.mode === "navigate" && (url.pathname === scope || url.pathname === `${scope}index.html`)) {
    // The newest page where there is a connection: what it names is there, too.
    const newest = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
    return newest?.ok ? newest : ((await here.match("index.html")) ?? newest ?? Response.error());
  }
  const found =
    (await here.match(request, { ignoreSearch: true })) ?? (await caches.match(request, { ignoreSearch: true }));
  if (found) return found;
  const fetched = await fetch(request);
  // What is not kept beforehand is kept once it was used, where there is room for it.
  if (fetched.ok && url.pathname.startsWith(scope)) await here.put(request, fetched.clone()).catch(() => {});
  return fetched;
}
