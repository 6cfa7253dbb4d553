// The page of a suite: its figures, files and sections; it has no units.

import { startCharts } from "./charts.js";
import { startFiles } from "./files.js";
import { placeMarks } from "./marks.js";
import { breakNames } from "./names.js";
import { goTo, startNavigation } from "./navigation.js";
import { followState } from "./state.js";

placeMarks();
breakNames();
startFiles();
startNavigation();
startCharts().then(() => {
  followState(({ section }) => section && goTo(section)); // figures have taken their room
  document.documentElement.dataset.ready = "yes";
});
