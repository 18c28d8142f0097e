import { priceOf } from "./prices.js";

export class Desk {
  constructor(name) {
    this.name = name;
    this.receipts = [];
  }

  total(items) {
    return items.map((item) => priceOf(item)).reduce((sum, cents) => sum + cents, 0);
  }

  async checkOut(items) {
    await null;
    const receipt = { desk: this.name, cents: this.total(items) };
    this.receipts.push(receipt);
    return receipt;
  }
}
