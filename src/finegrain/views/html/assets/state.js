// What the reader looks at stands in the address: #section?where=[...]&..., so that a link shows what
// its sender saw and the Back button undoes a click.

import { conjuncts, isText } from "./json_form.js";
import { translated } from "./saved_links.js";

// What is chosen in a section; it stays when a number is followed.
const CHOICES = ["a", "b", "confusion"];
const NO_CONDITIONS = [...CHOICES, "n", "page", "system"];
const LEGIBLE = { "%5B": "[", "%5D": "]", "%2C": ",", "%3A": ":", "%21": "!", "%3D": "=" };

export function readState(hash = location.hash) {
  const text = hash.replace(/^#/, "");
  const at = text.indexOf("?"); // there may be more of them in what is asked for
  const [section, query] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  return { section, query: new URLSearchParams(query) };
}

export function writeHash(section, query) {
  const text = query.toString().replace(/%(?:5B|5D|2C|3A|21|3D)/g, (code) => LEGIBLE[code]);
  return `#${section}${text ? `?${text}` : ""}`;
}

// The selections in an address, all of which hold: in their JSON form, as a text that only an
// explorer reads, or as addresses had them before.
export function conditions(query) {
  return [...query].filter(([key]) => !NO_CONDITIONS.includes(key)).flatMap(([key, value]) => (key === "where" ? selections(value) : conjuncts(translated(key, value))));
}

function selections(text) {
  if (!text.trim().startsWith("[")) return [text];
  try {
    return conjuncts(JSON.parse(text));
  } catch {
    return [text];
  }
}

// What stands in an address for selections that all hold.
export function asParameters(asked) {
  const parts = asked.filter((where) => !isText(where));
  const texts = asked.filter(isText);
  const whole = parts.length > 1 ? ["and", ...parts] : parts[0];
  return [...(whole ? [JSON.stringify(whole)] : []), ...texts].map((where) => ["where", where]);
}

// Where the units that selections hold for are listed, and how many they are.
export const unitsAt = (asked, count) => writeHash("instances", new URLSearchParams([...asParameters(asked), ["n", count]]));

// Change some of the state; null takes a key out, and `asked` takes the place of all selections. A
// changed filter begins on its first page and no longer has the count of the number that was clicked.
export function change(changes, section, asked) {
  const state = readState();
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") state.query.delete(key);
    else state.query.set(key, value);
  }
  if (asked) {
    for (const key of new Set(state.query.keys())) if (!NO_CONDITIONS.includes(key)) state.query.delete(key);
    for (const [key, value] of asParameters(asked)) state.query.append(key, value);
  }
  if (asked || Object.keys(changes).some((key) => !["page", "system", "confusion"].includes(key))) {
    state.query.delete("page");
    state.query.delete("n");
  }
  location.hash = writeHash(section ?? state.section ?? "instances", state.query);
}

// Number links name their selection only, so what was chosen before is added; an address that was
// here before has its own choices, so that the Back button undoes one.
let chosen = {};

export function followState(listener) {
  const follow = () => {
    const state = readState();
    chosen = { ...(history.state?.chosen ?? chosen) };
    let missing = false;
    for (const key of CHOICES) {
      if (state.query.has(key)) chosen[key] = state.query.get(key);
      else if (chosen[key] !== undefined) {
        state.query.set(key, chosen[key]);
        missing = true;
      }
    }
    history.replaceState({ chosen }, "", missing ? writeHash(state.section, state.query) : undefined);
    listener(state);
  };
  addEventListener("hashchange", follow);
  follow();
}
