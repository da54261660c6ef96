/** The look-up of media types, under a name: where a framework compiles our modules, one that is loaded late has no `default`. */

export { default as mime } from 'mime';
