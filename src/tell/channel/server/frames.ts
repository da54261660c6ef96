/** Finds data in what a peer sends, at its first byte: the library tells of whole messages only. Pure. */

/** Kinds of frames below it are data, those above pings, pongs and the end (RFC 6455 §5.2). */
const FIRST_CONTROL = 8;
const KIND = 0x0f;
const LENGTH = 0x7f;
const MASK_BYTES = 4;

/** Starts to look through bytes as they come, one frame after another; tells whether there are data in them. */
export function startFrames(): (bytes: Uint8Array) => boolean {
  /** What is left of the frame; undefined where its length comes next. */
  let rest: number | undefined = 0;
  return (bytes) => {
    for (let place = 0; place < bytes.length; ) {
      const byte = bytes[place] ?? 0;
      if (rest === undefined) {
        // More than this, no frame but one of data can have (§5.5).
        rest = MASK_BYTES + (byte & LENGTH);
        place++;
      } else if (rest > 0) {
        const passed = Math.min(rest, bytes.length - place);
        rest -= passed;
        place += passed;
      } else {
        if ((byte & KIND) < FIRST_CONTROL) return true;
        rest = undefined;
        place++;
      }
    }
    return false;
  };
}
