// Checks messages of mjai by their schemas.
import { Ajv2020 } from "ajv/dist/2020.js";
import schemas from "./schemas.js";

export { schemas };

const ajv = new Ajv2020({ strict: true, allErrors: true, schemas });

// Of a dialect: the schema of each type, and what every message has. `oneOf` alone would list the errors of all types.
function dialect(name) {
  const { oneOf, ...every } = schemas[name];
  const byType = new Map(oneOf.flatMap(({ $ref }) => {
    const file = $ref.replace("../", "");
    const { type } = schemas[file].properties;
    return (type.enum ?? [type.const]).map((each) => [each, ajv.getSchema(file)]);
  }));
  return { byType, every: ajv.compile(every) };
}

const DIALECTS = { standard: dialect("message.json"), accepted: dialect("accepted/message.json") };

export function errors(message, name = "standard") {
  const { byType, every } = DIALECTS[name];
  const check = byType.get(message?.type) ?? every;
  // An error of `if` only repeats that its `then` or `else` has one.
  const found = check(message) ? [] : check.errors.filter(({ keyword }) => keyword !== "if");
  return found.map((error) => ({ path: error.instancePath, message: error.message }));
}

export const isMessage = (message) => errors(message).length === 0;
export const isAcceptedMessage = (message) => errors(message, "accepted").length === 0;
