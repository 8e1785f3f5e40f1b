// Build the pages' scripts and style sheets into dist/, one folder a renderer.
import { build } from "esbuild";
import { rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });

const common = {
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true,
  target: "chrome120",
  charset: "utf8",
  legalComments: "linked",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".woff": "file", ".woff2": "file", ".svg": "dataurl" },
  logLevel: "warning",
  alias: { "@rjsf/validator-ajv8": "./src/no-validator.js" },
};

const entries = {
  surveyjs: { surveyjs: "src/surveyjs.js" },
  rjsf: {
    rjsf: "src/rjsf.jsx",
    "themes/core": "src/themes/core.css",
    "themes/bootstrap": "src/themes/bootstrap.css",
    "themes/mui": "src/themes/mui.css",
    "themes/antd": "src/themes/antd.css",
  },
};
for (const [name, entryPoints] of Object.entries(entries)) {
  await build({ ...common, entryPoints, outdir: `dist/${name}` });
}
