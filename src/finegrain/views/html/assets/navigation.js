// Going to sections: links keep the rest of the address, and the current section is marked.

import { readState, writeHash } from "./state.js";

const sections = [...document.querySelectorAll("main > section")];
const links = [...document.querySelectorAll("nav a")];
const menu = document.querySelector("nav select");

export function goTo(name, smooth) {
  const target = document.getElementById(name);
  if (target) target.scrollIntoView({ behavior: smooth ? "auto" : "instant", block: "start" });
  if (document.activeElement?.closest?.("a[href^='#instances']")) attend(document.getElementById(`${name}-title`));
}

// Whoever followed a link by keyboard goes on from where it led.
function attend(title) {
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
}

function mark(name) {
  for (const link of links) link.toggleAttribute("aria-current", link.hash === `#${name}`);
  if (menu && document.activeElement !== menu) menu.value = name;
}

function keepQuery(event) {
  const anchor = event.target.closest("a[data-section]");
  if (!anchor) return;
  event.preventDefault();
  const hash = writeHash(anchor.dataset.section, readState().query);
  if (hash === location.hash) goTo(anchor.dataset.section);
  else location.hash = hash;
}

export function startNavigation() {
  document.addEventListener("click", keepQuery);
  menu?.addEventListener("change", () => {
    location.hash = writeHash(menu.value, readState().query);
  });
  const seen = () => {
    const above = sections.filter((one) => one.getBoundingClientRect().top < 140);
    const current = above[above.length - 1] ?? sections[0];
    if (current) mark(current.id);
  };
  addEventListener("scroll", seen, { passive: true });
  seen();
}
