// Where numbers and units come from: they stand in the page. The units of an explorer do not:
// source.js asks its server for those that are to be seen.

export const report = JSON.parse(document.getElementById("data").textContent);

// Units as columns: report.units.label[row], report.units.outcome[system][row].
export const units = report.units;

// Other units take the place of those before them, with all their columns.
export function hold(others) {
  for (const name of Object.keys(units)) delete units[name];
  Object.assign(units, others);
}

const counting = new Intl.NumberFormat("en-US");

export const number = (value) => counting.format(value);

// What so many units are called, and what they stand in: themselves, if in nothing.
export const unitWord = (count) => (count === 1 ? report.words?.unit : report.words?.units);
export const contextWord = report.words?.context || report.words?.unit;

export const unitsOf = (count) => `${number(count)} ${unitWord(count)}`;

// What is known of an answer: a label, a unit (a row), or only whether it is right.
export const answersAre = (kind) => report.answers === kind;

// A proportion in points of 100, and a difference of two with a true minus, as the page writes them;
// what rounds to zero has no sign of its own.
export function points(value, digits = 2) {
  if (value === null) return "–";
  const said = (100 * value).toFixed(digits);
  return Number(said) === 0 ? (0).toFixed(digits) : said;
}

export function signed(value, digits = 2) {
  const said = points(value, digits);
  return value === null || said.startsWith("-") ? said.replace("-", "−") : `+${said}`;
}

// A value of graded units as the table's scale writes it; a difference has a sign.
export function valueWritten(value, sign = false) {
  if (value === null) return "–";
  if (report.graded.percent) return sign ? signed(value) : points(value);
  const small = report.graded.open && value !== 0 && Math.abs(value) < 0.1;
  const said = small ? String(Number(value.toPrecision(3))) : value.toFixed(3);
  const zero = Number(said) === 0 ? (0).toFixed(3) : said;
  return (sign && !zero.startsWith("-") ? `+${zero}` : zero).replace("-", "−");
}

export const outcomeName = (code) => report.outcomes[code].said;
