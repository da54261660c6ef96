/** A reporter of vitest: names the files whose tests took longest, and last the tests that failed, each with its first error. */

const MOST = 15;

/** @param {readonly import('vitest/node').SerializedError[]} errors */
const say = (errors) => errors[0]?.message.split('\n').slice(0, 3).join(' | ') ?? '';

export default class {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { name: module.relativeModuleId, seconds: (collectDuration + duration) / 1000 };
    });
    files.sort((one, other) => other.seconds - one.seconds);
    console.log('\nTook longest:');
    for (const { name, seconds } of files.slice(0, MOST))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    for (const module of modules) {
      if (module.errors().length > 0)
        console.log(`FAILED ${module.relativeModuleId}: ${say(module.errors())}`);
      for (const test of module.children.allTests('failed'))
        console.log(
          `FAILED ${module.relativeModuleId} > ${test.fullName}: ${say(test.result().errors ?? [])}`,
        );
    }
    if (unhandled.length > 0) console.log(`FAILED outside of a test: ${say(unhandled)}`);
  }
}
