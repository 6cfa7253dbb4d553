// Files that the reader takes along: figures, and results as the command line writes them.

import { report } from "./data.js";

// An address that is a file.
export const follow = (href, name = "") => Object.assign(document.createElement("a"), { href, download: name }).click();

export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  follow(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Files stand in the page compressed.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const TYPES = { csv: "text/csv", json: "application/json", tex: "text/plain", md: "text/markdown" };

export function startFiles() {
  for (const button of document.querySelectorAll("button[data-download]")) {
    const [name, suffix] = button.dataset.download.split(".");
    if (!report.downloads[name][suffix]) {
      Object.assign(button, { disabled: true, title: "This file is too large for the page: the command line writes it." });
    }
    button.addEventListener("click", async () => {
      download(`${name}.${suffix}`, await unpacked(report.downloads[name][suffix]), TYPES[suffix]);
    });
  }
}
