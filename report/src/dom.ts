// SPDX-License-Identifier: MIT
// Elements from data. Text always becomes text nodes: nothing here parses markup.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A select element with the given options. */
export function select(label: string, options: [string, string][], change: (value: string) => void): HTMLLabelElement {
  return h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h(
      "select",
      { change: (event) => change((event.target as HTMLSelectElement).value) },
      ...options.map(([value, text]) => h("option", { value }, text)),
    ),
  );
}
