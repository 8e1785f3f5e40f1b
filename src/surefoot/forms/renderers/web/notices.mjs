// What the bundles are made of: the licences' texts (dist/NOTICE.txt) and a bill of materials
// (dist/sbom.json, CycloneDX 1.6), with the versions and hashes of the lock file.
import { readFile, readdir, writeFile } from "node:fs/promises";

const TEXTS = /^(licen[cs]e|notice|copying|copyright)/i;
// Where a package has no text of its own: the licence itself stands behind the list.
const BELOW = "its package holds no text; that of its licence stands at the end";

// The packages whose files are in a bundle, by their folders: of nested ones the inner.
function bundled(metafiles) {
  const places = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const place = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
        if (place && bytesInOutput > 0) places.add(place[1]);
      }
    }
  }
  return [...places].sort();
}

async function textsOf(place) {
  const names = (await readdir(place)).filter((name) => TEXTS.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(`${place}/${name}`, "utf8")));
  return texts.map((text) => text.trim()).join("\n\n");
}

async function describe(place, lock) {
  const { version, license, integrity } = lock.packages[place];
  const name = place.split("node_modules/").at(-1);
  if (!license) throw new Error(`the lock file names no licence of ${name}`);
  return { name, version, license, integrity, text: await textsOf(place) };
}

function component({ name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  const hashes = [{ alg: "SHA-512", content }];
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: [{ license: { name: license } }], hashes };
}

export async function writeNotices(metafiles, folder) {
  const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
  const packages = await Promise.all(bundled(metafiles).map((place) => describe(place, lock)));
  const parts = packages.map(({ name, version, license, text }) =>
    `${name} ${version}, ${license}\n\n${text || BELOW}`);
  // The licences that a package names without their text, as another package spells them.
  const named = new Set(packages.filter(({ text }) => !text).map(({ license }) => license));
  for (const license of [...named].sort()) {
    const other = packages.find((one) => one.license === license && one.text);
    if (!other) throw new Error(`no package holds the text of the licence ${license}`);
    const text = other.text.replace(/^.*copyright \(c\).*$/gim, "Copyright (c) the authors of each package");
    parts.push(`${license}, for packages without a text of their own\n\n${text}`);
  }
  const head = "The scripts and style sheets in this folder hold parts of these packages.";
  const line = `\n\n${"-".repeat(72)}\n\n`;
  await writeFile(`${folder}/NOTICE.txt`, `${[head, ...parts].join(line)}\n`);
  const bill = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components: packages.map(component) };
  await writeFile(`${folder}/sbom.json`, `${JSON.stringify(bill, null, 1)}\n`);
}
