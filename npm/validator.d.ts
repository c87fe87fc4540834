/** One fault of a message: the JSON pointer of the value, and what is wrong with it. */
export interface Fault {
  path: string;
  message: string;
}

/** Return the faults of a message, none if it is right. `accepted` takes the keys and names of older programs too. */
export function errors(message: unknown, dialect?: "standard" | "accepted"): Fault[];
/** Return whether a value is a message of the standard dialect. */
export function isMessage(message: unknown): message is Message;
/** Return whether a value is a message that mjconv reads. */
export function isAcceptedMessage(message: unknown): message is AcceptedMessage;
/** All schemas by their paths, such as `hora.json` and `accepted/hora.json`, without `$id`. */
export const schemas: Record<string, Record<string, unknown>>;
