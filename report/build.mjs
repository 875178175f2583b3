// SPDX-License-Identifier: MIT
// Bundles the page into one HTML text, and that into a C++ source:  node build.mjs OUT.cpp
// node build.mjs --licences  writes what the licences of all that is bundled want said, as it stands at the page's end.
// The page's policy allows its own script and nothing else: no network, no other code.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const bundled = async (entry) => {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    metafile: true,
  });
  return { text: result.outputFiles[0].text.trim(), inputs: Object.keys(result.metafile.inputs) };
};

const copyrighted = /^\s*copyright (\(c\)|©|\d)/i;

/** Copyrights of the packages that the inputs belong to, under each text that permits their use. */
function licences(inputs) {
  const packages = new Set(inputs.map((input) => input.match(/.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/)).filter(Boolean).map((found) => found[0]));
  const texts = new Map();
  for (const folder of [...packages].sort()) {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const lines = readFileSync(join(folder, "LICENSE"), "utf8").replaceAll("\r", "").split("\n");
    const copyright = lines.filter((line) => copyrighted.test(line)).map((line) => line.trim());
    const permission = lines.filter((line) => !copyrighted.test(line) && !/^(# )?((the )?(isc|mit) )?license( \(mit\))?$/i.test(line)).join("\n").replace(/[ \t]+/g, " ").replace(/(\S)\n(?=\S)/g, "$1 ").trim();
    texts.set(permission, [...(texts.get(permission) ?? []), `${name} ${version}: ${copyright.join("; ") || "no copyright claimed"}`]);
  }
  return [...texts].map(([permission, names]) => `${names.join("\n")}\n\n${permission}\n`).join("\n----\n\n");
}

// Inside a script element only its own end would be markup.
const code = await bundled("main.ts");
const notice = licences(code.inputs);
if (process.argv[2] === "--licences") {
  process.stdout.write(notice);
  process.exit();
}
if (notice.includes("--" + ">")) throw new Error("a licence's text ends the comment that it stands in");
const script = code.text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = (await bundled("style.css")).text;
const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script)
  .concat(`<!-- This page holds code of others:\n\n${notice}-->\n`);

// Pieces, for compilers that bound the length of a literal.
const pieces = [];
for (let k = 0; k < page.length; k += 8000) pieces.push(`R"PAGE(${page.slice(k, k + 8000)})PAGE"`);
if (pieces.some((piece) => piece.slice(7, -6).includes(')PAGE"'))) throw new Error("the page holds the delimiter of its literal");
const out = process.argv[2];
mkdirSync(dirname(out), { recursive: true });
writeFileSync(
  out,
  `// Made from report/ by build.mjs.
#include <string_view>

namespace shapeboost::detail {

std::string_view report_template();

std::string_view report_template() {
  static const char kPage[] =
      ${pieces.join("\n      ")};
  return {kPage, sizeof kPage - 1};
}

}  // namespace shapeboost::detail
`,
);
