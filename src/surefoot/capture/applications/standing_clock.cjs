// Lets a program of Node.js believe that it is one moment, as captured pages do.
// Timers run as ever: they do not ask what time it is.
"use strict";

const moment = Number(process.env.STANDING_CLOCK_MS);
const Real = Date;

globalThis.Date = new Proxy(Real, {
  construct: (target, given, made) => Reflect.construct(target, given.length ? given : [moment], made),
  apply: () => new Real(moment).toString(),
  get: (target, name, receiver) => (name === "now" ? () => moment : Reflect.get(target, name, receiver)),
});
Real.prototype.constructor = globalThis.Date;
