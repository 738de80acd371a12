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
  const cellsOf = (table) => [...table.rows].map((row) => [...row.cells]);
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
  const onDemand = (figure, group, draw) => {
    const given = data(figure.id);
    const at = (choice) => {
      const one = given.measures.find((measure) => measure.name === choice);
      if (!one) return;
      figure.querySelector(".readout").textContent = "";
      for (const name of all(".chosen", figure)) name.textContent = one.note ? `${choice} (${one.note})` : choice;
      draw(figure, one, given);
    };
    (drawn[group] ??= []).push(at);
    at(given.measures[0].name);
  };
  const plain = (value, digits) => value.toFixed(digits).replace("-", "−");
  const heat = (figure, one, given) => {
    const values = one.values.flat().filter((value) => value !== null);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const names = one.rows.map((row) => given.names[row]);
    const topics = one.topics.map((topic) => given.topics[topic]);
    const short = (value) => plain(value, Math.min(2, one.digits)).replace(/^(−?)0\./, "$1.");
    grid(figure, {
      kind: given.kind,
      heads: topics,
      rows: names,
      cell: (row, column) => {
        const value = one.values[row][column];
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
        const code = one.found[a][b - a - 1]; // 0: none, 1: Tukey, 2: Nemenyi, 3: both
        const by = ["", "Tukey’s test", "Nemenyi’s test only", "Tukey’s and Nemenyi’s tests"][code];
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

  const begun = new Set(); // the first list of a group says where to begin
  for (const select of all("select[data-group]")) {
    if (!begun.has(select.dataset.group)) choose(select.dataset.group, select.value);
    begun.add(select.dataset.group);
  }
  document.documentElement.classList.add("js");
})();
