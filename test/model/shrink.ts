/** The smallest file found by leaving lines out for which `fails` still holds. */
export function shrink(file: Buffer, fails: (smaller: Buffer) => boolean): Buffer {
  let lines = file.toString('latin1').split(/(?<=\n)/)
  for (let step = Math.ceil(lines.length / 2); step >= 1; step = Math.floor(step / 2)) {
    for (let at = 0; at < lines.length; ) {
      const fewer = lines.toSpliced(at, step)
      if (fails(Buffer.from(fewer.join(''), 'latin1'))) lines = fewer
      else at += step
    }
  }
  return Buffer.from(lines.join(''), 'latin1')
}
