// The page of a report: draw the figures, then follow the address.

import { startCharts } from "./charts.js";
import { showPair } from "./comparison.js";
import { showConfusion, startConfusion } from "./confusion.js";
import { startFiles } from "./files.js";
import { showInstances, startInstances } from "./instances.js";
import { placeMarks } from "./marks.js";
import { breakNames } from "./names.js";
import { goTo, startNavigation } from "./navigation.js";
import { followState, readState } from "./state.js";

placeMarks();
breakNames();
startInstances();
startConfusion();
startFiles();
startNavigation();
let list;
followState((state) => {
  list = showInstances(state);
  showConfusion(state);
  showPair(state);
  if (state.section) goTo(state.section);
});
startCharts().then(() => list).then(() => {
  const { section } = readState();
  if (section) goTo(section); // figures have taken their room
  document.documentElement.dataset.ready = "yes";
});
