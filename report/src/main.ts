// SPDX-License-Identifier: MIT
import { Data, parse } from "./data";
import { h } from "./dom";
import { explorer } from "./explorer";
import { patterns } from "./patterns";
import { story } from "./story";
import { summary } from "./summary";
import { facts, training } from "./training";

/** Light, dark, or as the system says; kept for this page alone. */
function themeButton(): HTMLElement {
  const order = ["auto", "light", "dark"];
  let at = 0;
  const button = h("button", { class: "theme" });
  const apply = (): void => {
    if (order[at] === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", order[at]);
    button.textContent = `Theme: ${order[at]}`;
  };
  button.addEventListener("click", () => {
    at = (at + 1) % order.length;
    apply();
  });
  apply();
  return button;
}

function start(): void {
  const data = new Data(parse(document.getElementById("report-data")!.textContent!));
  const { report } = data;
  const name = report.data.source || "examples";
  document.title = `${name} – shapeboost report`;
  const examples = explorer(data);
  const sections = [
    summary(data, (label, predicted) => examples.filter(label, predicted)),
    story(data),
    patterns(data, (hypothesis) => examples.byPattern(hypothesis)),
    examples.section,
    training(data),
    facts(data),
  ].filter((section): section is HTMLElement => section !== null);
  document.getElementById("app")!.replaceChildren(
    h("header", { class: "top" }, h("div", {}, h("p", { class: "brand" }, "shapeboost report"), h("h1", {}, name)), h("div", { class: "tools" }, themeButton(), h("button", { click: () => window.print() }, "Print"))),
    h(
      "nav",
      { "aria-label": "sections" },
      ...sections.map((section) => h("a", { href: `#${section.id}` }, section.querySelector("h2")!.textContent!.replace(/^The ./, (words) => words[4].toUpperCase()))),
    ),
    h("main", { id: "main", tabindex: "-1" }, ...sections),
    h("footer", {}, `Made by shapeboost ${report.shapeboost}. This page holds all it shows and asks for nothing from the network.`),
  );
  if (data.count > 0) examples.open(0);
  // The chosen example is drawn once for the width it has; another width wants another drawing.
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (Math.abs(window.innerWidth - width) < 10) return;
    width = window.innerWidth;
    const chosen = examples.section.querySelector('[aria-selected="true"]');
    if (chosen) examples.open(Number(chosen.getAttribute("data-example")));
  });
  document.documentElement.setAttribute("data-ready", "");
}

try {
  start();
} catch (fault) {
  document.getElementById("app")!.replaceChildren(h("p", { role: "alert" }, `The report could not be shown: ${String(fault)}`));
  throw fault;
}
