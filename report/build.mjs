// SPDX-License-Identifier: MIT
// Bundles the page into one HTML text, and that into a C++ source:  node build.mjs OUT.cpp
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
  });
  return result.outputFiles[0].text.trim();
};

// Inside a script element only its own end would be markup.
const script = (await bundled("main.ts")).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = await bundled("style.css");
const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script);

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
