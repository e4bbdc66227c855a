import { open } from "node:fs/promises";

const BOX_HEADER_BYTES = 8; // 32-bit size, then the box's type; DASH segments need no 64-bit sizes

/**
 * Tells whether a file is a sequence of whole MP4 boxes.
 *
 * ffmpeg's DASH muxer ignores write errors: on a full disk it ends with code 0 and leaves cut or empty segments.
 */
export async function isWholeMp4(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(BOX_HEADER_BYTES);
    let position = 0;
    while (position + BOX_HEADER_BYTES <= size) {
      await file.read(header, 0, BOX_HEADER_BYTES, position);
      const boxBytes = header.readUInt32BE(0);
      if (boxBytes < BOX_HEADER_BYTES) return false;
      position += boxBytes;
    }
    return size > 0 && position === size;
  } finally {
    await file.close();
  }
}
