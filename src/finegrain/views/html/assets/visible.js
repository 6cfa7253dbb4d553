// Control and direction characters written out, as finegrain.visible does: names and labels come
// from files, and must not turn around what stands beside them.

const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function writtenOut(char) {
  const code = char.codePointAt(0);
  const [sign, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${sign}${code.toString(16).padStart(width, "0")}`;
}

export const visible = (text) => text.replace(HIDDEN, writtenOut);

// Text as others are looked for in it: visible, composed, in small letters.
export const searched = (text) => visible(text).normalize("NFC").toLowerCase();
