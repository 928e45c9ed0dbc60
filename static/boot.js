// Starts the page. A file of its own, because the Content-Security-Policy allows no inline script.
const app = await import(`./${document.documentElement.dataset.app}/app.js`);
await app.default();
// Keeps the page for when there is no connection, once it was looked at for a while; where that is not to be had, it
// works all the same.
setTimeout(() => navigator.serviceWorker?.register("./sw.js", { updateViaCache: "none" }).catch(() => {}), 5000);
