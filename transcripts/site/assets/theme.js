// Light or dark: the system's choice, unless the reader made another. Loaded first, so that nothing flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  const key = "pinakes-ask-theme";

  const kept = () => {
    try { return localStorage.getItem(key); } catch { return null; }
  };
  const keep = (theme) => {
    try { localStorage.setItem(key, theme); } catch { /* A browser may forbid it; the choice then lasts a page. */ }
  };
  if (["light", "dark"].includes(kept())) root.dataset.theme = kept();

  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => {
      button.querySelector(".icon").textContent = dark() ? "☀" : "☾";
      button.querySelector(".unseen").textContent = dark() ? "Light colours" : "Dark colours";
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      keep(root.dataset.theme);
      name();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
    name();
  });
})();
