/** Loaded before a program of Node: it believes that so many days more have passed as `DAYS_LATER` says. */

const Real = Date;
const ahead = Number(process.env['DAYS_LATER']) * 86_400_000;
const now = () => Real.now() + ahead;

globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (_, args, target) => Reflect.construct(Real, args.length === 0 ? [now()] : args, target),
  get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
});
