/* The page's script: sorting, choosing, saving, and what is drawn on demand. Text goes in as text, never as markup. */
(() => {
  "use strict";
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const make = (name, text, classes) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (classes) element.className = classes;
    return element;
  };
  const say = (text) => { document.getElementById("said").textContent = text; };
  const data = (id) => JSON.parse(document.getElementById(id + "-data").textContent);

  /* Sorting. */
  const valueOf = (cell) => cell.dataset.value ?? cell.textContent.replaceAll("\u00a0", " ").trim();
  const numberOf = (text) => (text === "" ? NaN : Number(text.replace("−", "-")));
  const sort = (table, column, direction) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => {
      const text = valueOf(row.cells[column]);
      return { row, place, text, number: numberOf(text), empty: text === "–" || text === "" };
    });
    const numeric = rows.every((one) => one.empty || !Number.isNaN(one.number));
    rows.sort((a, b) => {
      if (a.empty !== b.empty) return a.empty ? 1 : -1; // what is missing stays below
      const order = numeric ? a.number - b.number : a.text.localeCompare(b.text, undefined, { numeric: true });
      return (a.empty ? 0 : order * direction) || a.place - b.place;
    });
    body.append(...rows.map((one) => one.row));
  };
  for (const table of all("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.tagName !== "TH") return;
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const first = head.classList.contains("r") ? "descending" : "ascending";
        const next = head.getAttribute("aria-sort") === first ? (first === "ascending" ? "descending" : "ascending") : first;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", next);
        sort(table, column, next === "ascending" ? 1 : -1);
        say(`sorted by ${button.textContent}, ${next}`);
      });
    });
  }

  /* Choosing: what is of one group changes together everywhere. */
  const drawn = {};
  const choose = (group, choice) => {
    for (const select of all("select[data-group]")) {
      if (select.dataset.group === group && [...select.options].some((option) => option.value === choice)) {
        select.value = choice;
      }
    }
    for (const chooser of all(".chooser")) {
      const choices = [...chooser.children].filter((one) => one.dataset.group === group);
      if (choices.some((one) => one.dataset.choice === choice)) {
        for (const one of choices) one.hidden = one.dataset.choice !== choice;
      }
    }
    for (const draw of drawn[group] ?? []) draw(choice);
  };
  document.addEventListener("change", (event) => {
    const group = event.target.dataset?.group;
    if (group) choose(group, event.target.value);
  });

  /* Saving. */
  const save = (name, blob) => {
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`saved ${name}`);
  };
  const cellsOf = (table) => [...table.rows].map((row) => [...row.cells].filter((cell) => !cell.classList.contains("plot")));
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const unspread = (text) => (/^[=+@\t-]/.test(text) && Number.isNaN(numberOf(text)) ? `'${text}` : text); // no formulas
  const csv = (table) =>
    cellsOf(table).map((row) => row.map((cell) => quoted(unspread(valueOf(cell).replace(/^–$/, "")))).join(",")).join("\n") + "\n";
  const TEX = {
    "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}", "\\": "\\textbackslash{}", "–": "--", "−": "$-$", "’": "'", "…": "\\ldots{}",
    "×": "$\\times$", "±": "$\\pm$", "≥": "$\\geq$", "≤": "$\\leq$", "²": "$^2$", "α": "$\\alpha$", "β": "$\\beta$",
    "ρ": "$\\rho$", "τ": "$\\tau$", "χ": "$\\chi$", "½": "$\\frac{1}{2}$", "\u00a0": "~",
  };
  const tex = (text) => [...text.trim()].map((character) => TEX[character] ?? character).join("");
  const latex = (table, caption) => {
    const rows = cellsOf(table);
    const line = (row) => row.map((cell) => tex(cell.textContent)).join(" & ") + " \\\\";
    const columns = rows[0].map((cell) => (cell.classList.contains("r") ? "r" : "l")).join("");
    return [
      "\\begin{table}", `\\caption{${tex(caption)}}`, `\\begin{tabular}{${columns}}`, "\\hline", line(rows[0]), "\\hline",
      ...rows.slice(1).map(line), "\\hline", "\\end{tabular}", "\\end{table}", "",
    ].join("\n");
  };
  const svgOf = (figure) => {
    const copy = figure.querySelector("svg").cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  };
  const png = (figure, name) => {
    const { width, height } = figure.querySelector("svg").viewBox.baseVal;
    const image = new Image();
    image.addEventListener("load", () => {
      const canvas = make("canvas");
      [canvas.width, canvas.height] = [width * 2, height * 2];
      const context = canvas.getContext("2d");
      context.fillStyle = "white";
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(name, blob), "image/png");
    });
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgOf(figure));
  };
  document.addEventListener("click", (event) => {
    const kind = event.target.dataset?.save;
    if (!kind) return;
    const figure = event.target.closest("figure");
    const table = figure.querySelector("table");
    const caption = figure.querySelector("figcaption > span").textContent;
    const text = (content, type) => new Blob([content], { type: `${type};charset=utf-8` });
    if (kind === "csv") save(`${figure.id}.csv`, text("\ufeff" + csv(table), "text/csv"));
    if (kind === "latex") save(`${figure.id}.tex`, text(latex(table, caption), "text/x-tex"));
    if (kind === "svg") save(`${figure.id}.svg`, text(svgOf(figure), "image/svg+xml"));
    if (kind === "png") png(figure, `${figure.id}.png`);
  });

  /* Tables that are drawn on demand: arrows move from cell to cell, and a line below says what a cell holds. */
  const grid = (figure, { kind, heads, rows, cell }) => {
    const table = figure.querySelector("table");
    const readout = figure.querySelector(".readout");
    const top = make("tr");
    top.append(make("th", kind));
    for (const name of heads) {
      const head = make("th", undefined, heads.length > 6 ? "turned" : "");
      head.scope = "col";
      head.title = name;
      head.append(make("span", name));
      top.append(head);
    }
    top.cells[0].scope = "col";
    const body = make("tbody");
    rows.forEach((name, row) => {
      const line = body.insertRow();
      const head = make("th", name, name.length < 28 ? "short" : "");
      head.scope = "row";
      line.append(head);
      heads.forEach((_, column) => {
        const { text, classes, value } = cell(row, column);
        const one = make("td", text, classes);
        if (value !== undefined) one.dataset.value = value;
        one.tabIndex = row || column ? -1 : 0;
        line.append(one);
      });
    });
    const first = make("thead");
    first.append(top);
    table.replaceChildren(first, body);
    const place = (one) => [one.parentNode.rowIndex - 1, one.cellIndex - 1];
    const tell = (event) => {
      const one = event.target.closest?.("td");
      if (one) readout.textContent = cell(...place(one)).says;
    };
    body.addEventListener("mouseover", tell);
    body.addEventListener("focusin", tell);
    body.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const one = event.target.closest("td");
      if (!step || !one) return;
      const [row, column] = place(one);
      const next = body.rows[row + step[0]]?.cells[column + step[1] + 1];
      event.preventDefault();
      if (!next || next.tagName !== "TD") return;
      one.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  };
  /* Filtering: topics with an attribute; what listens is drawn again. */
  const filtered = [];
  let wanted = "";
  document.addEventListener("change", (event) => {
    if (event.target.dataset?.filter === undefined) return;
    wanted = event.target.value;
    for (const select of all("select[data-filter]")) {
      if ([...select.options].some((option) => option.value === wanted)) select.value = wanted;
    }
    for (const draw of filtered) draw(wanted);
  });
  window.addEventListener("pyramidion-filter", (event) => filtered.push(event.detail));

  const onDemand = (figure, group, draw) => {
    const given = data(figure.id);
    let shown = "";
    const at = (choice) => {
      const one = given.measures.find((measure) => measure.name === choice);
      if (!one) return;
      shown = choice;
      figure.querySelector(".readout").textContent = "";
      for (const name of all(".chosen", figure)) name.textContent = one.note ? `${choice} (${one.note})` : choice;
      draw(figure, one, given);
    };
    (drawn[group] ??= []).push(at);
    if (given.attributes) filtered.push(() => at(shown));
    at(given.measures[0].name);
  };
  const plain = (value, digits) => value.toFixed(digits).replace("-", "−");
  const heat = (figure, one, given) => {
    const values = one.values.flat().filter((value) => value !== null);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity); // too many to be arguments
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const names = one.rows.map((row) => given.names[row]);
    const ends = one.higher ? [low, high] : [high, low];
    [["worst", ends[0]], ["best", ends[1]]].forEach(([word, value]) => {
      figure.querySelector(word === "best" ? ".top" : ".worst").textContent = `${word} (${plain(value, one.digits)})`;
    });
    const kept = one.topics.map((_, place) => place)
      .filter((place) => !wanted || given.attributes[one.topics[place]].includes(wanted));
    const topics = kept.map((place) => given.topics[one.topics[place]]);
    const short = (value) => plain(value, Math.min(2, one.digits)).replace(/^(−?)0\./, "$1.");
    grid(figure, {
      kind: given.kind,
      heads: topics,
      rows: names,
      cell: (row, column) => {
        const value = one.values[row][kept[column]];
        if (value === null) return { text: "–", says: `${names[row]}, ${topics[column]}: no score` };
        const share = high > low ? (value - low) / (high - low) : 0.5;
        const good = one.higher ? share : 1 - share;
        return {
          text: short(value),
          classes: `q${Math.min(8, Math.floor(good * 9))}`,
          value,
          says: `${names[row]}, ${topics[column]}: ${plain(value, one.digits)}`,
        };
      },
    });
  };
  const pairs = (figure, one, given) => {
    const names = one.rows.map((row) => given.names[row]);
    grid(figure, {
      kind: given.kind,
      heads: names,
      rows: names,
      cell: (row, column) => {
        if (row === column) return { text: "", classes: "pair self", says: names[row] };
        const [a, b] = row < column ? [row, column] : [column, row];
        const code = one.found[a][b - a - 1]; // 0: none, 1: the letters’ test, 2: Nemenyi, 3: both
        const by = ["", one.test, "Nemenyi’s test only", `${one.test} and Nemenyi’s test`][code];
        const better = row < column;
        if (code === "0") return { text: "", classes: "pair", says: `${names[row]} and ${names[column]} do not differ significantly` };
        const text = code === "2" ? (better ? "(+)" : "(−)") : better ? "+" : "−";
        return {
          text,
          classes: `pair ${better ? "plus" : "minus"}${code === "3" ? " both" : ""}`,
          says: `${names[row]} is ${better ? "better" : "worse"} than ${names[column]} by ${by}`,
        };
      },
    });
  };
  for (const figure of all("figure[data-draw]")) onDemand(figure, "measure", { heat, pairs }[figure.dataset.draw]);

  /* Folding: a link into a folded part opens it; what is meant for paper is open on paper. */
  const reveal = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let fold = target.querySelector(":scope > details") ?? target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link) setTimeout(() => reveal(link.hash.slice(1)));
    const more = event.target.closest?.("button.more");
    if (!more) return;
    const open = all("tbody.rest", more.closest("figure")).map((rest) => rest.classList.toggle("open"))[0];
    more.setAttribute("aria-expanded", String(open));
    more.textContent = more.textContent.replace(open ? "Show all" : "Show fewer of", open ? "Show fewer of" : "Show all");
  });
  window.addEventListener("hashchange", () => reveal(location.hash.slice(1)));
  if (location.hash) reveal(location.hash.slice(1));
  for (const contents of all("details.contents")) contents.open = matchMedia("(min-width: 70rem)").matches;
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all("details[data-print]:not([open])");
    for (const fold of opened) {
      fold.open = true;
      fold.classList.add("auto");
    }
  });
  window.addEventListener("afterprint", () => {
    for (const fold of opened) {
      fold.open = false;
      fold.classList.remove("auto");
    }
  });

  /* Frames that are wider than the window say that they can be scrolled. */
  const hints = new ResizeObserver((entries) => {
    for (const { target } of entries) target.previousElementSibling.hidden = target.scrollWidth <= target.clientWidth + 1;
  });
  for (const frame of all(".scroll")) {
    const hint = make("p", "Scroll sideways to see more →", "hint");
    hint.setAttribute("aria-hidden", "true");
    hint.hidden = true;
    frame.before(hint);
    hints.observe(frame);
  }

  const begun = new Set(); // the first list of a group says where to begin
  for (const select of all("select[data-group]")) {
    if (!begun.has(select.dataset.group)) choose(select.dataset.group, select.value);
    begun.add(select.dataset.group);
  }
  for (const chooser of all(".chooser")) { // one of a group whose first choice is not among them
    const choices = [...chooser.children].filter((one) => one.dataset.choice !== undefined);
    if (choices.length > 1 && choices.every((one) => !one.hidden)) {
      choices.forEach((one, place) => { one.hidden = place > 0; });
    }
  }
  document.documentElement.classList.add("js");
})();
