// Build the pages' scripts and style sheets into dist/, one folder a renderer.
import { build } from "esbuild";
import { rm } from "node:fs/promises";
import { writeNotices } from "./notices.mjs";

// Libraries name icons for buttons that forms never show; they are left out (300 MB of files).
const noIcons = {
  name: "no-icons",
  setup(builder) {
    const filter = /^(@react-icons\/all-files|@mui\/icons-material)\//;
    builder.onResolve({ filter }, ({ path }) => ({ path, namespace: "no-icons" }));
    builder.onLoad({ filter, namespace: "no-icons" }, ({ path }) => {
      const name = path.split("/").at(-1);
      return { contents: `export const ${name} = () => null;\nexport default ${name};` };
    });
  },
};

await rm("dist", { recursive: true, force: true });

const common = {
  bundle: true,
  metafile: true,
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
  plugins: [noIcons],
  alias: { "@rjsf/validator-ajv8": "./src/no-validator.js" },
};

const entries = {
  surveyjs: { surveyjs: "src/surveyjs.js" },
  rjsf: {
    rjsf: "src/rjsf.jsx",
    "themes/core": "src/themes/core.css",
    "themes/bootstrap": "src/themes/bootstrap.css",
    "themes/bootstrap-rtl": "src/themes/bootstrap-rtl.css",
    "themes/mui": "src/themes/mui.css",
    "themes/antd": "src/themes/antd.css",
  },
};
const metafiles = [];
for (const [name, entryPoints] of Object.entries(entries)) {
  const built = await build({ ...common, entryPoints, outdir: `dist/${name}` });
  metafiles.push(built.metafile);
}
await writeNotices(metafiles, "dist");
