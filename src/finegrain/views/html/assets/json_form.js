// The JSON form of selections, ["and", ["=", "gold", "PER"], ...], taken apart.

export const isText = (where) => typeof where === "string";

export const nameOf = (field) => [field].flat()[0];

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The conditions that a selection is made of.
export function leaves(where) {
  if (!Array.isArray(where)) return [];
  const [operator, ...parts] = where;
  return ["and", "or", "not"].includes(operator) ? parts.flatMap(leaves) : [where];
}

// The parts that must all hold.
export const conjuncts = (where) => (where[0] === "and" && where.length > 2 ? where.slice(1).flatMap(conjuncts) : [where]);
