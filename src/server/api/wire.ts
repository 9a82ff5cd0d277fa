/** A value as JSON has it: fields that are undefined are left out. */
export type Wire<Value> = Value extends readonly (infer Item)[]
  ? number extends Value['length']
    ? Wire<Item>[]
    : { -readonly [At in keyof Value]: Wire<Value[At]> }
  : Value extends object
    ? { -readonly [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Wire<Value[Name]> } & {
        -readonly [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Wire<
          Exclude<Value[Name], undefined>
        >
      }
    : Value

/** The same value; `JSON.stringify` leaves out what is undefined, and writes null for what is infinite. */
export function wire<Value>(value: Value): Wire<Value> {
  return value as Wire<Value>
}
