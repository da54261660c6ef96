/** A reporter of vitest: names the files whose tests took longest. */

const MOST = 15;

export default class {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { name: module.relativeModuleId, seconds: (collectDuration + duration) / 1000 };
    });
    files.sort((one, other) => other.seconds - one.seconds);
    console.log('\nTook longest:');
    for (const { name, seconds } of files.slice(0, MOST))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  }
}
