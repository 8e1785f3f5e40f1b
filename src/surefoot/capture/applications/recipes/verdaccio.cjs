// Serves Verdaccio on 127.0.0.1, each page in the language that its request asks for.
"use strict";

const { runServer } = require("verdaccio");
const page = require("@verdaccio/middleware/build/middlewares/web/utils/renderHTML.js");

const [folder, port] = process.argv.slice(2);
const LANGUAGES = { en: "en-US", fr: "fr-FR", ru: "ru-RU", zh: "zh-CN" };

const config = {
  self_path: `${folder}/config.yaml`,
  storage: `${folder}/storage`,
  auth: { htpasswd: { file: `${folder}/htpasswd`, max_users: -1 } },
  uplinks: {},
  packages: { "**": { access: "$all", publish: "$authenticated" } },
  web: { title: "North Quay", gravatar: false },
  log: { type: "stdout", format: "pretty", level: "error" },
};

// The language is a setting of the server, and is read where a page is made.
const render = page.default;
page.default = (settings, ...given) => {
  const accepted = given[2].headers["accept-language"] ?? "";
  const web = LANGUAGES[accepted.slice(0, 2)] ?? LANGUAGES.en;
  return render(Object.create(settings, { i18n: { value: { web } } }), ...given);
};

runServer(config).then((server) => server.listen(Number(port), "127.0.0.1"));
