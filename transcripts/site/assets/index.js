// Search, filters, sorting and pages over the rows that the page carries as data.
(() => {
  "use strict";
  const perPage = 50;
  const byId = (id) => document.getElementById(id);
  const form = byId("filters");
  const { fields, rows } = JSON.parse(byId("data").textContent);
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  // Without accents and case, so that "severine" finds "Séverine".
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  const runs = rows.map((values) => {
    const run = Object.fromEntries(fields.map((field, index) => [field, values[index]]));
    run.text = fold([run.question, run.short, run.model, run.id].map((value) => value || "").join(" "));
    return run;
  });

  const scoreTests = {
    "c1": (run) => run.c === 1,
    "c0": (run) => run.c === 0,
    "d0": (run) => run.d === 0,
    "elow": (run) => run.e !== null && run.e < 0.5,
    "none": (run) => run.c === null,
  };
  let sort = "-created";
  let page = 0;
  let shown = runs;

  const matches = (wanted) => {
    const words = fold(wanted.q).split(/\s+/).filter(Boolean);
    const test = scoreTests[wanted.score];
    return (run) => words.every((word) => run.text.includes(word))
      && (!wanted.status || run.status === wanted.status)
      && (!wanted.class || (wanted.class === "-" ? !run.class : run.class === wanted.class))
      && (!wanted.review || (wanted.review === "-" ? !run.review : run.review === wanted.review))
      && (!test || test(run))
      && (!wanted.from || run.created.slice(0, 10) >= wanted.from)
      && (!wanted.to || run.created.slice(0, 10) <= wanted.to);
  };

  // What is unknown comes last, whichever way the rest is sorted.
  const comparison = () => {
    const field = sort.replace(/^-/, "");
    const sign = sort.startsWith("-") ? -1 : 1;
    const unknown = (value) => value === null || value === "";
    return (left, right) => {
      const [a, b] = [left[field], right[field]];
      if (unknown(a) || unknown(b)) return unknown(a) - unknown(b) || (left.id < right.id ? 1 : -1);
      const order = typeof a === "number" ? a - b : collator.compare(a, b);
      return sign * order || (left.id < right.id ? 1 : -1);
    };
  };

  const wanted = () => Object.fromEntries(new FormData(form));

  const figure = (value) => value === null ? "–" : value === 0 || value === 1 ? String(value) : value.toFixed(2);
  const drawRow = (run) => {
    const row = byId("row").content.firstElementChild.cloneNode(true);
    const cell = (name) => row.querySelector(`[data-cell="${name}"]`);
    const badge = (name, text, style) => {
      cell(name).textContent = text;
      // A record may hold any text as its status; only a plain word is a style.
      if (text && /^[\w-]+$/.test(style)) cell(name).classList.add(style);
    };
    row.querySelector("a").href = `runs/${run.id}.html`;
    row.querySelector("a").textContent = run.question;
    cell("short").textContent = run.short || "no short answer";
    badge("status", run.status.replaceAll("_", " "), run.status);
    badge("class", (run.class || "").replaceAll("_", " "), "class");
    badge("review", { accept: "accepted", reject: "rejected" }[run.review] || "", run.review);
    for (const name of ["c", "e", "d"]) {
      cell(name).textContent = figure(run[name]);
      if (run[name] === 0) cell(name).classList.add("none");
      if (run[name] === null) cell(name).classList.add("unknown");
    }
    cell("created").dateTime = run.created;
    cell("created").textContent = run.created.slice(0, 16).replace("T", " ");
    return row;
  };

  const draw = () => {
    const pages = Math.max(1, Math.ceil(shown.length / perPage));
    page = Math.min(Math.max(page, 0), pages - 1);
    byId("rows").replaceChildren(...shown.slice(page * perPage, (page + 1) * perPage).map(drawRow));
    byId("matches").textContent = shown.length === runs.length
      ? `${runs.length} ${runs.length === 1 ? "run" : "runs"}`
      : `${shown.length} of ${runs.length} runs`;
    byId("empty").hidden = shown.length > 0;
    byId("table").hidden = shown.length === 0;
    byId("pages").hidden = pages === 1;
    byId("page").textContent = `Page ${page + 1} of ${pages}`;
    byId("previous").disabled = page === 0;
    byId("next").disabled = page === pages - 1;
    for (const head of document.querySelectorAll("th[data-sort]")) {
      const order = { [head.dataset.sort]: "ascending", [`-${head.dataset.sort}`]: "descending" }[sort];
      if (order) head.setAttribute("aria-sort", order); else head.removeAttribute("aria-sort");
    }
    form.elements.sort.value = sort;
  };

  // The address keeps what is shown, so that "back" from a run leads to the same list.
  const remember = () => {
    const state = new URLSearchParams(Object.entries(wanted()).filter(([name, value]) => value && name !== "sort"));
    if (sort !== "-created") state.set("sort", sort);
    if (page) state.set("page", page + 1);
    const hash = state.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  };

  const update = (at = 0) => {
    page = at;
    shown = runs.filter(matches(wanted())).sort(comparison());
    draw();
    remember();
  };

  const recall = () => {
    const toSearch = location.hash === "#search";
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of state) if (form.elements[name]) form.elements[name].value = value;
    const field = (state.get("sort") || "").replace(/^-/, "");
    if (fields.includes(field)) sort = state.get("sort");
    update(Number(state.get("page") || 1) - 1 || 0);
    if (toSearch) form.elements.q.focus();
  };

  let waiting = 0;
  form.elements.q.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(update, 120); });
  form.addEventListener("change", (event) => {
    // The search was drawn while typing; drawn again on leaving the field, it would swallow a click on a run.
    if (event.target.name === "q") return;
    if (event.target.name === "sort") sort = event.target.value;
    update();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); update(); });
  byId("clear").addEventListener("click", () => { form.reset(); sort = "-created"; update(); });
  for (const head of document.querySelectorAll("th[data-sort]")) {
    head.querySelector("button").addEventListener("click", () => {
      const field = head.dataset.sort;
      sort = sort === head.dataset.first ? (sort.startsWith("-") ? field : `-${field}`) : head.dataset.first;
      update();
    });
  }
  const turn = (by) => { update(page + by); byId("matches").scrollIntoView({ block: "nearest" }); };
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("rows").addEventListener("click", (event) => {
    if (event.target.closest("a")) window.pinakes.keepList(shown.map((run) => run.id));
  });

  const move = (by) => {
    const links = [...byId("rows").querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const link = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
    if (link) link.focus();
  };
  window.pinakes.keys({
    "j": () => move(1),
    "k": () => move(-1),
    "n": () => { if (!byId("next").disabled) turn(1); },
    "p": () => { if (!byId("previous").disabled) turn(-1); },
    "/": () => { form.elements.q.focus(); form.elements.q.select(); },
  });

  form.hidden = false;
  recall();
  // On a phone the filters are folded, unless one is set.
  byId("more").open = matchMedia("(min-width: 56.01rem)").matches || location.hash.length > 1;
})();
