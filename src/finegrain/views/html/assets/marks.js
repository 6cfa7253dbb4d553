// Marks with a place on an axis: style attributes are not allowed in the page, so it is set here.

export function placeMarks() {
  for (const mark of document.querySelectorAll("[data-x]")) mark.style.left = `${mark.dataset.x}%`;
}
