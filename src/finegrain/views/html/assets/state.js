// What the reader looks at stands in the address: #section?condition=value&..., so that a link
// shows what its sender saw and the Back button undoes a click.

// What is chosen in a section; it stays when a number is followed.
const CHOICES = ["a", "b", "confusion"];
const NO_CONDITIONS = [...CHOICES, "n", "page", "system"];

export function readState(hash = location.hash) {
  const [section, query = ""] = hash.replace(/^#/, "").split("?", 2);
  return { section: section || "", query: new URLSearchParams(query) };
}

export function writeHash(section, query) {
  const text = query.toString().replaceAll("%2C", ",");
  return `#${section}${text ? `?${text}` : ""}`;
}

// The conditions on units among all that stands in the address.
export function conditions(query) {
  return [...query].filter(([key]) => !NO_CONDITIONS.includes(key));
}

// Change some of the state; null takes a key out. A changed filter begins on its first page and
// no longer has the count of the number that was clicked.
export function change(changes, section) {
  const state = readState();
  const touched = Object.keys(changes);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") state.query.delete(key);
    else state.query.set(key, value);
  }
  if (touched.some((key) => !["page", "system", "confusion"].includes(key))) {
    state.query.delete("page");
    state.query.delete("n");
  }
  location.hash = writeHash(section ?? state.section ?? "instances", state.query);
}

// Number links name their conditions only, so what was chosen before is added; an address that was
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
