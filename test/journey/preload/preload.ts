// Code that is loaded into the command before it starts, to make happen what can't be made from outside.

/** The environment that loads one of the files of this folder. */
export function preloaded(
  name: 'watch-loop' | 'deadly-pages' | 'other-clock',
  env: Readonly<Record<string, string>> = {},
) {
  return { ...env, NODE_OPTIONS: `--import=${new URL(`./${name}.js`, import.meta.url)}` }
}
