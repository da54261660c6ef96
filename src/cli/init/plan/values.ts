/** Reads single values out of configurations, by pattern: good enough for a proposal that a person sees. */

/** Lines that are comments in one of the languages of configurations say nothing. */
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*).*$/gm;

/** A configuration without its comments. */
export function stripComments(config: string): string {
  return config.replace(COMMENT, '');
}

/**
 * The text that an option has: `site: 'https://…'`, `site_url: https://…`, `baseURL = "https://…"`, `setOutput("…")`.
 *
 * @returns undefined where it has none, or one that is worked out
 */
export function readValue(config: string, option: string): string | undefined {
  const text = stripComments(config);
  const name = `(?<![\\w.-])['"]?${option}['"]?`;
  const quoted = new RegExp(`${name}\\s*[:=(]\\s*(['"\`])([^'"\`\\r\\n$]+)\\1`).exec(text)?.[2];
  if (quoted !== undefined) return quoted.trim();
  // Only YAML leaves out the quotation marks; in a script, what has none is worked out.
  if (/^\s*(?:import|export|module\.exports)\b/m.test(text)) return undefined;
  return new RegExp(`^\\s*${option}:[ \\t]+([^\\s'"\`{[(,;]+)[ \\t]*(?:#.*)?$`, 'm').exec(text)?.[1];
}

/** Whether an option is switched on. */
export function isOn(config: string, option: string): boolean {
  return hasSwitch(config, option, 'true');
}

/** Whether an option is there, and switched off. */
export function isOff(config: string, option: string): boolean {
  return hasSwitch(config, option, 'false');
}

function hasSwitch(config: string, option: string, value: 'true' | 'false'): boolean {
  return new RegExp(`(?<![\\w.-])${option}\\s*[:=]\\s*${value}\\b`).test(stripComments(config));
}
