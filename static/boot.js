// Starts the page. A file of its own, because the Content-Security-Policy allows no inline script.
const name = document.documentElement.dataset.app;
const app = await import(`./${name}.js`);
await app.default({ module_or_path: new URL(`./${name}_bg.wasm`, import.meta.url) });
