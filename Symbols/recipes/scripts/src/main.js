import { Desk } from "./desk.js";

async function openDesk(items) {
  const desk = new Desk("pier 3");
  try {
    return await desk.checkOut(items);
  } catch (error) {
    throw new Error(`no receipt for ${items.length} items`, { cause: error });
  }
}

openDesk(["ferry", "gondola"]).then((receipt) => console.log(receipt));
