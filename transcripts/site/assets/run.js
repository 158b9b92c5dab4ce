// Citations lead to their sentences, and keys lead from one to the next. Without this, they are plain links.
(() => {
  "use strict";
  const pane = document.getElementById("evidence");
  const all = [...document.querySelectorAll("a.cite")];
  const cites = all.filter((cite) => cite.closest("#answer"));
  const beside = () => getComputedStyle(pane).position === "sticky";
  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  let at = -1;
  let origin = null;

  // Beside the answer the evidence scrolls by itself, and the page stays where it is.
  const bringIntoView = (element) => {
    const behavior = calm() ? "auto" : "smooth";
    if (!beside()) {
      element.scrollIntoView({ block: "center", behavior });
      return;
    }
    const top = element.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
    pane.scrollTo({ top: top - pane.clientHeight / 3, behavior });
    if (pane.getBoundingClientRect().top > innerHeight / 2) pane.scrollIntoView({ block: "start", behavior });
  };

  const target = (link) => document.getElementById((link.getAttribute("href") || "").slice(1));

  const show = (element, from) => {
    for (const other of document.querySelectorAll(".sentence.active")) other.classList.remove("active");
    for (const other of all) other.removeAttribute("aria-current");
    const fold = element.closest("details");
    if (fold) fold.open = true;
    element.classList.add("active");
    const same = all.filter((cite) => target(cite) === element && (cite === from || !all.includes(from)));
    for (const cite of same) cite.setAttribute("aria-current", "true");
    // Below the answer the sentence takes its place on the screen, and "back" returns to it.
    history[beside() ? "replaceState" : "pushState"](null, "", `#${element.id}`);
    origin = beside() ? null : from;
    bringIntoView(element);
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const element = link && target(link);
    if (!element || !element.matches(".sentence, .evidence-passage")) return;
    event.preventDefault();
    if (cites.includes(link)) at = cites.indexOf(link);
    show(element, link);
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  });

  addEventListener("popstate", () => {
    if (!origin) return;
    origin.scrollIntoView({ block: "center", behavior: "instant" });
    origin.focus({ preventScroll: true });
    origin = null;
  });

  const step = (by) => {
    if (!cites.length) return;
    at = at < 0 ? (by > 0 ? 0 : cites.length - 1) : (at + by + cites.length) % cites.length;
    const cite = cites[at];
    cite.focus({ preventScroll: true });
    const box = cite.getBoundingClientRect();
    if (box.top < 70 || box.bottom > innerHeight) cite.scrollIntoView({ block: "center" });
    const element = target(cite);
    if (element && beside()) show(element, cite);
  };

  const list = window.pinakes.keptList().filter((id) => /^[0-9A-Z]{26}$/.test(id));
  const here = list.indexOf(document.documentElement.dataset.run);
  if (here >= 0) {
    for (const [name, id] of [["earlier", list[here - 1]], ["later", list[here + 1]]]) {
      const link = document.getElementById(name);
      if (id) link.href = `${id}.html`; else link.removeAttribute("href");
    }
    document.getElementById("position").textContent = `${here + 1} of ${list.length}`;
  }

  const open = (id) => () => {
    const link = document.getElementById(id);
    if (link && link.href) location.href = link.href;
  };
  const focusOn = (id) => () => {
    const element = document.getElementById(id);
    if (!element) return false;
    element.scrollIntoView({ block: "center" });
    element.focus();
    return true;
  };
  window.pinakes.keys({
    "j": () => step(1),
    "k": () => step(-1),
    "n": open("later"),
    "p": open("earlier"),
    "u": open("home"),
    "/": () => { location.href = `${document.getElementById("home").href}#search`; },
    "a": focusOn("accept"),
    "r": focusOn("reject"),
    "Escape": () => { if (at >= 0) cites[at].focus(); },
  });

  if (/^#p\d+/.test(location.hash)) {
    const element = document.getElementById(location.hash.slice(1));
    if (element) show(element, null);
  }
})();
