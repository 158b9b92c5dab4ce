// Keys for all pages: a page adds its own with pinakes.keys({key: action}). None works while typing.
(() => {
  "use strict";
  const actions = new Map();
  const help = () => document.getElementById("help");
  const typing = (target) => target.closest("input:not([type=checkbox]), textarea, select") !== null;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing(event.target)) event.target.blur();
    if (typing(event.target) || help().open) return;
    const action = actions.get(event.key);
    if (action && action(event) !== false) event.preventDefault();
  });

  window.pinakes = {
    keys(added) { for (const [key, action] of Object.entries(added)) actions.set(key, action); },
    // The list a reader came from, so that "next" means next in it.
    keepList(ids) {
      try { sessionStorage.setItem("pinakes-ask-list", JSON.stringify(ids)); } catch { /* Then by date. */ }
    },
    keptList() {
      try { return JSON.parse(sessionStorage.getItem("pinakes-ask-list")) || []; } catch { return []; }
    },
  };

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("show-help");
    button.hidden = false;
    button.addEventListener("click", () => help().showModal());
    window.pinakes.keys({ "?": () => help().showModal() });
  });
})();
