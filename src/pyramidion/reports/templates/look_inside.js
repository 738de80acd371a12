/* Summaries side by side: for any topic and any two peers, builds what look_inside.html shows for one choice. Text from the data
   only ever becomes text nodes. Places are code points in runs: gap, length, gap, length … */
(function () {
  "use strict";

  const root = document.querySelector(".look");
  const source = root && document.getElementById(root.id + "-data");
  if (!source) return;
  const LONG = 2500; // from so many characters on, a text scrolls by itself
  const data = JSON.parse(source.textContent);
  const part = (name) => document.getElementById(root.id + "-" + name);
  const topicChoice = part("topic");
  const peerChoices = [part("peer-1"), part("peer-2")].filter(Boolean);
  const view = part("view");
  let held = null; // the SCU that stays lit

  function make(tag, properties, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function spans(runs) {
    const found = [];
    for (let i = 0, at = 0; i < runs.length; i += 2) {
      const start = at + runs[i];
      at = start + runs[i + 1];
      found.push([start, at]);
    }
    return found;
  }

  /* Cuts a text wherever something begins or ends: how many texts match a piece, and which SCUs it expresses. */
  function pieces(side, matches) {
    const letters = Array.from(side.text);
    const events = new Map([[0, []], [letters.length, []]]);
    const note = (place, change) => {
      const at = Math.min(place, letters.length);
      if (!events.has(at)) events.set(at, []);
      events.get(at).push(change);
    };
    const mark = (runs, scu) => {
      for (const [start, end] of spans(runs)) {
        note(start, [1, scu]);
        note(end, [-1, scu]);
      }
    };
    matches.forEach((runs) => mark(runs, null));
    side.scus.forEach(([scu, runs]) => mark(runs, scu));
    const places = [...events.keys()].sort((a, b) => a - b);
    const scus = new Set();
    let level = 0;
    return places.slice(0, -1).map((place, i) => {
      for (const [step, scu] of events.get(place)) {
        if (scu === null) level += step;
        else if (step > 0) scus.add(scu);
        else scus.delete(scu);
      }
      return { text: letters.slice(place, places[i + 1]).join(""), level, scus: [...scus].sort((a, b) => a - b) };
    });
  }

  function showText(side, matches, scus) {
    const text = make("p", { class: "look-text", dir: "auto" });
    if (side.text.length > LONG) {
      text.classList.add("look-long");
      text.tabIndex = 0;
      text.setAttribute("role", "region");
      text.setAttribute("aria-label", "Text of " + side.name);
    }
    for (const piece of pieces(side, matches)) {
      if (!piece.level && !piece.scus.length) {
        text.append(piece.text);
        continue;
      }
      const shown = make("span", {}, piece.text);
      if (piece.level) shown.classList.add("look-match", "look-" + Math.min(piece.level, 4));
      if (piece.scus.length) {
        shown.classList.add("look-scu");
        shown.dataset.scus = piece.scus.join(" ");
        shown.title = piece.scus.map((at) => scus[at][1] + " (weight " + scus[at][0] + ")").join("; ");
      }
      text.append(shown);
    }
    return text;
  }

  function showSide(side, kind, matches, scus, other) {
    const more = other ? side.words - other.words : 0;
    const than = more ? " (" + Math.abs(more) + (more > 0 ? " more" : " fewer") + " than the other)" : "";
    const words = side.words + (side.words === 1 ? " word" : " words") + than + (side.cut ? ", cut" : "");
    const reasons = (side.reasons || []).map(([who, reason]) =>
      make("p", { class: "look-reason", dir: "auto" }, make("b", {}, who + ":"), " " + reason),
    );
    return make(
      "article", { class: "look-side" },
      make("h3", {}, side.name), make("p", { class: "look-kind" }, kind + ", " + words), showText(side, matches, scus), ...reasons,
    );
  }

  /* What was summarized, folded. */
  function showSource(source) {
    const documents = source.documents + (source.documents === 1 ? " document" : " documents");
    const title = "Source (" + documents + ", " + source.words + " words" + (source.cut ? ", cut" : "") + ")";
    const text = make("p", { class: "look-original look-long", dir: "auto", tabindex: "0", role: "region", "aria-label": "Source" }, source.text);
    return make("details", { class: "look-source" }, make("summary", {}, title), text);
  }

  function showTable(title, heads, rows) {
    const body = make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row)));
    const table = make(
      "table", {}, make("caption", {}, title),
      make("thead", {}, make("tr", {}, ...heads.map(([head, kind]) => make("th", { scope: "col", class: kind }, head)))), body,
    );
    return make("div", { class: "look-box", role: "region", tabindex: "0", "aria-label": title }, table);
  }

  function showScores(peers) {
    const rows = data.measures.map(([name, digits], at) => [
      make("th", { scope: "row" }, name),
      ...peers.map((peer) => {
        const value = peer.scores[at];
        return make("td", { class: "r" }, value === null || value === undefined ? "–" : value.toFixed(digits));
      }),
    ]);
    return showTable("Scores on this topic", [["measure", ""], ...peers.map((peer) => [peer.name, "r"])], rows);
  }

  function showScus(scus, peers) {
    const has = peers.map((peer) => new Set(peer.scus.map(([at]) => at)));
    const rows = scus.map(([weight, label], at) => {
      const button = make("button", { type: "button", "aria-pressed": "false", "data-scu": at }, label);
      return [
        make("td", { class: "r" }, String(weight)),
        make("th", { scope: "row" }, button),
        ...has.map((found) => make("td", {}, found.has(at) ? "yes" : "–")),
      ];
    });
    const heads = [["weight", "r"], ["SCU", ""], ...peers.map((peer) => [peer.name, ""])];
    return showTable("SCUs of the pyramid, and who expresses them", heads, rows);
  }

  /* Lights all places of some SCUs, and their rows in the list. */
  function light(scus) {
    const wanted = new Set(scus.map(String));
    for (const place of view.querySelectorAll("[data-scus]")) {
      place.classList.toggle("look-lit", place.dataset.scus.split(" ").some((at) => wanted.has(at)));
    }
    for (const button of view.querySelectorAll("[data-scu]")) {
      button.closest("tr").classList.toggle("look-lit", wanted.has(button.dataset.scu));
    }
  }

  function pointed(target) {
    const place = target instanceof Element ? target.closest("[data-scus], [data-scu]") : null;
    if (!place || !view.contains(place)) return held === null ? [] : [held];
    return place.dataset.scu !== undefined ? [place.dataset.scu] : place.dataset.scus.split(" ");
  }

  function hold(button) {
    held = held === button.dataset.scu ? null : button.dataset.scu;
    for (const other of view.querySelectorAll("[data-scu]")) {
      other.setAttribute("aria-pressed", String(other.dataset.scu === held));
    }
    light(held === null ? [] : [held]);
  }

  function show() {
    const topic = data.topics[Number(topicChoice.value)];
    const peers = peerChoices.map((choice) => topic.peers[Number(choice.value)]).filter(Boolean);
    held = null;
    const title = topic.id + (topic.title ? ": " + topic.title : "");
    part("why").replaceChildren(make("b", {}, title), ": " + topic.why + ".");
    const sides = peers.map((peer, at) => showSide(peer, "summary", peer.matched, topic.scus, peers[1 - at]));
    const facts = make("div", { class: "look-facts" }, showScores(peers));
    if (topic.scus.length) facts.append(showScus(topic.scus, peers));
    const models = topic.models.map((model, at) =>
      showSide(model, "reference", peers.map((peer) => peer.matching[at]), topic.scus),
    );
    view.replaceChildren(make("div", { class: "look-texts" }, ...sides), facts);
    if (topic.source) view.append(showSource(topic.source));
    if (models.length) view.append(make("div", { class: "look-texts look-models" }, ...models));
  }

  /* Topics where each summary is furthest ahead of the other by the first measure: one click shows them. */
  const MOST = 8;
  const LONGEST_ID = 20;
  const short = (id) => (id.length > LONGEST_ID ? id.slice(0, LONGEST_ID - 5) + "…" : id);
  let filter = "";
  function differences(names) {
    const found = [];
    data.topics.forEach((topic, at) => {
      if (filter && !topic.attributes.includes(filter)) return;
      const [first, second] = names.map((name) => topic.peers.find((peer) => peer.name === name));
      const values = [first, second].map((peer) => (peer && peer.scores.length ? peer.scores[0] : null));
      if (values.includes(null) || values.includes(undefined)) return;
      const lead = (values[0] - values[1]) * (data.higher ? 1 : -1);
      if (lead) found.push({ at, topic, lead });
    });
    return found;
  }
  function showLosses() {
    const names = peerChoices.map((choice) => choice.selectedOptions[0] && choice.selectedOptions[0].textContent);
    const two = names.length === 2 && names[0] !== names[1];
    const found = two ? differences(names) : [];
    const [name, digits] = data.measures[0];
    const lines = (two ? [1, -1] : []).map((side, place) => {
      const ahead = found.filter((one) => one.lead * side > 0);
      ahead.sort((a, b) => (b.lead - a.lead) * side || a.at - b.at);
      const many = ahead.length > MOST ? " (" + MOST + " of " + ahead.length + " topics)" : "";
      const says = ahead.length
        ? names[place] + " is furthest ahead on " + name + many + ": "
        : names[place] + " is ahead on none of these topics.";
      const buttons = ahead.slice(0, MOST).map(({ at, topic, lead }) => {
        const shown = short(topic.id) + " (+" + Math.abs(lead).toFixed(digits) + ")";
        const button = make("button", { type: "button", class: "button", "data-topic": at }, shown);
        button.title = topic.id + (topic.title ? ": " + topic.title : "");
        return button;
      });
      return make("p", {}, says, ...buttons);
    });
    part("losses").replaceChildren(...lines);
  }

  function offerTopics() {
    const before = topicChoice.value;
    const kept = data.topics.map((topic, at) => at).filter((at) => !filter || data.topics[at].attributes.includes(filter));
    topicChoice.replaceChildren(...kept.map((at) => {
      const topic = data.topics[at];
      return make("option", { value: at }, topic.id + (topic.title ? ": " + topic.title : ""));
    }));
    topicChoice.value = kept.includes(Number(before)) ? before : String(kept[0] ?? before);
  }

  /* Peers of the chosen topic; who was chosen before stays chosen where there is a summary by the same name. */
  function offerPeers() {
    const topic = data.topics[Number(topicChoice.value)];
    peerChoices.forEach((choice, at) => {
      const before = choice.selectedOptions[0] ? choice.selectedOptions[0].textContent : "";
      choice.replaceChildren(...topic.peers.map((peer, i) => make("option", { value: i }, peer.name)));
      const same = topic.peers.findIndex((peer) => peer.name === before);
      choice.value = String(same >= 0 ? same : Math.min(at, topic.peers.length - 1));
    });
  }

  const startNames = data.start.slice(1).map((peer) => data.topics[data.start[0]].peers[peer].name);
  function choosePeer(choice, name) {
    const option = [...choice.options].find((one) => one.textContent === name);
    if (option) choice.value = option.value;
  }

  topicChoice.addEventListener("change", () => {
    offerPeers();
    show();
  });
  peerChoices.forEach((choice) => choice.addEventListener("change", () => {
    show();
    showLosses();
  }));
  part("losses").addEventListener("click", (event) => {
    const button = event.target.closest("[data-topic]");
    if (!button) return;
    topicChoice.value = button.dataset.topic;
    offerPeers();
    show();
  });
  /* Each topic of the list of all topics leads to its texts. */
  const placeOf = new Map(data.topics.map((topic, at) => [topic.id, at]));
  for (const row of document.querySelectorAll("#look-inside-topics tbody tr")) {
    const cell = row.cells[0];
    const at = placeOf.get(cell.textContent.trim());
    if (at === undefined) continue;
    cell.dataset.value = cell.textContent.trim();
    cell.replaceChildren(make("button", { type: "button", class: "look-open" }, cell.textContent.trim()));
    cell.firstChild.addEventListener("click", () => {
      topicChoice.value = String(at);
      offerPeers();
      data.start.slice(1).forEach((peer, place) => { if (peerChoices[place]) choosePeer(peerChoices[place], startNames[place]); });
      show();
      showLosses();
      part("why").scrollIntoView();
    });
  }
  window.dispatchEvent(new CustomEvent("pyramidion-filter", { detail: (chosen) => {
    filter = chosen;
    offerTopics();
    offerPeers();
    show();
    showLosses();
  } }));
  view.addEventListener("mouseover", (event) => light(pointed(event.target)));
  view.addEventListener("mouseleave", () => light(pointed(document.activeElement)));
  view.addEventListener("focusin", (event) => light(pointed(event.target)));
  view.addEventListener("click", (event) => {
    const button = event.target.closest("[data-scu]");
    if (button) hold(button);
  });
  show();
  showLosses();
})();
